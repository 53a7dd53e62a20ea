import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { type Edit, isWebUrl } from '../../api/contract';
import { type Result, type RequestFailure, failed } from '../../api/failure';
import { isResumeUrl } from '../../formats/resumeUrl';
import { extensionOf, nameInUrl } from '../shared/fileNames';
import { valueOrThrow } from '../shared/errors';
import type { AlterContent } from './contentHead';
import { type FileToFetch, fetchFile } from './fetchFile';

/** The kinds of files of a result, in the order of fetching. */
export const DOWNLOAD_KINDS = ['edited', 'merged', 'markers'] as const;

export type DownloadKind = (typeof DOWNLOAD_KINDS)[number];

/** The statuses with which storages refuse a signed link that is no longer valid. */
const EXPIRED_LINK_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** A file of a result, and the output field it goes into. */
export interface ResultFile extends Pick<FileToFetch, 'url' | 'fileName' | 'isMedia'> {
	readonly kind: DownloadKind;
	readonly field: string;
	/** What an error calls the file. */
	readonly what: string;
}

/**
 * The files that a result has of the chosen kinds. If the service delivered the edited file to an
 * execution, the result has no link to it.
 */
export function wantedDownloads(
	{ result }: Edit,
	kinds: readonly DownloadKind[],
	field: string,
): ResultFile[] {
	const links: Record<DownloadKind, readonly string[]> = {
		edited: [result?.download_url ?? ''].filter((url) => url !== '' && !isResumeUrl(url)),
		merged: result?.merged_audio_url ?? [],
		markers: result?.timestamps_markers_urls ?? [],
	};
	const names = result?.timestamps_markers_names ?? {};
	return kinds.flatMap((kind) =>
		links[kind].map((url, index) => ({
			kind,
			url,
			field: kind === 'edited' ? field : `${field}_${kind}_${index + 1}`,
			fileName: kind === 'edited' ? result?.filename : markerName(url, names[url]),
			isMedia: kind !== 'markers',
			what: kind === 'edited' ? 'the edited file' : `the ${kind} file`,
		})),
	);
}

/** The name that the service gives a file of markers, with the extension from its link if it has none. */
function markerName(url: string, name: string | undefined): string | undefined {
	if (name === undefined || extensionOf(name) !== '' || !isWebUrl(url)) return name;
	const extension = extensionOf(nameInUrl(url));
	return extension === '' ? name : `${name}.${extension}`;
}

/** Each file once: with merged tracks, the result names the merged file as the edited one, too. */
export function withoutRepeats(files: readonly ResultFile[]): ResultFile[] {
	const addresses = files.map(({ url }) => withoutQuery(url));
	return files.filter((_file, index) => addresses.indexOf(addresses[index]) === index);
}

/** The address without its query, which may hold another signature; whole where the query names the file. */
function withoutQuery(url: string): string {
	if (!isWebUrl(url) || extensionOf(nameInUrl(url)) === '') return url;
	const { origin, pathname } = new URL(url);
	return `${origin}${pathname}`;
}

interface Downloads {
	readonly client: Client;
	readonly wanted: readonly ResultFile[];
	/** Reads the edit again, which has fresh links then. */
	readonly readLinks: () => Promise<Result<ResultFile[]>>;
	readonly itemIndex: number;
	readonly editId: string;
	/** Changes the edited file while it is stored. */
	readonly alter?: AlterContent;
}

/** Streams the wanted files of one item into n8n's binary store. */
export async function downloadAll(
	context: IExecuteFunctions,
	downloads: Downloads,
): Promise<IBinaryKeyData> {
	const { itemIndex, editId, wanted, alter } = downloads;
	const binary: IBinaryKeyData = {};
	for (const file of wanted) {
		const errorContext = { itemIndex, doing: `download ${file.what} of edit ${editId}` };
		const asked = { ...file, ...errorContext, ...(file.kind === 'edited' && { alter }) };
		const stored = await downloadWithFreshLink(context, downloads, asked);
		binary[file.field] = valueOrThrow(stored, context.getNode(), errorContext);
	}
	return binary;
}

/** Downloads a file, and again from a fresh link if its link has expired or the content is not whole. */
async function downloadWithFreshLink(
	context: IExecuteFunctions,
	{ client, readLinks }: Downloads,
	file: ResultFile & FileToFetch,
): Promise<Result<IBinaryData>> {
	const first = await fetchFile(context, client, file);
	if (first.ok || !freshLinkMayHelp(first.failure)) return first;
	const links = await readLinks();
	if (!links.ok) return links.failure.kind === 'stopped' ? links : first;
	const fresh = links.value.find(({ field }) => field === file.field);
	if (fresh === undefined) return first;
	const second = await fetchFile(context, client, { ...file, url: fresh.url });
	if (second.ok || !isExpired(second.failure)) return second;
	return failed({ ...second.failure, isFreshLink: true });
}

function isExpired({ kind, status = 0 }: RequestFailure): boolean {
	return kind === 'status' && EXPIRED_LINK_STATUSES.has(status);
}

function freshLinkMayHelp(failure: RequestFailure): boolean {
	const isIncomplete = ['broken', 'timeout', 'unreadable'].includes(failure.kind);
	return failure.target === 'link' && (isExpired(failure) || isIncomplete);
}
