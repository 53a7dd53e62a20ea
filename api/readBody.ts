import { isRecord } from './failure';

const MEGABYTE = 1_048_576;

/** For an edit, and for a list of edits: a transcript of twenty hours has about 10 MB. */
export const EDIT_BYTES_MAXIMUM = 16 * MEGABYTE;

/** For every other response of the service: it has some kilobytes. */
export const ANSWER_BYTES_MAXIMUM = MEGABYTE;

/** For what a file's host says beside its status. */
export const LINK_ANSWER_BYTES_MAXIMUM = 16_384;

/** What was read of a body. */
interface ReadBody {
	/** JSON as its value, anything else as text. */
	readonly body: unknown;
	/** Whether there was more than the limit; the rest was not read. */
	readonly isTooLarge: boolean;
	/** What broke off the reading. */
	readonly error?: unknown;
}

/** Reads a streamed body up to a limit: n8n's helper would read any size into memory. */
export async function readBody(body: unknown, maximumBytes: number): Promise<ReadBody> {
	if (!isRecord(body) || !(Symbol.asyncIterator in body)) {
		return { body: parsed(body), isTooLarge: false };
	}
	const chunks: Buffer[] = [];
	let sizeBytes = 0;
	let error: unknown;
	try {
		for await (const chunk of body as AsyncIterable<Buffer>) {
			chunks.push(chunk);
			sizeBytes += chunk.length;
			if (sizeBytes > maximumBytes) break;
		}
	} catch (thrown) {
		error = thrown;
	}
	const text = Buffer.concat(chunks).toString('utf8');
	return { body: parsed(text), isTooLarge: sizeBytes > maximumBytes, error };
}

/** The same for a body that must not break off. @throws what broke it off */
export async function readWholeBody(
	body: unknown,
	maximumBytes: number,
): Promise<Omit<ReadBody, 'error'>> {
	const { error, ...read } = await readBody(body, maximumBytes);
	if (error !== undefined) throw error;
	return read;
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
