import { z } from 'zod';

import { pathId, isWebPage, sanitizeText } from '../sanitizeText';
import { editResultSchema } from './editResult';
import { failureReasonIn } from './failureReason';
import { type EditProgress, isKnownStatus, phaseOf, progressIn } from './statuses';
import { isNothing, isRecord, numberOrNothing, objectOrNothing } from './tolerance';

/** The keys under which the response to a creation may have the ID; that of one endpoint is not known. */
const CREATION_ID_KEYS = ['id', 'task_id', 'edit_id'] as const;

/** Anything called an ID in a body: the edit's may come after the part that the error quotes. */
const ID_IN_JSON = /"\w*id"\s*:\s*"?([\w.-]{1,100})/gi;

/** An ID as text; undefined for what cannot be one, such as a number that JSON has rounded. */
function idText(value: unknown): string | undefined {
	const isId = (typeof value === 'string' && value.trim() !== '') || Number.isSafeInteger(value);
	return isId ? String(value).trim() : undefined;
}

/**
 * The response of POST /v2/edits and of POST /v2/noise (api.md#create-an-edit), whose body is not known. The
 * edit is charged, so its ID may be under any of the usual keys. If no key has an ID that a request can use, the
 * issue names up to 5 IDs from the body, and quotes the body unless it is a web page.
 */
export const editCreationSchema = z.unknown().transform((body, context): EditCreation => {
	const fields = isRecord(body) ? body : {};
	const texts = CREATION_ID_KEYS.map((key) => idText(fields[key]));
	const id = texts.find((text) => pathId(text).ok);
	if (id !== undefined) return { ...fields, id };
	const said = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
	const ids = [...said.matchAll(ID_IN_JSON)].slice(0, 5).map(([, id]) => id);
	const named = ids.length > 0 ? ` (IDs in it: ${ids.join(', ')})` : '';
	const quoted = isWebPage(said) ? 'a web page' : sanitizeText(said) || 'an empty response';
	const isUnusable = texts.some((text) => text !== undefined);
	const message = `no ${isUnusable ? 'usable ' : ''}edit ID in ${quoted}${named}`;
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});

/** The response of POST /v2/edits: the ID, and everything else that the service sent. */
export interface EditCreation {
	readonly id: string;
	readonly [key: string]: unknown;
}

/**
 * The link with which a person reviews the cuts before an edit finishes, where the service has one, from the
 * response to a creation or from an edit. Anyone who has it can change and approve the cuts: only outputs may name it.
 */
export function reviewUrlIn({ review_url: url }: Edit | EditCreation): string | undefined {
	const isLink = typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url);
	return isLink ? url : undefined;
}

/** When the review of an edit ends at the latest, in milliseconds since 1970, where the service says so. */
export function reviewEndIn({ review_until: until }: Edit): number | undefined {
	const untilMs = typeof until === 'string' ? Date.parse(until) : NaN;
	return Number.isNaN(untilMs) ? undefined : untilMs;
}

/** The keys of the superseded response shape (api.md#superseded-shape), and the keys they have today. */
const SUPERSEDED_RESULT_KEYS = {
	url: 'download_url',
	transcript: 'transcription',
	summary: 'summarization',
} as const;

/**
 * Copies each superseded key to today's key where that one is empty; the old key stays. Returns undefined
 * for a result in which everything is empty: it is not there yet, and the client asks again.
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

/**
 * Converts the superseded shape (`id`, `result.url` …) to the current one. Takes progress out of
 * `result`: it is no result, even if the status is already SUCCESS.
 */
function modernEdit(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const taskId = idText(body.task_id) ?? idText(body.id) ?? '';
	const hasFailed = typeof body.status === 'string' && phaseOf(body.status) === 'failed';
	const progress = hasFailed ? undefined : progressIn(body.result);
	const failureReason = hasFailed ? failureReasonIn(body) : undefined;
	const pollAfterSeconds = pollAfterSecondsIn(body);
	return {
		...body,
		task_id: taskId,
		result: progress === undefined ? modernResult(body.result) : undefined,
		...(progress && { editProgress: progress }),
		...(failureReason && { failureReason }),
		...(pollAfterSeconds && { pollAfterSeconds }),
	};
}

/** How long the service asks us to wait before the next poll, in seconds; beside the status or in the progress. */
function pollAfterSecondsIn(body: Readonly<Record<string, unknown>>): number | undefined {
	const { poll_after_seconds: inProgress } = isRecord(body.result) ? body.result : {};
	const seconds = numberOrNothing.parse(body.poll_after_seconds ?? inProgress);
	return seconds !== undefined && seconds > 0 ? seconds : undefined;
}

/** The body of each edit. It is kept outside the edit, so that no output has it twice. */
const BODIES = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * The response of GET /v2/edits/{edit_id} (api.md#read-an-edit). `result` is present on success, sometimes one poll
 * later than the status. Unknown keys and statuses are kept; {@link receivedBody} returns the whole body.
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

/** A status is cut to this length, since it is part of errors, outputs and the log. */
const MAX_STATUS_CHARACTERS = 100;

const modernEditSchema = z
	.object({
		/** Empty where the service sends none: the caller knows the ID. */
		task_id: z.string(),
		status: z
			.string()
			.min(1)
			.transform((status) => status.slice(0, MAX_STATUS_CHARACTERS)),
		result: objectOrNothing(editResultSchema),
		/** How far a running edit is, where the service says so. */
		editProgress: z.custom<EditProgress | undefined>(),
		/** Why the edit failed, where the service says so; see {@link failureReasonIn}. */
		failureReason: z.string().optional(),
		/** How long the service asks us to wait before the next poll, in seconds. */
		pollAfterSeconds: z.number().optional(),
	})
	.passthrough()
	// Without an ID the status must be a known one: other JSON with a status would be an edit without end.
	.refine(({ task_id, status }) => task_id !== '' || isKnownStatus(status), {
		message: 'it has neither an edit ID nor the status of an edit',
	});

/** An edit as the service reports it. */
export type Edit = z.infer<typeof modernEditSchema>;

/** The body that an edit was read from, unchanged; the edit itself if it has no body. */
export function receivedBody(edit: Edit): Readonly<Record<string, unknown>> {
	return BODIES.get(edit) ?? edit;
}
