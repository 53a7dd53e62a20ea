import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { type Edit, isWebUrl } from '../../api/contract';
import { type Result, type RequestFailure, failed } from '../../api/failure';
import { isResumeUrl } from '../../formats/resumeUrl';
import { extensionOf, nameInUrl } from '../shared/fileNames';
import { valueOrThrow } from '../shared/errors';
import { type FileToFetch, fetchFile } from './fetchFile';

/** The files of a result that can be fetched, in the order of fetching. */
export const DOWNLOAD_KINDS = ['edited', 'merged', 'markers'] as const;

/** One of them. */
export type DownloadKind = (typeof DOWNLOAD_KINDS)[number];

/** What storages answer when a signed link is not valid any more. */
const EXPIRED_LINK_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** A file to fetch, and the binary field it goes into. */
export interface Wanted {
	readonly kind: DownloadKind;
	readonly field: string;
	readonly url: string;
	/** Used where the answer does not name the file. */
	readonly fileName?: string;
	readonly isMedia: boolean;
	readonly what: string;
}

/**
 * The links of the wanted files. The address of an execution, to which the service delivered the edited
 * file, is no link to it. A kind that the result does not have is left out; the caller decides
 * whether that is an error.
 */
export function wantedDownloads(
	{ result }: Edit,
	kinds: readonly DownloadKind[],
	field: string,
): Wanted[] {
	const edited = [result?.download_url ?? ''].filter((url) => url !== '' && !isResumeUrl(url));
	const links: Record<DownloadKind, readonly string[]> = {
		edited,
		merged: result?.merged_audio_url ?? [],
		markers: result?.timestamps_markers_urls ?? [],
	};
	return kinds.flatMap((kind) =>
		links[kind].map((url, index) => ({
			kind,
			url,
			field: kind === 'edited' ? field : `${field}_${kind}_${index + 1}`,
			fileName: kind === 'edited' ? result?.filename : undefined,
			isMedia: kind !== 'markers',
			what: kind === 'edited' ? 'the edited file' : `the ${kind} file`,
		})),
	);
}

/** From this version of the node on, a file that the result names twice is fetched once. */
const NO_REPEATS_VERSION = 2;

/** With tracks that were merged, the edited file is the merged one: under two names, but the same. */
export function withoutRepeats(context: IExecuteFunctions, wanted: readonly Wanted[]): Wanted[] {
	if (context.getNode().typeVersion < NO_REPEATS_VERSION) return [...wanted];
	const places = wanted.map(({ url }) => placeOf(url));
	return wanted.filter((_file, index) => places.indexOf(places[index]) === index);
}

/** Two signatures of one file differ; where a query may name the file, all of it counts. */
function placeOf(url: string): string {
	if (!isWebUrl(url) || extensionOf(nameInUrl(url)) === '') return url;
	const { origin, pathname } = new URL(url);
	return `${origin}${pathname}`;
}

/** What downloading the files of one item needs. */
export interface DownloadTask {
	readonly client: Client;
	readonly wanted: readonly Wanted[];
	/** Asks the service once for the edit, whose answer carries fresh links. */
	readLinks(): Promise<Result<Wanted[]>>;
	readonly itemIndex: number;
	readonly editId: string;
}

/** Streams the wanted files into n8n's binary store. */
export async function downloadAll(
	context: IExecuteFunctions,
	task: DownloadTask,
): Promise<IBinaryKeyData> {
	const { itemIndex, editId, wanted } = task;
	const binary: IBinaryKeyData = {};
	for (const file of wanted) {
		const told = { itemIndex, doing: `download ${file.what} of edit ${editId}` };
		const stored = await downloadWithFreshLink(context, task, { ...file, ...told });
		binary[file.field] = valueOrThrow(stored, context.getNode(), told);
	}
	return binary;
}

/** Downloads a file; if its link has expired or the content is not whole, once more from a fresh link. */
async function downloadWithFreshLink(
	context: IExecuteFunctions,
	{ client, readLinks }: DownloadTask,
	file: Wanted & FileToFetch,
): Promise<Result<IBinaryData>> {
	const first = await fetchFile(context, client, file);
	if (first.ok || !mayHelpFreshLink(first.failure)) return first;
	const links = await readLinks();
	if (!links.ok) return links.failure.kind === 'stopped' ? links : first;
	const fresh = links.value.find(({ field }) => field === file.field);
	if (fresh === undefined) return first;
	const second = await fetchFile(context, client, { ...file, url: fresh.url });
	return second.ok || !isExpired(second.failure)
		? second
		: failed({ ...second.failure, isFreshLink: true });
}

function isExpired({ kind, status = 0 }: RequestFailure): boolean {
	return kind === 'status' && EXPIRED_LINK_STATUSES.has(status);
}

function mayHelpFreshLink(failure: RequestFailure): boolean {
	const { kind, target } = failure;
	if (target !== 'link') return false;
	return isExpired(failure) || kind === 'broken' || kind === 'timeout' || kind === 'unreadable';
}
