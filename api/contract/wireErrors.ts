import { z } from 'zod';

import { entryOf, listOf, objectOrNothing, textOrNothing } from './tolerance';

/**
 * One entry of a validation error: where (`loc`), what (`msg`), and its `type`. Only `msg` is required, since
 * people need nothing else.
 */
export const validationDetailSchema = z
	.object({
		loc: listOf(entryOf(z.union([z.string(), z.number()]))),
		msg: z.string(),
		type: z.string().catch(''),
		input: z.unknown(),
		ctx: objectOrNothing(z.record(z.unknown())),
	})
	.passthrough();

/** The error code in the body of HTTP 429. */
export const RATE_LIMIT_ERROR_CODE = 'E9001';

function isNotEmpty(entries: readonly unknown[]): boolean {
	return entries.length > 0;
}

/** The body of HTTP 422 (api.md#validation-error). */
export const validationErrorSchema = z
	.object({
		// At least one entry must fit, or a text or another shape would count as "no details".
		detail: z
			.array(z.unknown())
			.pipe(listOf(entryOf(validationDetailSchema)))
			.refine(isNotEmpty),
		/** The same in one text, from the local service. */
		message: textOrNothing,
	})
	.passthrough();

/** The body of HTTP 429 (api.md#errors): `error.code` is `E9001`. */
export const rateLimitErrorSchema = z
	.object({ error: z.object({ code: z.string(), message: z.string() }).passthrough() })
	.passthrough();

/** One entry of a validation error. */
export type ValidationDetail = z.infer<typeof validationDetailSchema>;
/** The body of HTTP 422. */
export type ValidationError = z.infer<typeof validationErrorSchema>;
/** The body of HTTP 429. */
export type RateLimitError = z.infer<typeof rateLimitErrorSchema>;
