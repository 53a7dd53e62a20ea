import { messageOf } from './failure';
import { Pauses } from './pauses';

/** Strings, which stay as they are, and the numbers of JavaScript that JSON does not know. */
const STRING_OR_FOREIGN_NUMBER = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|-?\b(?:NaN|Infinity)\b/g;

/** Strings and brackets: what tells whether a JSON text is whole. An open string reaches to its end. */
const STRING_OR_BRACKET = /"(?:[^"\\]|\\[^])*("|\\?$)|[{[]|[}\]]/g;

/** The value of a JSON text; anything else as it is. */
export function parsed(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	const read = parse(body);
	return read.ok ? read.value : body;
}

/** Shorter texts are parsed within a few milliseconds. */
const MAX_CHARACTERS_AT_ONCE = 500_000;

/** The same for a text of any length: with pauses, so that nothing takes longer than JSON.parse alone. */
export async function parsedInPieces(text: string): Promise<unknown> {
	if (text.length <= MAX_CHARACTERS_AT_ONCE) return parsed(text);
	const pauses = new Pauses();
	await pauses.pause();
	let read = parseStrictly(text);
	await pauses.pause();
	if (read.ok) return read.value;
	const replacing = withoutForeignNumbers(text);
	let step = replacing.next();
	for (; !step.done; step = replacing.next()) await pauses.mayPause();
	await pauses.pause();
	read = parseStrictly(step.value);
	await pauses.pause();
	return read.ok ? read.value : text;
}

/**
 * Returns what keeps a text that begins like JSON from being read: it was cut on the way, or it is not
 * JSON, with the reason of the parser, which may quote the text. Undefined for every other text.
 */
export function jsonFault(
	text: string,
): { isCut: true } | { isCut: false; reason: string } | undefined {
	if (!/^\s*[{[]/.test(text)) return undefined;
	const read = parse(text);
	if (read.ok) return undefined;
	return isCut(text) ? { isCut: true } : { isCut: false, reason: read.reason };
}

/** Whether a body begins like JSON, but was cut on the way. */
export function isCutJson(text: string): boolean {
	return jsonFault(text)?.isCut === true;
}

type Parsed =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly reason: string };

/** Parses JSON. Python's json writes NaN and Infinity where it has no number: they count as null. */
function parse(text: string): Parsed {
	const read = parseStrictly(text);
	if (read.ok) return read;
	// Looked for only now: a transcript of ten hours is long, and nearly every response is JSON.
	const replacing = withoutForeignNumbers(text);
	let step = replacing.next();
	while (!step.done) step = replacing.next();
	return parseStrictly(step.value);
}

function parseStrictly(body: string): Parsed {
	try {
		// A byte order mark is no part of JSON.
		return { ok: true, value: JSON.parse(body.replace(/^\uFEFF/, '')) as unknown };
	} catch (error) {
		return { ok: false, reason: messageOf(error) };
	}
}

/** Strings between two steps of the search for numbers that JSON does not know. */
const STRINGS_A_STEP = 1_000;

/** Returns the text with null for each number that JSON does not know, in steps. */
function* withoutForeignNumbers(text: string): Generator<undefined, string> {
	const parts: string[] = [];
	let keptUntil = 0;
	let found = 0;
	for (const { 0: match, index } of text.matchAll(STRING_OR_FOREIGN_NUMBER)) {
		if (!match.startsWith('"')) {
			parts.push(text.slice(keptUntil, index), 'null');
			keptUntil = index + match.length;
		}
		found += 1;
		if (found % STRINGS_A_STEP === 0) yield;
	}
	parts.push(text.slice(keptUntil));
	return parts.join('');
}

/** Whether a string or a bracket is still open at the end. */
function isCut(text: string): boolean {
	let depth = 0;
	for (const [found, ending] of text.matchAll(STRING_OR_BRACKET)) {
		if (found.startsWith('"')) {
			if (ending !== '"') return true;
		} else depth += '{['.includes(found) ? 1 : -1;
	}
	return depth > 0;
}
