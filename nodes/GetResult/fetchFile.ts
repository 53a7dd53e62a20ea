import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { operationError } from '../shared/errors';
import {
	type RequestTarget,
	type Result,
	codeOf,
	failed,
	networkFailure,
	success,
} from '../../api/failure';
import { systemTime } from '../../api/time';
import { downloadTimeoutMs } from '../../api/timeLimits';
import type { Download } from '../../api/transport';
import { nameInUrl, safeFileName } from '../shared/fileNames';
import { isPageType } from '../shared/mediaTypes';
import { nameInDisposition } from './dispositionName';

/** Node.js's codes for a disk that does not take a file; the network has no part in these. */
const DISK_CODES: ReadonlySet<string> = new Set([
	'EACCES',
	'EDQUOT',
	'EFBIG',
	'EIO',
	'EMFILE',
	'ENOSPC',
	'EROFS',
]);

/** A link, the name its file shall have, and what is said when n8n cannot store it. */
export interface FileToFetch {
	readonly url: string;
	/** Where it is missing or empty, the answer names the file. */
	readonly fileName?: string;
	/** Whether it must be audio or video: a web page in its place is refused. */
	readonly isMedia: boolean;
	readonly itemIndex: number;
	readonly doing: string;
}

/**
 * Opens a link and streams its content into n8n's binary store: one step, since most of what can
 * happen to a download happens after it was opened. The content has a time limit of its own, which
 * grows with its size.
 */
export async function fetchFile(
	context: IExecuteFunctions,
	client: Client,
	{ url, fileName, isMedia, itemIndex, doing }: FileToFetch,
): Promise<Result<IBinaryData>> {
	const opened = await client.openDownload(url);
	if (!opened.ok) return opened;
	const { content, headers, close } = opened.value;
	const target: RequestTarget = {
		request: 'GET of the file',
		origin: new URL(url).origin,
		target: 'link',
	};
	const signal = context.getExecutionCancelSignal();
	const type = mediaType(headers);
	if (isMedia && isPageType(type)) {
		close();
		return failed({ ...target, kind: 'unreadable', said: `it is ${type}` });
	}
	const limit = limitTransfer(contentLength(headers), signal);
	try {
		const name = safeFileName(fileName || nameFrom(headers, url), 'edited');
		const storing = context.helpers.prepareBinaryData(content, name, type);
		// n8n may go on waiting for a stalled connection even when its stream was destroyed.
		const stored = await Promise.race([storing, limit.passed]);
		const said = await missingPart(context, stored, opened.value, isMedia);
		return said === undefined ? success(stored) : failed({ ...target, kind: 'broken', said });
	} catch (error) {
		if (DISK_CODES.has(codeOf(error))) {
			throw operationError(
				context.getNode(),
				`Could not ${doing}: n8n could not store it (${codeOf(error)}) [item ${itemIndex}]`,
				{ itemIndex, description: 'Make room where n8n keeps its binary data, then run it again.' },
			);
		}
		return failed(networkFailure(target, error, signal));
	} finally {
		limit.end();
		// What was not read to its end would keep the connection open.
		close();
	}
}

/** A watch over a transfer: it rejects when the time is up or the execution is stopped. */
function limitTransfer(sizeBytes: number | undefined, signal: AbortSignal | undefined) {
	const watch = new AbortController();
	const end = () => watch.abort();
	signal?.addEventListener('abort', end);
	if (signal?.aborted) end();
	let isOver = false;
	const passed = new Promise<never>((_resolve, reject) => {
		void systemTime.sleep(downloadTimeoutMs(sizeBytes), watch.signal).then(() => {
			signal?.removeEventListener('abort', end);
			const code = signal?.aborted ? 'ERR_CANCELED' : 'ETIMEDOUT';
			if (!isOver) reject(Object.assign(new Error('The transfer was ended'), { code }));
		});
	});
	return {
		passed,
		end: () => {
			isOver = true;
			end();
		},
	};
}

/** What to say when less was stored than was promised; undefined where nothing is known to be missing. */
async function missingPart(
	context: IExecuteFunctions,
	{ bytes, id }: IBinaryData,
	{ headers }: Download,
	isMedia: boolean,
): Promise<string | undefined> {
	const promised = contentLength(headers);
	// Older hosts do not count the bytes of the binary they give back.
	const stored = bytes ?? (id && (await context.helpers.getBinaryMetadata(id)).fileSize);
	if (typeof stored !== 'number') return undefined;
	if (promised !== undefined && stored < promised) return `${stored} of ${promised} bytes came`;
	// A list of markers may be empty, a recording never is.
	return isMedia && stored === 0 ? 'an empty file came' : undefined;
}

function contentLength(headers: IDataObject): number | undefined {
	const text = headers['content-length'];
	const sizeBytes = typeof text === 'string' && text !== '' ? Number(text) : NaN;
	return Number.isFinite(sizeBytes) ? sizeBytes : undefined;
}

/** The name in Content-Disposition, else the last part of the link's path. */
function nameFrom(headers: IDataObject, url: string): string {
	return nameInDisposition(String(headers['content-disposition'] ?? '')) ?? nameInUrl(url);
}

function mediaType(headers: IDataObject): string {
	const [type] = String(headers['content-type'] ?? '').split(';');
	return type.trim() || 'application/octet-stream';
}
