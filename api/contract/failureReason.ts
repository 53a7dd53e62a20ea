import { sanitizeText } from '../sanitizeText';
import { isRecord } from './tolerance';

/** The keys under which services say why an edit failed, the clearest ones first. */
const REASON_KEYS = ['message', 'error', 'detail'] as const;

/** A reason is part of errors, outputs and the log. */
const MAX_REASON_CHARACTERS = 300;

/** Entries of a `detail` list that are quoted. */
const MAX_ENTRIES = 3;

/** Levels such as `error.message`; deeper ones are ignored. */
const MAX_DEPTH = 3;

/**
 * Returns why the service ended an edit with FAILURE, in one line of at most 300 characters, without the
 * queries of links. Undefined where it says nothing: api.md#errors shows no reason.
 *
 * @param body the body of GET /v2/edits/{edit_id}; `result` may contain the reason, or be the reason itself
 */
export function failureReasonIn(body: Readonly<Record<string, unknown>>): string | undefined {
	const text = reasonIn(body.result, 0) ?? reasonIn({ ...body, result: undefined }, 0);
	const clean = sanitizeText(text ?? '');
	if (clean === '') return undefined;
	const isLong = clean.length > MAX_REASON_CHARACTERS;
	return isLong ? `${clean.slice(0, MAX_REASON_CHARACTERS)}…` : clean;
}

/** A text, the texts of a list, or those of an object's known keys, with its `code` in front. */
function reasonIn(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string') return value.trim() || undefined;
	if (depth >= MAX_DEPTH) return undefined;
	if (Array.isArray(value)) {
		const texts = value.slice(0, MAX_ENTRIES).map((entry) => reasonIn(entry, depth + 1));
		return texts.filter(Boolean).join('; ') || undefined;
	}
	if (!isRecord(value)) return undefined;
	const texts = [...REASON_KEYS, 'msg'].map((key) => reasonIn(value[key], depth + 1));
	const text = texts.find((one) => one !== undefined);
	const { code } = value;
	const isCode = (typeof code === 'string' && code.trim() !== '') || typeof code === 'number';
	if (!isCode) return text;
	return text === undefined ? `code ${code}` : `${code}: ${text}`;
}
