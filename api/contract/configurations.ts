import { z } from 'zod';

import { entryOf, isRecord, listOf, numberOrNothing, textLike } from './tolerance';

/** A template of the account, which the API calls configuration (api.md#templates). */
export const configurationEntrySchema = z
	.object({ id: z.number().int(), name: z.string(), upload_type: z.string() })
	.passthrough();

/** The response of GET /v2/configurations (api.md#templates). */
export const configurationsSchema = z
	.object({ configurations: listOf(entryOf(configurationEntrySchema)) })
	.passthrough();

/** The response of GET /v2/configuration/{config_id} (api.md#templates). */
export const configurationDetailSchema = configurationEntrySchema
	.extend({ settings: z.record(z.unknown()).catch({}) })
	.passthrough();

/**
 * A completed task of a template (api.md#completed-tasks). `created_at` is an ISO 8601 date-time. Only the ID is
 * required: a task whose other fields are wrong was completed all the same.
 */
const promisedTaskSchema = z
	.object({
		id: textLike,
		created_at: textLike.optional().catch(undefined),
		/** Empty where the service names none. */
		status: z.string().catch(''),
		results: z.record(z.unknown()).catch({}),
		/** Its unit is not known. */
		length_audio: numberOrNothing,
	})
	.passthrough();

/** Takes `task_id`, as edits call it, for a missing `id`. */
export const completedTaskSchema = z.preprocess(
	(task) => (isRecord(task) ? { ...task, id: task.id ?? task.task_id } : task),
	promisedTaskSchema,
);

/**
 * The response of GET /v2/completed_tasks/{config_id}: the last 7 days, newest first. A body without a
 * list is refused: if it counted as an empty list, every task would be new in the next response.
 */
export const completedTasksSchema = z
	.object({ tasks: z.array(z.unknown()).pipe(listOf(entryOf(completedTaskSchema))) })
	.passthrough();

/** A template of the account. */
export type ConfigurationEntry = z.infer<typeof configurationEntrySchema>;
/** A template with its settings. */
export type ConfigurationDetail = z.infer<typeof configurationDetailSchema>;
/** A completed task of a template. */
export type CompletedTask = z.infer<typeof completedTaskSchema>;
