import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { filesOf } from '../shared/inputItem';
import { noteUpload } from '../shared/ownUploads';
import { readTransfersAtOnce } from '../shared/parameters';
import type { NodeWork } from '../shared/runNode';
import { readUploadOptions } from './readUploadOptions';
import { fileNamesOf } from './source';
import { type UploadOptions, type UploadedFile, readSources, uploadFiles } from './uploadFiles';

interface UploadForm {
	readonly itemIndex: number;
	readonly options: UploadOptions;
}

/** Uploads the files of each item. */
export const UPLOAD_WORK: NodeWork<UploadForm> = {
	read: (context, [itemIndex]) => ({ itemIndex, options: readUploadOptions(context, itemIndex) }),
	handle: uploadItem,
	known: (context, itemIndex) => {
		const { fields, given } = readUploadOptions(context, itemIndex);
		return { sourceFileName: fileNamesOf(context, itemIndex, fields, given) };
	},
	atOnce: readTransfersAtOnce,
	onRetry: 'It sends all files again; nothing is charged for uploads.',
	progress: ['uploaded', 'items'],
};

/** Uploads the files of one item, and returns their URLs. */
async function uploadItem(
	context: IExecuteFunctions,
	{ itemIndex, options }: UploadForm,
): Promise<INodeExecutionData[][]> {
	const sources = await readSources(context, itemIndex, options);
	const files = await uploadFiles(context, itemIndex, sources, options);
	for (const { fileUrl } of files) noteUpload(context, fileUrl);
	return [[{ json: summaryOf(files), ...filesOf(context, [itemIndex]) }]];
}

function summaryOf(files: readonly UploadedFile[]): IDataObject {
	const sourceFileName = files.map(({ fileName }) => fileName).join(', ');
	if (files.length === 1) return { ...files[0], sourceFileName };
	return { fileUrls: files.map(({ fileUrl }) => fileUrl), sourceFileName, files: [...files] };
}
