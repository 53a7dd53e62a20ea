import { z } from 'zod';

import { MAX_FILLER_SECONDS, maxSecondsOf } from '../../shared/wordLength.mts';
import type { SpokenWord, TimeRange } from '../../shared/timeRanges.mts';
import { punctuated } from './punctuation.mts';

/** A time in seconds. Servers send null where they found none, and some send text. */
const timeSchema = z
	.union([z.number(), z.string().trim().min(1).transform(Number)])
	.optional()
	.catch(undefined)
	.transform((time) => (Number.isFinite(time) ? time : undefined));

const timed = { start: timeSchema, end: timeSchema };
const textSchema = z.string().optional().catch(undefined);

/** Most servers say `word`, some say `text`. */
const wordSchema = z
	.object({ word: textSchema, text: textSchema, ...timed })
	.transform(({ word, text, start, end }) => ({ text: (word ?? text ?? '').trim(), start, end }));

/** A list without the entries that cannot be read. */
function listOf<T>(entry: z.ZodType<T, z.ZodTypeDef, unknown>) {
	return z
		.array(z.unknown())
		.catch([])
		.transform((list) =>
			list.flatMap((one): T[] => {
				const read = entry.safeParse(one);
				return read.success ? [read.data] : [];
			}),
		);
}

const segmentSchema = z.object({
	text: z.string().catch(''),
	...timed,
	words: listOf(wordSchema),
});

/** An answer in `verbose_json`; some servers put the words inside the segments. */
export const answerSchema = z.object({
	text: z.string().catch(''),
	/** A name ("german") or a code ("de"). */
	language: z.string().catch(''),
	words: listOf(wordSchema),
	segments: listOf(segmentSchema),
});

export type Answer = z.infer<typeof answerSchema>;

/** What a server returned of a word or a segment. */
interface Spoken {
	text: string;
	start?: number | undefined;
	end?: number | undefined;
}

/** All texts of an answer that say the same. */
export function textsOf({ text, words, segments }: Answer): string[] {
	const lists = [segments, words, segments.flatMap((segment) => segment.words)];
	return [text, ...lists.map((list) => list.map((one) => one.text).join(' '))];
}

/**
 * Returns the words of an answer with their punctuation, at times of the piece that was sent: those with
 * times of their own, or else those of the segments. Undefined if it has words but no time at all.
 *
 * @param seconds how long the piece is.
 */
export function wordsOf(answer: Answer, seconds: number): SpokenWord[] | undefined {
	const { text, words, segments } = answer;
	const listed = [words, segments.flatMap((segment) => segment.words)]
		.map((list) => list.filter((word) => word.text !== ''))
		.find((list) => hasTimes(list, seconds));
	if (listed !== undefined) {
		const whole = segments.map((segment) => segment.text).join(' ');
		const spoken = placed(listed, seconds, maxSecondsOf).map(sayable);
		return punctuated(spoken, whole.trim() === '' ? text : whole);
	}
	const said = segments.filter((segment) => segment.text.trim() !== '');
	if (hasTimes(said, seconds)) {
		return placed(said, seconds, () => seconds)
			.flatMap(spreadWords)
			.map(sayable);
	}
	return textsOf(answer).every((one) => one.trim() === '') ? [] : undefined;
}

function hasTimes(list: readonly Spoken[], seconds: number): boolean {
	return list.some(({ start }) => timeWithin(start, seconds) !== undefined);
}

/** A time a little outside of the piece is one of its ends, and another is none. */
const TOLERANCE_SECONDS = 1;

function timeWithin(time: number | undefined, seconds: number): number | undefined {
	if (time === undefined || time < -TOLERANCE_SECONDS || time > seconds + TOLERANCE_SECONDS) {
		return undefined;
	}
	return Math.min(seconds, Math.max(0, time));
}

/**
 * Gives times to what has none: between its neighbors, and no longer than it can be said. It is marked, and
 * so is what begins before something that was said earlier: the times of the one or the other are wrong.
 */
function placed(
	list: readonly Spoken[],
	seconds: number,
	maxSeconds: (text: string) => number,
): SpokenWord[] {
	const nextTimed = nextTimedOf(list, seconds);
	const result: SpokenWord[] = [];
	let [position, latest] = [0, 0];
	for (const [index, spoken] of list.entries()) {
		const { text } = spoken;
		const [start, end] = [spoken.start, spoken.end].map((time) => timeWithin(time, seconds));
		const next = nextTimed[index];
		const startSeconds = start ?? Math.max(position, (end ?? 0) - maxSeconds(text));
		const sharing = start === undefined ? next.place - index : 1;
		const room = Math.max(0, next.startSeconds - startSeconds) / sharing;
		const longest = startSeconds + Math.min(room, maxSeconds(text));
		const endSeconds = Math.max(startSeconds, end ?? longest);
		const isGuessed = start === undefined || end === undefined || start < latest;
		result.push({ text, startSeconds, endSeconds, ...(isGuessed && { isGuessed }) });
		position = endSeconds;
		latest = Math.max(latest, startSeconds);
	}
	return result;
}

/** For each entry, the place and the time of the next one that has a time. */
function nextTimedOf(list: readonly Spoken[], seconds: number) {
	let next = { place: list.length, startSeconds: seconds };
	return list
		.map(({ start }, place) => ({ place, startSeconds: timeWithin(start, seconds) }))
		.toReversed()
		.map(({ place, startSeconds }) => {
			const after = next;
			if (startSeconds !== undefined) next = { place, startSeconds };
			return after;
		})
		.toReversed();
}

/** Ends a word that lasts longer than anybody holds a sound. Where in this time it was said is not known. */
function sayable(word: SpokenWord): SpokenWord {
	const maxSeconds = Math.max(MAX_FILLER_SECONDS, maxSecondsOf(word.text));
	const endSeconds = Math.min(word.endSeconds, word.startSeconds + maxSeconds);
	return endSeconds < word.endSeconds ? { ...word, endSeconds, isGuessed: true } : word;
}

/** For servers that only time segments: spreads the words by their number of letters. */
function spreadWords({
	text,
	startSeconds,
	endSeconds,
}: TimeRange & { text: string }): SpokenWord[] {
	const tokens = text.split(/\s+/).filter((token) => token !== '');
	const letters = tokens.reduce((sum, token) => sum + token.length, 0);
	const secondsPerLetter = (endSeconds - startSeconds) / Math.max(1, letters);
	let position = startSeconds;
	return tokens.map((token): SpokenWord => {
		const start = position;
		position += token.length * secondsPerLetter;
		return { text: token, startSeconds: start, endSeconds: position, isGuessed: true };
	});
}
