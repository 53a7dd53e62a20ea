import { z } from 'zod';

import { sanitizeText } from '../sanitizeText';
import { editResultSchema } from './editResult';
import { isKnownStatus } from './statuses';
import { isNothing, isRecord, objectOrNothing } from './tolerance';

/** The names under which a creation's answer may carry the id; the spec shows it for one endpoint only. */
const CREATION_ID_KEYS = ['id', 'task_id', 'edit_id'] as const;

/** What is called an id anywhere in a body: the edit's may be there, after the part that is quoted. */
const ID_IN_JSON = /"\w*id"\s*:\s*"?([\w.-]{1,100})/gi;

/** An id as text; undefined for what cannot be one, such as a number that JSON has rounded. */
function idText(value: unknown): string | undefined {
	const isId = (typeof value === 'string' && value.trim() !== '') || Number.isSafeInteger(value);
	return isId ? String(value).trim() : undefined;
}

/**
 * The response of POST /v2/edits, spec "Edit creation response", and of POST /v2/noise, whose body the
 * spec does not show. An edit is paid for, so its id is taken from wherever it may stand; and where
 * none is found, the finding quotes the body: an id in it must not be lost.
 */
export const editCreationSchema = z.unknown().transform((body, context): EditCreation => {
	const fields = isRecord(body) ? body : {};
	const id = CREATION_ID_KEYS.map((key) => idText(fields[key])).find((text) => text !== undefined);
	if (id !== undefined) return { ...fields, id };
	const said = typeof body === 'string' ? body : (JSON.stringify(body) ?? 'nothing');
	const ids = [...said.matchAll(ID_IN_JSON)].slice(0, 5).map(([, id]) => id);
	const named = ids.length > 0 ? ` (ids in it: ${ids.join(', ')})` : '';
	const message = `no edit id in ${sanitizeText(said) || 'nothing'}${named}`;
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});

/** The response of POST /v2/edits: the id, and whatever else the service said. */
export interface EditCreation {
	readonly id: string;
	readonly [key: string]: unknown;
}

/** Names of the superseded response shape (spec "Versioning" 4) and the names they have today. */
const SUPERSEDED_RESULT_KEYS = {
	url: 'download_url',
	transcript: 'transcription',
	summary: 'summarization',
} as const;

/**
 * Copies each superseded key to today's name where that one says nothing; the old key stays. A result
 * in which nothing says anything is not there yet: it is asked for again.
 */
function modernResult(result: unknown): unknown {
	if (!isRecord(result)) return result;
	if (Object.values(result).every(isNothing)) return undefined;
	const modern = { ...result };
	for (const [old, current] of Object.entries(SUPERSEDED_RESULT_KEYS)) {
		if (isNothing(modern[current]) && !isNothing(modern[old])) modern[current] = modern[old];
	}
	return modern;
}

/** Brings the superseded shape (`id`, `result.url` …) into the current one before it is checked. */
function modernEdit(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const taskId = idText(body.task_id) ?? idText(body.id) ?? '';
	return { ...body, task_id: taskId, result: modernResult(body.result) };
}

/** What each edit was read from. It stands beside the edit, so that no output carries it twice. */
const BODIES = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * The response of GET /v2/edits/{edit_id}, spec "Edit". `result` is present on success, sometimes
 * one poll later than the status says so. Unknown keys and statuses are kept, and
 * {@link receivedBody} gives the body as it came, for whoever wants it raw.
 */
export const editSchema = z.unknown().transform((body, context): Edit => {
	const parsed = modernEditSchema.safeParse(modernEdit(body));
	if (!parsed.success) {
		parsed.error.issues.forEach(context.addIssue);
		return z.NEVER;
	}
	if (isRecord(body)) BODIES.set(parsed.data, body);
	return parsed.data;
});

/** A status goes into errors, outputs and the log. */
const STATUS_CHARACTERS_MAXIMUM = 100;

const modernEditSchema = z
	.object({
		/** Empty where the service names none: who asked knows the id. */
		task_id: z.string(),
		status: z
			.string()
			.min(1)
			.transform((status) => status.slice(0, STATUS_CHARACTERS_MAXIMUM)),
		result: objectOrNothing(editResultSchema),
	})
	.passthrough()
	// Any JSON with a status would read as an edit that runs for ever; one without an id must be sure.
	.refine(({ task_id, status }) => task_id !== '' || isKnownStatus(status), {
		message: 'neither an edit id nor a status of an edit',
	});

/** An edit as the service reports it. */
export type Edit = z.infer<typeof modernEditSchema>;

/** The untouched body an edit was read from; the edit itself where it was not read from one. */
export function receivedBody(edit: Edit): Readonly<Record<string, unknown>> {
	return BODIES.get(edit) ?? edit;
}
