import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';

import type { Client } from '../../../api/client';
import { type Edit, isWebUrl } from '../../../api/contract';
import { type RequestFailure, type Result, failed } from '../../../api/failure';
import { withoutSecrets } from '../../../api/sanitizeText';
import { linksOf } from './resultLinks';
import type { EditedFile } from './editedFile';
import { type FileToFetch, fetchFile } from './fetchFile';
import { ofEdit, operationError, valueOrThrow } from '../errors/errors';
import { extensionOf, nameInUrl } from '../files/mediaTypes';
import type { NodeRun } from '../run/nodeRun';

/** The kinds of files of a result, in the order of fetching. */
export const DOWNLOAD_KINDS = ['edited', 'merged', 'markers'] as const;

export type DownloadKind = (typeof DOWNLOAD_KINDS)[number];

/** The statuses with which storages refuse a signed link that is no longer valid. */
const EXPIRED_LINK_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** A file of a result, and the output field it goes into. */
interface ResultFile extends Pick<FileToFetch, 'url' | 'fileName' | 'isMedia'> {
	readonly kind: DownloadKind;
	readonly field: string;
	/** What an error calls the file. */
	readonly what: string;
}

/** A result has one merged file and a few of markers. Nobody asked for the hundreds that an answer may list. */
export const MAX_FILES_OF_A_KIND = 20;

/** The links of a result by the kind of file. */
function linkLists(edit: Edit): Record<DownloadKind, readonly string[]> {
	const links = linksOf(edit);
	return { ...links, edited: links.edited === null ? [] : [links.edited] };
}

/** The files that a result has of the chosen kinds, at most 20 of each. */
export function wantedDownloads(
	edit: Edit,
	kinds: readonly DownloadKind[],
	field = '',
): ResultFile[] {
	const links = linkLists(edit);
	const { filename, timestamps_markers_names: names = {} } = edit.result ?? {};
	return kinds.flatMap((kind) =>
		links[kind].slice(0, MAX_FILES_OF_A_KIND).map((url, index) => ({
			kind,
			url,
			field: kind === 'edited' ? field : `${field}_${kind}_${index + 1}`,
			fileName: kind === 'edited' ? filename : markerName(url, names[url]),
			isMedia: kind !== 'markers',
			what: kind === 'edited' ? 'the edited file' : `the ${kind} file`,
		})),
	);
}

/** How many files of a result are not fetched if these kinds are chosen, and how many of these kinds it lacks. */
export function countNotFetched(edit: Edit, kinds: readonly DownloadKind[]): number {
	const fetched = new Set(wantedDownloads(edit, kinds).map(({ url }) => url));
	const links = linkLists(edit);
	const listed = new Set(Object.values(links).flat());
	// The service may list a file a poll later than the edited one.
	const lacking = kinds.filter((kind) => links[kind].length === 0);
	return [...listed].filter((url) => !fetched.has(url)).length + lacking.length;
}

/** The name that the service gives a file of markers, with the extension from its link if it has none. */
function markerName(url: string, name: string | undefined): string | undefined {
	if (name === undefined || extensionOf(name) !== '' || !isWebUrl(url)) return name;
	const extension = extensionOf(nameInUrl(url));
	return extension === '' ? name : `${name}.${extension}`;
}

/** Each file once: with merged tracks, the result names the merged file as the edited one, too. */
export function withoutRepeats(files: readonly ResultFile[]): ResultFile[] {
	const urls = files.map(({ url }) => url);
	return files.filter(({ url }, index) => urls.indexOf(url) === index);
}

interface Downloads {
	readonly client: Client;
	readonly wanted: readonly ResultFile[];
	/** What was asked for: the edit is read again for fresh links. */
	readonly kinds: readonly DownloadKind[];
	readonly field: string;
	readonly itemIndex: number;
	readonly editId: string;
	/** What to change of the edited file while it is stored, if anything. */
	readonly altered?: EditedFile;
}

/** Streams the wanted files of one item into n8n's binary store. */
export async function downloadAll(run: NodeRun, downloads: Downloads): Promise<IBinaryKeyData> {
	const { itemIndex, editId, wanted, altered } = downloads;
	const binary: IBinaryKeyData = {};
	for (const file of wanted) {
		const errorContext = { itemIndex, doing: `download ${file.what}`, editId };
		const asked = { ...file, ...errorContext, ...(file.kind === 'edited' && { altered }) };
		const stored = await downloadWithFreshLink(run, downloads, asked);
		binary[file.field] = valueOrThrow(stored, run.node, errorContext);
	}
	return binary;
}

/** Downloads a file, and again from a fresh link if its link has expired or the content is not whole. */
async function downloadWithFreshLink(
	run: NodeRun,
	{ client, editId, kinds, field }: Downloads,
	file: ResultFile & FileToFetch,
): Promise<Result<IBinaryData>> {
	// A connection does not break twice after the same byte. A file that twice lacks the same few bytes is
	// whole: the host sent it encoded, n8n's client decoded it, and only the encoded size is known.
	const asked = { ...file, shortLengths: new Set<number>() };
	const first = await fetchFile(run, client, asked);
	if (first.ok || !freshLinkMayHelp(first.failure)) return first;
	const edit = await client.getEdit(editId);
	if (!edit.ok) return edit.failure.kind === 'stopped' ? edit : first;
	const fresh = freshLinkTo(file, wantedDownloads(edit.value, kinds, field));
	if (fresh === undefined) return first;
	const second = await fetchFile(run, client, { ...asked, url: fresh.url });
	if (second.ok || !isExpired(second.failure)) return second;
	return failed({ ...second.failure, isFreshLink: true });
}

/** A file among those of the edit as it is read again: their order may be another one then. */
function freshLinkTo(file: ResultFile, all: readonly ResultFile[]): ResultFile | undefined {
	const own = all.filter(({ kind }) => kind === file.kind);
	if (own.length === 1) return own[0];
	const same = own.filter(({ url }) => withoutSecrets(url) === withoutSecrets(file.url));
	return same.length === 1 ? same[0] : same.find(({ field }) => field === file.field);
}

function isExpired({ kind, status = 0 }: RequestFailure): boolean {
	return kind === 'status' && EXPIRED_LINK_STATUSES.has(status);
}

function freshLinkMayHelp(failure: RequestFailure): boolean {
	const isIncomplete = ['broken', 'timeout', 'unreadable'].includes(failure.kind);
	return failure.target === 'link' && (isExpired(failure) || isIncomplete);
}

const MERGED =
	"To get it, switch on 'Merge Tracks' when you create the edit, or 'Audio for Edit List' for a video.";
const MARKERS = "To get them, switch on 'Export Timestamps' when you create the edit.";

/** What the form calls a kind of file, and how to make the service deliver it. */
export const DELIVERED_FOR = [
	{ kind: 'merged', title: 'Merged Audio', how: MERGED, keys: ['merge', 'audio_for_edl'] },
	{ kind: 'markers', title: 'Markers', how: MARKERS, keys: ['export_timestamps'] },
] as const;

/**
 * Refuses an edit without its result, which a Delete after this node would delete permanently. Adds a
 * hint for other chosen files that the result does not have, or of which it has too many.
 *
 * @throws NodeOperationError where there is no result, or no edited file though it was chosen
 */
export function assertResultFiles(
	run: NodeRun,
	edit: Edit,
	{ editId, itemIndex }: Pick<Downloads, 'editId' | 'itemIndex'>,
	kinds: readonly DownloadKind[],
): void {
	const { result } = edit;
	const links = linkLists(edit);
	const refusal = (missing: string, description: string) => {
		const message = `The edit has no ${missing}${ofEdit(editId)} [item ${itemIndex}]`;
		return operationError(run.node, message, { itemIndex, description });
	};
	if (kinds.includes('edited') && links.edited.length === 0) {
		throw refusal(
			'edited file to download',
			"The service reports SUCCESS without a download link. Fetch it again in a minute, or remove 'Edited File' from 'Download' to get the rest.",
		);
	}
	if (result === undefined) {
		throw refusal(
			'result yet',
			'The service reports SUCCESS without a result. Fetch it again in a minute, and do not delete the edit until then.',
		);
	}
	for (const { kind, title, how } of DELIVERED_FOR.filter(({ kind }) => kinds.includes(kind))) {
		const { length } = links[kind];
		if (length === 0) {
			run.hints.add(`${title} left out, because the result has none. ${how}`, `edit ${editId}`);
		} else if (length > MAX_FILES_OF_A_KIND) {
			const message = `the result has ${length} files for '${title}', and only the first ${MAX_FILES_OF_A_KIND} are fetched. With 'Simplify' off, the output contains the links to all of them.`;
			run.hints.add(message, `edit ${editId}`);
		}
	}
}
