import { z } from 'zod';

import { acceptedConfigSchema, webUrlSchema } from './config';
import { localSettingsSchema } from './localSettings';

/**
 * The body of POST /v2/edits and POST /v2/noise (api.md#edit-request).
 *
 * One URL is a single track; several are always tracks of one recording. `config` is optional, as in some
 * examples of the API; our client always sends it.
 */
export const editRequestSchema = z
	.object({
		input: z
			.object({
				files: z.array(webUrlSchema).min(1),
				config: acceptedConfigSchema.nullable().optional(),
				upload_type: z
					.string()
					.describe(
						'`singletrack`, or `multitrack` for several files that are tracks of one recording',
					)
					.nullable()
					.optional(),
				template_id: z.number().int().nullable().optional(),
				local: localSettingsSchema.nullable().optional(),
			})
			.strict(),
	})
	.strict();

/** The body of POST /local/word-checks: a recording, and what somebody made of it. */
export const wordCheckRequestSchema = z
	.object({ input: z.object({ source: webUrlSchema, edited: webUrlSchema }).strict() })
	.strict();

/** The body of POST /v2/edits and POST /v2/noise. */
export type EditRequest = z.infer<typeof editRequestSchema>;
