import { isRecord } from './failure';

const MEGABYTE = 1_048_576;

/** For an edit, and for a list of edits: a transcript of twenty hours has about 10 MB. */
export const EDIT_BYTES_MAXIMUM = 16 * MEGABYTE;

/** For every other response of the service: it has some kilobytes. */
export const ANSWER_BYTES_MAXIMUM = MEGABYTE;

/** For what a file's host says beside its status. */
export const LINK_ANSWER_BYTES_MAXIMUM = 16_384;

/** What has arrived of a streamed body. */
interface Received {
	readonly chunks: readonly Buffer[];
	/** Whether there is more than the limit; the rest was not read. */
	readonly isTooLarge: boolean;
	/** What broke off the reading. */
	readonly error?: unknown;
}

/** A body that is read up to a limit: JSON as its value, anything else as text. */
interface ReadBody {
	/** Undefined if it is too large. */
	readonly body?: unknown;
	readonly isTooLarge: boolean;
}

/**
 * Reads a streamed body of at most this size: n8n's helper would read any size into memory.
 *
 * @throws what broke it off
 */
export async function readBody(body: unknown, maximumBytes: number): Promise<ReadBody> {
	if (!isStream(body)) return { body: parsed(body), isTooLarge: false };
	const { chunks, isTooLarge, error } = await receive(body, maximumBytes);
	if (error !== undefined) throw error;
	return isTooLarge ? { isTooLarge } : { body: parsed(textOf(chunks)), isTooLarge };
}

/** What can be read of a body that may be too large or break off. */
export async function readStart(body: unknown, maximumBytes: number): Promise<unknown> {
	return parsed(isStream(body) ? textOf((await receive(body, maximumBytes)).chunks) : body);
}

async function receive(body: AsyncIterable<Buffer>, maximumBytes: number): Promise<Received> {
	const chunks: Buffer[] = [];
	let sizeBytes = 0;
	try {
		for await (const chunk of body) {
			chunks.push(chunk);
			sizeBytes += chunk.length;
			if (sizeBytes > maximumBytes) return { chunks, isTooLarge: true };
		}
	} catch (error) {
		return { chunks, isTooLarge: false, error };
	}
	return { chunks, isTooLarge: false };
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
	return isRecord(body) && Symbol.asyncIterator in body;
}

function textOf(chunks: readonly Buffer[]): string {
	return Buffer.concat(chunks).toString('utf8');
}

function parsed(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		// A byte order mark is no part of JSON.
		return JSON.parse(body.replace(/^\uFEFF/, '')) as unknown;
	} catch {
		return body;
	}
}
