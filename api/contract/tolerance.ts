import { z } from 'zod';

/*
 * Responses are read tolerantly: unknown keys stay, and a value of the wrong shape counts as missing. It must
 * not make the rest of a result unusable, since the edit is charged.
 */

/** An object of the given schema; undefined for null, `[]` or anything else that does not fit. */
export function objectOrNothing<T extends z.ZodTypeAny>(schema: T) {
	return schema.optional().catch(undefined);
}

/** Reads an entry of a list; undefined for one that does not fit. */
type ReadEntry<T> = (entry: unknown) => T | undefined;

/** Reads entries with a schema. */
export function entryOf<T extends z.ZodTypeAny>(schema: T): ReadEntry<z.output<T>> {
	return (entry) => schema.safeParse(entry).data as z.output<T> | undefined;
}

/** Longer lists of a response are read in pieces. */
const MAX_READ_AT_ONCE = 1_000;

/** A list of which the entries are read later. */
interface LongList {
	readonly length: number;
	readonly readEntry: (index: number) => void;
}

/** The long lists of the response that is being read in pieces; undefined while none is. */
let longLists: LongList[] | undefined;

/** The entries of an array that can be read; an empty array for null, `{}` or another type. */
export function listOf<T>(read: ReadEntry<T>) {
	return z.unknown().transform((value) => {
		const entries: readonly unknown[] = Array.isArray(value) ? value : [];
		const list: T[] = [];
		const readEntry = (index: number) => {
			const entry = read(entries[index]);
			if (entry !== undefined) list.push(entry);
		};
		const { length } = entries;
		if (longLists && length > MAX_READ_AT_ONCE) longLists.push({ length, readEntry });
		else for (let index = 0; index < length; index++) readEntry(index);
		return list;
	});
}

/**
 * Reads a response like `safeParse`, but the entries of long lists at the end, in pieces: a transcript of ten hours
 * has 100,000 words, and n8n does nothing else meanwhile. A transform of the schema does not see them yet.
 *
 * @param inPieces calls a step so many times, with pauses
 */
export async function parseInPieces<T extends z.ZodTypeAny>(
	schema: T,
	body: unknown,
	inPieces: (steps: number, step: (index: number) => void) => Promise<void>,
): Promise<z.SafeParseReturnType<z.input<T>, z.output<T>>> {
	const lists: LongList[] = [];
	longLists = lists;
	let parsed;
	try {
		parsed = schema.safeParse(body);
	} finally {
		longLists = undefined;
	}
	for (const { length, readEntry } of lists) await inPieces(length, readEntry);
	return parsed;
}

/** A list as {@link listOf} reads it, or a single text as a list of one. */
export function listOrOneOf<T>(read: ReadEntry<T>) {
	const inList = (value: unknown) => (typeof value === 'string' ? [value] : value);
	return z.preprocess(inList, listOf(read));
}

/** A text; undefined for null and anything else. */
export const textOrNothing = z.string().optional().catch(undefined);

/** A text or a number, as text: IDs and words come as either. */
export const textLike = z.union([z.string(), z.number().transform(String)]);

/** A finite number, also from a numeric text such as "0.0"; undefined for anything else. */
export const numberOrNothing = z.unknown().transform(readNumber);

function readNumber(value: unknown): number | undefined {
	const isNumeric = typeof value === 'string' && value.trim() !== '';
	const number = isNumeric ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A text with times in seconds, beside keys that we do not know. */
type TimedText<Key extends string> = Readonly<Record<string, unknown>> & {
	readonly id?: number;
	readonly start?: number;
	readonly end?: number;
} & Readonly<Record<Key, string>>;

const NUMBER_KEYS = ['id', 'start', 'end'] as const;

/**
 * Reads entries with a text, by its key, and times. A time that is missing or unreadable is undefined, and the text
 * stays. A plain function, because a schema takes thirty times as long as JSON.parse, and there are many.
 */
export function timedText<Key extends string>(key: Key): ReadEntry<TimedText<Key>> {
	return (entry) => {
		if (!isRecord(entry)) return undefined;
		const text = entry[key];
		const isText = typeof text === 'string';
		if (!isText && (typeof text !== 'number' || Number.isNaN(text))) return undefined;
		const odd = NUMBER_KEYS.filter((name) => name in entry && !Number.isFinite(entry[name]));
		if (isText && odd.length === 0) return entry as TimedText<Key>;
		const numbers = odd.map((name) => [name, readNumber(entry[name])]);
		return { ...entry, ...Object.fromEntries(numbers), [key]: String(text) } as TimedText<Key>;
	};
}

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
	if (Array.isArray(value)) return value.length === 0;
	return typeof value === 'object' && Object.keys(value).length === 0;
}
