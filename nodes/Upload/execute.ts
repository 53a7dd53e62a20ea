import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { filesOf, readTransfersAtOnce } from '../core/form/parameters';
import { namesOfFiles } from '../core/files/sourceNames';
import { sha256Of } from '../core/skip/identity';
import { noteUpload } from '../core/skip/ownUploads';
import type { NodeWork } from '../core/run/runNode';
import {
	type UploadOptions,
	type UploadedFile,
	readUploadOptions,
	uploadFiles,
} from '../core/upload/uploadFiles';
import { type Source, readSources, sourceFileNamesOf } from '../core/upload/source';
import type { NodeRun } from '../core/run/nodeRun';

interface UploadForm {
	readonly itemIndex: number;
	readonly options: UploadOptions;
}

/** Uploads the files of each item. */
export function uploadWork(run: NodeRun): NodeWork<UploadForm> {
	const isCompared = isContentCompared(run);
	return {
		read: ([itemIndex]) => ({ itemIndex, options: readUploadOptions(run, itemIndex) }),
		handle: (form) => uploadItem(run, form, isCompared),
		known: (itemIndex) => ({
			sourceFileName: sourceFileNamesOf(run, itemIndex, readUploadOptions(run, itemIndex)),
		}),
		atOnce: readTransfersAtOnce(run),
		onRetry: 'It sends all files again; nothing is charged for uploads.',
		progress: ['uploaded', 'items'],
	};
}

/** Whether a node after this one recognizes recordings by their content. n8n 1.68 does not say. */
function isContentCompared({ context, node }: NodeRun): boolean {
	const later = context.getChildNodes(node.name, { includeNodeParameters: true });
	return later.some(({ parameters = {} }) => {
		const options = parameters.options as INodeParameters | undefined;
		return options?.skipEdited === 'content';
	});
}

/** Uploads the files of one item, and returns their URLs; and the hashes of their content, if it is compared. */
async function uploadItem(run: NodeRun, { itemIndex, options }: UploadForm, isCompared: boolean) {
	const sources = await readSources(run, itemIndex, options);
	const hashes = isCompared ? await hashesOf(sources) : [];
	const files = await uploadFiles(run, itemIndex, sources, options);
	for (const { fileUrl } of files) noteUpload(run, fileUrl);
	const described = files.map((file, index) =>
		isCompared ? { ...file, sha256: hashes[index] } : file,
	);
	return [[{ json: summaryOf(described), ...filesOf(run, [itemIndex]) }]];
}

async function hashesOf(sources: readonly Source[]): Promise<string[]> {
	const hashes: string[] = [];
	for (const source of sources) hashes.push(await sha256Of(await source.open()));
	return hashes;
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
