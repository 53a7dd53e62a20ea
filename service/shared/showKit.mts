import { z } from 'zod';

/** Where a sound of a show goes: a chapter is one of the recording's file, by its number or title. */
export const kitPlaceSchema = z.union([
	z.enum(['intro', 'outro']),
	z.object({ atSeconds: z.number() }).strict(),
	z.object({ atChapter: z.union([z.number(), z.string()]) }).strict(),
]);

/** Where a sound of a show goes. */
export type KitPlace = z.infer<typeof kitPlaceSchema>;

/** What is put into an edited recording, and where. Times are of the edited recording without any of it. */
export const insertionSchema = z.object({
	atSeconds: z.number(),
	/** Where the pause begins in which it is: a chapter that begins there begins after it. */
	pauseSeconds: z.number(),
	/** By how much later is what follows. */
	addedSeconds: z.number(),
});

/** See `insertionSchema`. */
export type Insertion = z.infer<typeof insertionSchema>;

/** A chapter that begins this long before an insertion, in its pause, begins with what was there, in seconds. */
const MAX_CHAPTER_LEAD_SECONDS = 1;

/** Returns when a moment of an edited recording is heard with what was put into it; an end is before it. */
export function timeWithKit(
	seconds: number,
	insertions: readonly Insertion[],
	kind: 'start' | 'end' = 'start',
): number {
	return insertions
		.filter(({ atSeconds }) => (kind === 'start' ? atSeconds <= seconds : atSeconds < seconds))
		.reduce((time, { addedSeconds }) => time + addedSeconds, seconds);
}

/** Returns when a chapter begins: where something was put into the pause before it, after that. */
export function chapterTimeWithKit(seconds: number, insertions: readonly Insertion[]): number {
	const next = insertions.findLast(({ atSeconds, pauseSeconds }) => {
		const from = Math.max(pauseSeconds, atSeconds - MAX_CHAPTER_LEAD_SECONDS);
		return from <= seconds && seconds < atSeconds;
	});
	return timeWithKit(next?.atSeconds ?? seconds, insertions);
}
