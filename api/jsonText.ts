import { messageOf } from './failure';

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
function parse(body: string): Parsed {
	// A byte order mark is no part of JSON.
	const text = body.replace(/^\uFEFF/, '');
	try {
		return { ok: true, value: JSON.parse(text) as unknown };
	} catch {
		// Looked for only now: a transcript of ten hours is long, and nearly every response is JSON.
	}
	const asJson = text.replace(STRING_OR_FOREIGN_NUMBER, (found) =>
		found.startsWith('"') ? found : 'null',
	);
	try {
		return { ok: true, value: JSON.parse(asJson) as unknown };
	} catch (error) {
		return { ok: false, reason: messageOf(error) };
	}
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
