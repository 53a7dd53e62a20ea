import { z } from 'zod';

/** What is cut: the engine's kinds, and `added` for what a person cuts. */
export const cutKindSchema = z.enum([
	'filler',
	'hesitation',
	'stutter',
	'long_silence',
	'breath',
	'mouth_sound',
	'added',
]);

/** One cut of a recording in a review, in samples of the uncut sound. */
export const cutSchema = z.object({
	kind: cutKindSchema,
	/** Null: a cut goes through all tracks. */
	track: z.null(),
	start: z.number().int().nonnegative(),
	/** The first sample after the cut. */
	end: z.number().int().positive(),
	/** How sure the detector was, 0 to 1; null for a cut that a person made or moved. */
	sure: z.number().min(0).max(1).nullable(),
	/** `engine`, or the name of the person who made or moved it. */
	by: z.string(),
	/** True: the sound stays. */
	keep: z.boolean(),
});

/** One cut of a recording in a review. */
export type Cut = z.infer<typeof cutSchema>;
