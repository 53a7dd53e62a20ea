import { readFile, writeFile } from 'node:fs/promises';

import type { Texts } from './texts.mts';

/** Name of the file beside the edited one that holds an edit's texts. */
export const TEXTS_FILE_NAME = 'texts.json';

/** What an edit without texts says of them, spec "result fields". */
const NO_TEXTS = JSON.stringify({ transcription: null, summarization: null, social_content: [] });

/** Keeps the texts of an edit, as a result shows them. */
export async function keepTexts(path: string, texts: Texts): Promise<void> {
	const shown = { ...texts, social_content: texts.social_content ?? [] };
	await writeFile(path, JSON.stringify(shown), { mode: 0o600 });
}

/**
 * The texts of an edit as the JSON of an object, as they lie on disk: nobody here looks into them,
 * and a long transcript takes a tenth of a second to parse and check.
 * @throws when they cannot be read.
 */
export async function readTextsJson(path: string): Promise<string> {
	try {
		return await readFile(path, 'utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NO_TEXTS;
		throw error;
	}
}
