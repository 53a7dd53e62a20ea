import { z } from 'zod';

/*
 * Responses are read tolerantly (house rule 5): unknown keys stay, and what does not have the
 * promised shape reads as "not there" instead of making a paid result unreachable.
 */

/** An object of the given schema, or undefined for null, `[]` or anything else that does not fit. */
export function objectOrNothing<T extends z.ZodTypeAny>(schema: T) {
	return schema.optional().catch(undefined);
}

/** An array whose fitting entries are kept; null, `{}` or a wrong type reads as an empty array. */
export function listOf<T extends z.ZodTypeAny>(entry: T) {
	return z
		.array(z.unknown())
		.catch([])
		.transform((entries) =>
			entries.flatMap((value): Array<z.output<T>> => {
				const parsed = entry.safeParse(value);
				return parsed.success ? [parsed.data] : [];
			}),
		);
}

/** A text, or undefined for null and for anything that is not a text. */
export const textOrNothing = z.string().optional().catch(undefined);

/** A finite number, or undefined. */
export const numberOrNothing = z.number().finite().optional().catch(undefined);
