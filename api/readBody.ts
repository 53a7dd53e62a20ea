import { isRecord } from './contract/tolerance';
import { isCutJson, parsed, parsedInPieces } from './jsonText';
import { inPieces } from './pauses';

const MEGABYTE = 1_048_576;

/** For an edit, and for a list of edits: a transcript of twenty hours has about 10 MB. */
export const MAX_EDIT_BYTES = 16 * MEGABYTE;

/** For every other response of the service: it has some kilobytes. */
export const MAX_ANSWER_BYTES = MEGABYTE;

/** For what a file's host says beside its status. */
export const MAX_LINK_ANSWER_BYTES = 16_384;

/** More than any response has. A value takes far more memory than its text: `{}` 50 bytes. */
const MAX_VALUES = 2_000_000;

const [COMMA, BRACKET, BRACE] = [...',[{'].map((character) => character.charCodeAt(0));

/** A body that is read up to a limit: JSON as its value, anything else as text. */
interface ReadBody {
	/** Undefined if there is too much of it. */
	readonly body?: unknown;
	/** What there is too much of, such as 'more than 16 MB'. */
	readonly tooMuch?: string;
}

/**
 * Reads a streamed body of at most this size: n8n's helper would read any size into memory.
 *
 * @param keepsStart whether what arrived of a JSON text that breaks off is returned
 * @throws what broke it off
 */
export async function readBody(
	body: unknown,
	maxBytes: number,
	keepsStart = () => false,
): Promise<ReadBody> {
	if (!isStream(body)) return { body: parsed(body) };
	const { bytes, isTooLarge, error } = await receive(body, maxBytes);
	if (isTooLarge) return { tooMuch: `more than ${maxBytes / MEGABYTE} MB` };
	const text = bytes.toString();
	if (error !== undefined && !(keepsStart() && isCutJson(text))) throw error;
	if (await hasManyValues(text)) {
		return { tooMuch: `more than ${MAX_VALUES / 1e6} million values` };
	}
	return { body: await parsedInPieces(text) };
}

/** Characters that are searched for values at once. */
const PIECE_CHARACTERS = 100_000;

/** Counts the values of a JSON text by the characters before them; those inside strings are few. */
async function hasManyValues(text: string): Promise<boolean> {
	if (text.length <= MAX_VALUES) return false;
	let values = 0;
	const count = (piece: number) => {
		const end = Math.min((piece + 1) * PIECE_CHARACTERS, text.length);
		for (let at = piece * PIECE_CHARACTERS; at < end; at++) {
			const code = text.charCodeAt(at);
			if (code === COMMA || code === BRACKET || code === BRACE) values += 1;
		}
	};
	await inPieces(Math.ceil(text.length / PIECE_CHARACTERS), count, 1);
	return values > MAX_VALUES;
}

/** What can be read of a body that may be too large or break off. */
export async function readStart(body: unknown, maxBytes: number): Promise<unknown> {
	return parsed(isStream(body) ? (await receive(body, maxBytes)).bytes.toString() : body);
}

/** What has arrived of a streamed body: up to the limit, or to the error that broke it off. */
async function receive(body: AsyncIterable<Buffer>, maxBytes: number) {
	// The first chunk, all of most responses, and then one buffer that grows: a million chunks of a byte would
	// take more than their bytes.
	let bytes: Buffer | undefined;
	let sizeBytes = 0;
	let isTooLarge = false;
	let error: unknown;
	try {
		for await (const chunk of body) {
			const neededBytes = sizeBytes + chunk.length;
			isTooLarge = neededBytes > maxBytes;
			if (isTooLarge) break;
			if (bytes === undefined) bytes = chunk;
			else {
				if (neededBytes > bytes.length) {
					bytes = Buffer.concat([bytes], Math.min(2 * neededBytes, maxBytes));
				}
				chunk.copy(bytes, sizeBytes);
			}
			sizeBytes = neededBytes;
		}
	} catch (thrown) {
		error = thrown;
	}
	return { bytes: bytes?.subarray(0, sizeBytes) ?? Buffer.alloc(0), isTooLarge, error };
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
	return isRecord(body) && Symbol.asyncIterator in body;
}
