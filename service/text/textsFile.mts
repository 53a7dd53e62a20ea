import { writeFile } from 'node:fs/promises';

import type { Texts } from './texts.mts';

/** Name of the file next to the edited one that holds an edit's texts. */
export const TEXTS_FILE_NAME = 'texts.json';

/** The texts of an edit that has none, as JSON (api.md#result). */
export const NO_TEXTS = JSON.stringify({
	transcription: null,
	summarization: null,
	social_content: [],
});

/** Saves the texts of an edit in the form the result shows. */
export async function keepTexts(path: string, texts: Texts): Promise<void> {
	const shown = { ...texts, social_content: texts.social_content ?? [] };
	await writeFile(path, JSON.stringify(shown), { mode: 0o600 });
}
