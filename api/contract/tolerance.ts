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

/** A list as {@link listOf} reads it, which may also come as its one text instead. */
export function listOrOneOf<T extends z.ZodTypeAny>(entry: T) {
	const inList = (value: unknown) => (typeof value === 'string' ? [value] : value);
	return z.preprocess(inList, listOf(entry));
}

/** A text, or undefined for null and for anything that is not a text. */
export const textOrNothing = z.string().optional().catch(undefined);

/** A text or a number, as text: ids and words come as either. */
export const textLike = z.union([z.string(), z.number().transform(String)]);

/** A finite number, also from a numeric text such as "0.0", or undefined. */
export const numberOrNothing = z.unknown().transform(finiteNumber);

/** Counts by name; what is no count is left out alone. */
export const counts = z.record(z.unknown()).transform((entries) =>
	Object.fromEntries(
		Object.entries(entries).flatMap(([name, value]): Array<[string, number]> => {
			const count = finiteNumber(value);
			return count === undefined ? [] : [[name, count]];
		}),
	),
);

function finiteNumber(value: unknown): number | undefined {
	const isNumeric = typeof value === 'string' && value.trim() !== '';
	const number = isNumeric ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value says nothing: missing, null, an empty text, list or object. */
export function isNothing(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}
