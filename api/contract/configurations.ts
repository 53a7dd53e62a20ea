import { z } from 'zod';

import { listOf, numberOrNothing, textLike } from './tolerance';

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

/** A completed task of a template, spec "TemplateTask". `created_at` is an ISO 8601 date-time. */
export const completedTaskSchema = z
	.object({
		id: textLike,
		created_at: textLike,
		status: z.string(),
		results: z.record(z.unknown()).catch({}),
		/** The spec gives no unit for the length. */
		length_audio: numberOrNothing,
	})
	.passthrough();

/** The response of GET /v2/completed_tasks/{config_id}: the last 7 days, newest first. */
export const completedTasksSchema = z.object({ tasks: listOf(completedTaskSchema) }).passthrough();

/** One configuration of the account. */
export type ConfigurationEntry = z.infer<typeof configurationEntrySchema>;
/** One configuration with its settings. */
export type ConfigurationDetail = z.infer<typeof configurationDetailSchema>;
/** A completed task of a template. */
export type CompletedTask = z.infer<typeof completedTaskSchema>;
