import { z } from 'zod';

import { isRecord, listOf, numberOrNothing, textLike } from './tolerance';

/** One configuration (also called template) of the account, spec "ConfigurationEntry". */
export const configurationEntrySchema = z
	.object({ id: z.number().int(), name: z.string(), upload_type: z.string() })
	.passthrough();

/** The response of GET /v2/configurations, spec "ConfigurationsResponse". */
export const configurationsSchema = z
	.object({ configurations: listOf(configurationEntrySchema) })
	.passthrough();

/** The response of GET /v2/configuration/{config_id}, spec "ConfigurationDetail". */
export const configurationDetailSchema = configurationEntrySchema
	.extend({ settings: z.record(z.unknown()).catch({}) })
	.passthrough();

/**
 * A completed task of a template, spec "TemplateTask". `created_at` is an ISO 8601 date-time. A task is
 * known by its id alone; whatever else of it is not as promised, it was completed.
 */
const promisedTaskSchema = z
	.object({
		id: textLike,
		created_at: textLike.optional().catch(undefined),
		/** Empty where the service names none. */
		status: z.string().catch(''),
		results: z.record(z.unknown()).catch({}),
		/** The spec gives no unit for the length. */
		length_audio: numberOrNothing,
	})
	.passthrough();

/** Edits name their id `task_id`; a task that does is none the worse. */
export const completedTaskSchema = z.preprocess(
	(task) => (isRecord(task) ? { ...task, id: task.id ?? task.task_id } : task),
	promisedTaskSchema,
);

/**
 * The response of GET /v2/completed_tasks/{config_id}: the last 7 days, newest first. A body without a
 * list is refused: taken for an empty one, everything would be new at the next look.
 */
export const completedTasksSchema = z
	.object({ tasks: z.array(z.unknown()).pipe(listOf(completedTaskSchema)) })
	.passthrough();

/** One configuration of the account. */
export type ConfigurationEntry = z.infer<typeof configurationEntrySchema>;
/** One configuration with its settings. */
export type ConfigurationDetail = z.infer<typeof configurationDetailSchema>;
/** A completed task of a template. */
export type CompletedTask = z.infer<typeof completedTaskSchema>;
