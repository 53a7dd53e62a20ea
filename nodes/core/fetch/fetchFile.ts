import type { IBinaryData } from 'n8n-workflow';

import type { Client } from '../../../api/client';
import { ofEdit, operationError } from '../errors/errors';
import { type RequestTarget, type Result, failed, success } from '../../../api/failure';
import { codeOf, networkFailure } from '../../../api/networkFailure';
import { decodedName, isPageType, nameInUrl, safeFileName, saysNothing } from '../files/mediaTypes';
import { HEAD_BYTES, fileType } from '../files/fileType';
import { takeHead } from '../files/takeHead';
import { withHead } from './content';
import type { EditedFile } from './editedFile';
import { inTime } from './inTime';
import type { ByteStream } from '../../../api/fileBody';
import type { Download } from '../../../api/transport';
import type { NodeRun } from '../run/nodeRun';

/** Node.js's error codes for a file that the disk does not take; the network never causes them. */
const DISK_CODES: ReadonlySet<string> = new Set(
	'EACCES EDQUOT EFBIG EIO EMFILE ENOSPC EROFS'.split(' '),
);

const EMPTY = 'the file is empty';

/** A link, and what is known of its file. */
export interface FileToFetch extends FileToStore {
	readonly url: string;
}

/** The name for a file, and what an error says about it. */
interface FileToStore {
	/** Names the file if nothing else does. */
	readonly url?: string;
	/** If it is missing or empty, the response names the file. */
	readonly fileName?: string;
	/** Whether it must be audio or video: a web page instead is refused. */
	readonly isMedia: boolean;
	/** What to change of the content before it is stored, if anything. */
	readonly altered?: EditedFile;
	/** The lengths at which the content ended too early in other tries; a new one is added. */
	readonly shortLengths?: Set<number>;
	readonly itemIndex: number;
	readonly doing: string;
	readonly editId: string;
}

/**
 * Downloads a link into n8n's binary store. The content has its own time limit, which grows with its size.
 */
export async function fetchFile(
	run: NodeRun,
	client: Client,
	file: FileToFetch,
): Promise<Result<IBinaryData>> {
	const opened = await client.openDownload(file.url);
	if (!opened.ok) return opened;
	const { origin } = new URL(file.url);
	const target: RequestTarget = { request: 'GET of the file', origin, target: 'link' };
	return await storeDownload(run, opened.value, file, target);
}

/** Streams a download into n8n's binary store. It has its own time limit, which grows with its size. */
export async function storeDownload(
	run: NodeRun,
	{ content, headers, close }: Download,
	file: FileToStore,
	target: RequestTarget,
): Promise<Result<IBinaryData>> {
	const { url = '', fileName, isMedia, altered, itemIndex, doing } = file;
	const signal = run.stop;
	const [type] = String(headers['content-type'] ?? '').split(';');
	const stated = type.trim();
	if (isMedia && isPageType(stated)) {
		close();
		return failed({ ...target, kind: 'unreadable', said: `it is ${stated}` });
	}
	try {
		const disposition = nameInDisposition(String(headers['content-disposition'] ?? ''));
		const name = safeFileName(fileName || (disposition ?? nameInUrl(url)), 'edited');
		const length = Number(headers['content-length'] || NaN);
		const sizeBytes = Number.isFinite(length) ? length : undefined;
		const store = async () => {
			const typed = await typedContent(content, stated, name);
			const made = await altered?.alter(typed.content, sizeBytes);
			const { helpers } = run.context;
			const whole = made?.content ?? typed.content;
			const stored = await helpers.prepareBinaryData(whole, name, typed.type);
			return { stored, addedBytes: made?.addedBytes() ?? 0 };
		};
		// n8n may go on waiting for a stalled connection even when its stream was destroyed.
		const { stored, addedBytes } = await inTime(store(), sizeBytes, signal);
		const said = await missingPart(run, stored, { ...file, sizeBytes, addedBytes });
		if (said === undefined) return success(stored);
		return failed({ ...target, kind: said === EMPTY ? 'unreadable' : 'broken', said });
	} catch (error) {
		if (DISK_CODES.has(codeOf(error))) {
			const message = `Could not ${doing}: n8n could not store the file${ofEdit(file.editId)} [item ${itemIndex}]`;
			const description = `Reason: ${codeOf(error)}. Free disk space where n8n stores files, then fetch the file again.`;
			throw operationError(run.node, message, { itemIndex, description });
		}
		return failed(networkFailure(target, error, signal));
	} finally {
		// What was not read to its end would keep the connection open.
		close();
	}
}

/** Content with its media type; without a type, n8n guesses it from the name. */
async function typedContent(content: ByteStream, stated: string, name: string) {
	if (!saysNothing(stated)) return { content, type: stated };
	const head = await takeHead(content, HEAD_BYTES);
	return {
		content: withHead(content, head),
		type: fileType(stated, head.subarray(0, HEAD_BYTES), name),
	};
}

/** What is missing of a stored file; undefined where nothing is known to be missing. */
async function missingPart(
	run: NodeRun,
	{ bytes, id }: IBinaryData,
	received: FileToStore & { readonly sizeBytes?: number; readonly addedBytes: number },
): Promise<string | undefined> {
	// Older versions of n8n return a binary without its number of bytes.
	const stored = bytes ?? (id && (await run.context.helpers.getBinaryMetadata(id)).fileSize);
	if (typeof stored !== 'number') return undefined;
	const { sizeBytes = 0, addedBytes, isMedia, shortLengths = new Set() } = received;
	const receivedBytes = stored - addedBytes;
	// What gzip or brotli can have added to a file of this size that they cannot compress.
	const addedAtMost = 64 + sizeBytes / 1_000;
	const isEncoded = shortLengths.has(receivedBytes) && sizeBytes - receivedBytes <= addedAtMost;
	if (receivedBytes < sizeBytes && !isEncoded) {
		shortLengths.add(receivedBytes);
		return `only ${receivedBytes} of ${sizeBytes} bytes arrived`;
	}
	// A list of markers may be empty, a recording never is.
	return isMedia && receivedBytes === 0 ? EMPTY : undefined;
}

/** A parameter of a header: its name, and its value with or without quotes. */
const PARAMETER = /(?:^|;)\s*([\w-]+\*?)\s*=\s*("(?:\\.|[^"\\])*"|[^;]*)/g;

/** The file's name in a Content-Disposition header (RFC 6266); undefined where there is none. */
export function nameInDisposition(header: string): string | undefined {
	const parameters = new Map<string, string>();
	for (const [, name, value] of asUtf8(header).matchAll(PARAMETER)) {
		parameters.set(name.toLowerCase(), unquoted(value.trim()));
	}
	const extended = parameters.get('filename*');
	const plain = parameters.get('filename');
	return (extended && decodedExtended(extended)) || (plain && decodedName(plain)) || undefined;
}

/** Node.js reads headers as Latin-1; many servers write UTF-8 into them. */
function asUtf8(header: string): string {
	if (/[^\p{ASCII}\u0080-\u00ff]/u.test(header)) return header;
	const text = Buffer.from(header, 'latin1').toString('utf8');
	return text.includes('\ufffd') ? header : text;
}

function unquoted(value: string): string {
	return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/** The text of a value in the form of RFC 8187: `charset'language'percent-encoded`. */
function decodedExtended(value: string): string {
	const [, charset = '', encoded = value] = /^([\w-]*)'[\w-]*'(.*)$/.exec(value) ?? [];
	if (charset.toLowerCase() !== 'iso-8859-1') return decodedName(encoded);
	return encoded.replace(/%([0-9a-f]{2})/gi, (_code, hex: string) =>
		String.fromCharCode(parseInt(hex, 16)),
	);
}
