import { z } from 'zod';

/*
 * Responses are read tolerantly: unknown keys stay, and a value of the wrong shape counts as missing. It must
 * not make the rest of a result unusable, since the edit is charged.
 */

/** An object of the given schema; undefined for null, `[]` or anything else that does not fit. */
export function objectOrNothing<T extends z.ZodTypeAny>(schema: T) {
	return schema.optional().catch(undefined);
}

/** The entries of an array that fit the schema; an empty array for null, `{}` or another type. */
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

/** A list as {@link listOf} reads it, or a single text as a list of one. */
export function listOrOneOf<T extends z.ZodTypeAny>(entry: T) {
	const inList = (value: unknown) => (typeof value === 'string' ? [value] : value);
	return z.preprocess(inList, listOf(entry));
}

/** A text; undefined for null and anything else. */
export const textOrNothing = z.string().optional().catch(undefined);

/** A text or a number, as text: IDs and words come as either. */
export const textLike = z.union([z.string(), z.number().transform(String)]);

/** A finite number, also from a numeric text such as "0.0"; undefined for anything else. */
export const numberOrNothing = z.unknown().transform((value) => {
	const isNumeric = typeof value === 'string' && value.trim() !== '';
	const number = isNumeric ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
});

/** Counts by name, without entries that are not numbers. */
export const counts = z.record(numberOrNothing).transform((entries) => {
	const isCount = (entry: [string, number | undefined]): entry is [string, number] =>
		entry[1] !== undefined;
	return Object.fromEntries(Object.entries(entries).filter(isCount));
});

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is missing, null, or an empty text, list or object. */
export function isNothing(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}
