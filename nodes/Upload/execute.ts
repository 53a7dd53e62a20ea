import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { namesOfFiles } from '../core/files/sourceNames';
import { optionsIn } from '../core/form/optionGroups';
import { filesOf, transfersAtOnce } from '../core/form/parameters';
import { readForm } from '../core/form/readForm';
import type { Fields, Form } from '../core/form/values';
import { NodeRun } from '../core/run/nodeRun';
import { Outcomes } from '../core/items/outcomes';
import { readItemForm } from '../core/items/readItemForm';
import { Slots } from '../core/run/slots';
import { sha256Of } from '../core/ledger/identity';
import { noteUpload } from '../core/skip/ownUploads';
import { type Source, readSources, sourceFileNamesOf } from '../core/upload/source';
import {
	type UploadOptions,
	type UploadedFile,
	readFields,
	readUploadOptions,
	uploadFiles,
} from '../core/upload/uploadFiles';
import { UPLOAD_FIELDS } from './fields';

/** What an item asks for. */
interface UploadRequest {
	readonly itemIndex: number;
	readonly keepsInputFiles: boolean;
	readonly options: UploadOptions;
	/** Whether a node after this one compares the content. */
	readonly isCompared: boolean;
}

/** Uploads the files of each item. */
export async function uploadItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context);
	const outcomes = new Outcomes(run, {
		onRetry: 'It sends all files again; nothing is charged for uploads.',
		progress: ['uploaded', 'items'],
	});
	if (run.items.length === 0) return outcomes.outputs();
	try {
		const settings = readForm(context, UPLOAD_FIELDS, 0, run.isTool, 'allItems');
		const transfers = new Slots(transfersAtOnce(run, settings));
		const requests = await readRequests(run, outcomes);
		await Promise.all(
			requests.map(async (request) => await uploadItem(run, outcomes, transfers, request)),
		);
		outcomes.assertGoesOn();
		return outcomes.outputs();
	} catch (error) {
		return outcomes.ofAll(error);
	} finally {
		outcomes.show();
	}
}

async function readRequests(run: NodeRun, outcomes: Outcomes): Promise<UploadRequest[]> {
	const requests: UploadRequest[] = [];
	const isCompared = isContentCompared(run);
	for await (const [itemIndex] of outcomes.itemsToRead()) {
		let form: Form | undefined;
		try {
			form = readItemForm(run, UPLOAD_FIELDS, [itemIndex]);
			const options = readUploadOptions(run, form);
			const keepsInputFiles = form.options.keepInputFiles === true;
			requests.push({ itemIndex, keepsInputFiles, options, isCompared });
		} catch (error) {
			outcomes.failed([itemIndex], error, form ? {} : knownAsSaved(run, itemIndex));
		}
	}
	outcomes.assertGoesOn();
	return requests;
}

async function uploadItem(
	run: NodeRun,
	outcomes: Outcomes,
	transfers: Slots,
	request: UploadRequest,
): Promise<void> {
	const { itemIndex } = request;
	await transfers.take();
	try {
		if (!outcomes.isOver) outcomes.done([itemIndex], [await upload(run, request)]);
	} catch (error) {
		outcomes.failed([itemIndex], error, knownOf(run, itemIndex, request.options.fields));
	} finally {
		transfers.giveBack();
	}
}

/** The name of a failed item's recording, if its files are there. */
function knownOf(run: NodeRun, itemIndex: number, fields: readonly string[]): IDataObject {
	try {
		return { sourceFileName: sourceFileNamesOf(run, itemIndex, { fields }) };
	} catch {
		return {};
	}
}

/** The same if the form cannot be read: by what it says without expressions. */
function knownAsSaved(run: NodeRun, itemIndex: number): IDataObject {
	try {
		const { parameters } = run.node;
		const fields = parameters as Fields;
		return knownOf(run, itemIndex, readFields(run, { itemIndex, fields }));
	} catch {
		return {};
	}
}

/** Whether a node after this one recognizes recordings by their content. */
function isContentCompared({ context, node }: NodeRun): boolean {
	const later = context.getChildNodes(node.name, { includeNodeParameters: true });
	return later.some(({ parameters = {} }) => optionsIn(parameters).skipEdited === 'content');
}

/** Uploads the files of one item, and returns their URLs; and the hashes of their content, if it is compared. */
async function upload(
	run: NodeRun,
	{ itemIndex, keepsInputFiles, options, isCompared }: UploadRequest,
): Promise<INodeExecutionData> {
	const sources = await readSources(run, itemIndex, options);
	const hashes = isCompared ? await hashesOf(sources) : [];
	const files = await uploadFiles(run, itemIndex, sources, options);
	for (const { fileUrl } of files) noteUpload(run, fileUrl);
	const described = files.map((file, index) =>
		isCompared ? { ...file, sha256: hashes[index] } : file,
	);
	return { json: summaryOf(described), ...filesOf(run, keepsInputFiles ? [itemIndex] : []) };
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
