import { z } from 'zod';

/** One entry of a validation error: where (`loc`), what (`msg`), and its `type`. */
export const validationDetailSchema = z
	.object({
		loc: z.array(z.union([z.string(), z.number()])),
		msg: z.string(),
		type: z.string(),
		input: z.unknown(),
		ctx: z.record(z.unknown()).optional(),
	})
	.passthrough();

/** The body of HTTP 422, spec "Validation error". */
export const validationErrorSchema = z
	.object({ detail: z.array(validationDetailSchema) })
	.passthrough();

/** The error code in the body of HTTP 429. */
export const RATE_LIMIT_ERROR_CODE = 'E9001';

/** The body of HTTP 429, spec "Errors": `error.code` is `E9001`. */
export const rateLimitErrorSchema = z
	.object({ error: z.object({ code: z.string(), message: z.string() }).passthrough() })
	.passthrough();

/** One entry of a validation error. */
export type ValidationDetail = z.infer<typeof validationDetailSchema>;
/** The body of HTTP 422. */
export type ValidationError = z.infer<typeof validationErrorSchema>;
/** The body of HTTP 429. */
export type RateLimitError = z.infer<typeof rateLimitErrorSchema>;
