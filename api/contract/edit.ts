import { z } from 'zod';

import { editResultSchema } from './editResult';
import { objectOrNothing } from './tolerance';

/** The response of POST /v2/edits, spec "Edit creation response". */
export const editCreationSchema = z.object({ id: z.string().min(1) }).passthrough();

/** The response of POST /v2/edits. */
export type EditCreation = z.infer<typeof editCreationSchema>;

/** Names of the superseded response shape (spec "Versioning" 4) and the names they have today. */
const SUPERSEDED_RESULT_KEYS = {
	url: 'download_url',
	transcript: 'transcription',
	summary: 'summarization',
} as const;

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Copies each superseded key to today's name where today's name is missing. */
function modernResult(result: unknown): unknown {
	if (!isRecord(result)) return result;
	const modern = { ...result };
	for (const [old, current] of Object.entries(SUPERSEDED_RESULT_KEYS)) {
		if (old in modern && modern[current] === undefined) {
			modern[current] = modern[old];
			delete modern[old];
		}
	}
	return modern;
}

/** Brings the superseded shape (`id`, `result.url` …) into the current one before it is checked. */
function modernEdit(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const { id, ...rest } = body;
	const taskId = rest.task_id ?? id;
	return { ...rest, task_id: taskId, result: modernResult(rest.result) };
}

/**
 * The response of GET /v2/edits/{edit_id}, spec "Edit". `result` is present on success, sometimes
 * one poll later than the status says so. Unknown keys and statuses are kept.
 */
export const editSchema = z.preprocess(
	modernEdit,
	z
		.object({
			task_id: z.string(),
			status: z.string().min(1),
			result: objectOrNothing(editResultSchema),
		})
		.passthrough(),
);

/** An edit as the service reports it. */
export type Edit = z.infer<typeof editSchema>;
