import { readFile, writeFile } from 'node:fs/promises';

import { textsSchema, type Texts } from './texts.mts';

/** Name of the file beside the edited one that holds an edit's texts. */
export const TEXTS_FILE_NAME = 'texts.json';

/** Keeps the texts of an edit. */
export async function keepTexts(path: string, texts: Texts): Promise<void> {
	await writeFile(path, JSON.stringify(texts), { mode: 0o600 });
}

/** The texts of an edit; undefined when it has none. @throws when they cannot be read. */
export async function readTexts(path: string): Promise<Texts | undefined> {
	try {
		return textsSchema.parse(JSON.parse(await readFile(path, 'utf8')));
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
		throw error;
	}
}
