import { z } from 'zod';

/** The result file of a check of somebody else's edit. */
export const WORDS_FILE_NAME = 'word-check.json';

const wordSchema = z.object({
	text: z.string(),
	/** In seconds of the source. */
	start: z.number(),
	end: z.number(),
	/** Where it would be in the edited file, in seconds. */
	edited_at: z.number(),
});

/** What a check of somebody else's edit found, as the API returns it. */
export const foundWordsSchema = z.object({
	/** What was cut, in seconds of the source, and how many of these places hold speech. */
	cuts: z.array(z.object({ start: z.number(), end: z.number() })),
	checked: z.number(),
	missing: z.array(wordSchema),
	doubtful: z.array(wordSchema),
});

/** What a check of somebody else's edit found. */
export type FoundWords = z.infer<typeof foundWordsSchema>;
