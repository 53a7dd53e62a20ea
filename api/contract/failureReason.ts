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
	const { result, ...others } = body;
	const text = reasonIn(result, 0) ?? reasonIn(others, 0) ?? reasonInProgress(result);
	const clean = sanitizeText(text ?? '');
	if (clean === '') return undefined;
	const isLong = clean.length > MAX_REASON_CHARACTERS;
	return isLong ? `${clean.slice(0, MAX_REASON_CHARACTERS)}…` : clean;
}

/** States that say no more than the status does. */
const EMPTY_STATES = /^(|failed|failure|error|running|started|processing|pending|done)$/i;

/** A reason where services have the progress of a running edit: its state, or the name of its job if it has words. */
function reasonInProgress(result: unknown): string | undefined {
	if (!isRecord(result)) return undefined;
	const state = reasonIn(result.state, 0);
	if (state !== undefined && !EMPTY_STATES.test(state)) return state;
	const job = reasonIn(result.job_name, 0);
	return job !== undefined && /\s/.test(job) ? job : undefined;
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
