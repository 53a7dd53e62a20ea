import { readFile, writeFile } from 'node:fs/promises';

import type { Texts } from './texts.mts';

/** Name of the file next to the edited one that holds an edit's texts. */
export const TEXTS_FILE_NAME = 'texts.json';

/** The texts of an edit that has none, spec "result fields". */
const NO_TEXTS = JSON.stringify({ transcription: null, summarization: null, social_content: [] });

/** Saves the texts of an edit in the form the result shows. */
export async function keepTexts(path: string, texts: Texts): Promise<void> {
	const shown = { ...texts, social_content: texts.social_content ?? [] };
	await writeFile(path, JSON.stringify(shown), { mode: 0o600 });
}

/**
 * Returns the texts of an edit as the JSON text of an object, unparsed: nothing here needs the
 * content, and parsing a long transcript takes 0.1 s.
 *
 * @throws when the file cannot be read.
 */
export async function readTextsJson(path: string): Promise<string> {
	try {
		return await readFile(path, 'utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NO_TEXTS;
		throw error;
	}
}
