import type { IDataObject } from 'n8n-workflow';

import { filesOf, readTransfersAtOnce } from '../shared/form/parameters';
import { namesOfFiles } from '../shared/form/sourceNames';
import { noteUpload } from '../shared/skip/ownUploads';
import type { NodeWork } from '../shared/run/runNode';
import {
	type UploadOptions,
	type UploadedFile,
	readUploadOptions,
	uploadFiles,
} from './uploadFiles';
import { readSources, sourceFileNamesOf } from './source';
import type { NodeRun } from '../shared/run/nodeRun';

interface UploadForm {
	readonly itemIndex: number;
	readonly options: UploadOptions;
}

/** Uploads the files of each item. */
export function uploadWork(run: NodeRun): NodeWork<UploadForm> {
	return {
		read: ([itemIndex]) => ({ itemIndex, options: readUploadOptions(run, itemIndex) }),
		handle: (form) => uploadItem(run, form),
		known: (itemIndex) => ({
			sourceFileName: sourceFileNamesOf(run, itemIndex, readUploadOptions(run, itemIndex)),
		}),
		atOnce: readTransfersAtOnce(run),
		onRetry: 'It sends all files again; nothing is charged for uploads.',
		progress: ['uploaded', 'items'],
	};
}

/** Uploads the files of one item, and returns their URLs. */
async function uploadItem(run: NodeRun, { itemIndex, options }: UploadForm) {
	const sources = await readSources(run, itemIndex, options);
	const files = await uploadFiles(run, itemIndex, sources, options);
	for (const { fileUrl } of files) noteUpload(run, fileUrl);
	return [[{ json: summaryOf(files), ...filesOf(run, [itemIndex]) }]];
}

function summaryOf(files: readonly UploadedFile[]): IDataObject {
	if (files.length === 1) return { ...files[0] };
	const names = files.map(({ sourceFileName }) => sourceFileName);
	return {
		fileUrls: files.map(({ fileUrl }) => fileUrl),
		...namesOfFiles(names, names.join(', ')),
		files: [...files],
	};
}
