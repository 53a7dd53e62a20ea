import type { IDataObject } from 'n8n-workflow';

import { isNotMediaType } from '../files/mediaTypes';
import { isUpload } from './ownUploads';
import { fieldError } from '../form/fieldError';
import { type Identity, type NamedFile, type SkipChoice, readSkipChoice } from './skipRule';
import type { SkipWay } from './fields';
import type { Form } from '../form/values';
import { readText } from '../texts';
import type { NodeRun } from '../run/nodeRun';

/**
 * How a recording is recognized that an earlier execution submitted; undefined if that is off.
 *
 * @param itemIndices the items with the recording's files
 * @param urls the URLs of these files
 * @throws NodeOperationError if the items do not say what identifies the recording
 */
export function readSkipIdentity(
	run: NodeRun,
	form: Form,
	itemIndices: readonly number[],
	urls: readonly string[],
): SkipIdentity | undefined {
	const choice = readSkipChoice(run, form);
	if (choice === undefined) return undefined;
	if (choice.way === 'url') refuseUploads(run, itemIndices, urls);
	const filesOf = FILES_OF[choice.way];
	const files = filesOf ? itemIndices.flatMap((index) => filesOf(run, index)) : [];
	return { choice, identity: { files, urls } };
}

/** How a recording is recognized, and what identifies it. */
export interface SkipIdentity {
	readonly choice: SkipChoice;
	readonly identity: Identity;
}

/** The files of an item, for the ways that compare files. */
const FILES_OF: Readonly<
	Record<SkipWay, ((run: NodeRun, itemIndex: number) => NamedFile[]) | undefined>
> = { nameAndSize: filesOfItem, content: contentsOfItem, url: undefined, value: undefined };

/** By its URL, an upload would never be recognized, and be charged each time. */
export function refuseUploads(
	run: NodeRun,
	itemIndices: readonly number[],
	urls: readonly string[],
	advice = "Choose 'By File Name and Size' if the item has 'fileName' and 'sizeBytes', or 'By Your Own Value'.",
): void {
	const isFromItem = (index: number) => {
		const { json } = run.items[index];
		const own = [json.fileUrl, json.fileUrls].flat().map(readText);
		return uploadedFiles(json).length > 0 && own.some((url) => urls.includes(url));
	};
	const isOne = urls.some((url) => isUpload(run, url));
	const itemIndex = isOne ? itemIndices[0] : itemIndices.find(isFromItem);
	if (itemIndex === undefined) return;
	const message =
		"'Skip Recordings Already Edited' cannot recognize a file from Audio Editing Upload by its URL: each upload has its own URL";
	throw fieldError(run, itemIndex, message, advice);
}

/** The recordings of an item: as Upload describes them, otherwise those in its binary fields. */
function filesOfItem(run: NodeRun, itemIndex: number): NamedFile[] {
	const uploaded = uploadedFiles(run.items[itemIndex].json);
	if (uploaded.length > 0) return uploaded;
	const files = Object.values(run.items[itemIndex].binary ?? {})
		.filter(({ mimeType }) => !isNotMediaType(mimeType))
		.map(({ fileName, bytes }) => ({ fileName, sizeBytes: bytes }));
	if (files.length > 0 && files.every(isNamedFile)) return files;
	const message =
		"'Skip Recordings Already Edited' found no name and size of the recording in the item";
	const advice =
		"Put an Audio Editing Upload node before this one, which outputs 'fileName' and 'sizeBytes', or choose 'By Your Own Value'.";
	throw fieldError(run, itemIndex, message, advice);
}

/** The same for their content: as Upload has hashed it, otherwise that of the binary fields. */
function contentsOfItem(run: NodeRun, itemIndex: number): NamedFile[] {
	const uploaded = uploadedFiles(run.items[itemIndex].json);
	if (uploaded.length > 0 && uploaded.every(({ sha256 }) => sha256 !== undefined)) return uploaded;
	const { helpers } = run.context;
	const files = Object.entries(run.items[itemIndex].binary ?? {})
		.filter(([, { mimeType }]) => !isNotMediaType(mimeType))
		.map(([field, { id, fileName = '' }]): NamedFile => {
			const open = async () =>
				id === undefined
					? await helpers.getBinaryDataBuffer(itemIndex, field)
					: await helpers.getBinaryStream(id);
			return { fileName, sizeBytes: 0, open };
		});
	if (files.length > 0) return files;
	const message = "'Skip Recordings Already Edited' found no file of the recording in the item";
	const advice =
		"Switch on 'Keep Input Files' in the Audio Editing Upload node before this one, or choose another way.";
	throw fieldError(run, itemIndex, message, advice);
}

/** The files of an item as Upload describes them; none for an item of another node. */
export function uploadedFiles(json: IDataObject): NamedFile[] {
	const candidates: unknown[] = Array.isArray(json.files) ? json.files : [json];
	return candidates.every(isNamedFile) ? candidates.map(namedFileIn) : [];
}

function namedFileIn(file: NamedFile): NamedFile {
	const { fileName, sizeBytes, sourceFileName, sha256 } = file;
	const isNamed = typeof sourceFileName === 'string' && sourceFileName !== '';
	const isHashed = typeof sha256 === 'string' && sha256 !== '';
	return {
		fileName,
		sizeBytes,
		...(isNamed && { sourceFileName }),
		...(isHashed && { sha256 }),
	};
}

function isNamedFile(value: unknown): value is NamedFile {
	if (typeof value !== 'object' || value === null) return false;
	const { fileName, sizeBytes }: { fileName?: unknown; sizeBytes?: unknown } = value;
	return typeof fileName === 'string' && fileName !== '' && typeof sizeBytes === 'number';
}
