import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { messageOf } from '../../../shared/failures.mts';
import type { Log } from '../../../shared/log.mts';
import { type TextSettings, WrongUsage } from '../../../shared/settings.mts';
import { sizeOf } from '../models/sizeOf.mts';
import { readSpeechModel, type SpeechModel } from './modelFile.mts';
import type { Recognizer } from './findRecognizer.mts';

/**
 * Returns the speech model to use: the one of `--speech-model`, or else the largest in the model folder;
 * undefined if there is none. The recognizer loads it once.
 *
 * @throws WrongUsage if that of `--speech-model` is none, or the recognizer does not load it.
 */
export async function findSpeechModel(
	{ speechModel, modelFolder }: Pick<TextSettings, 'speechModel' | 'modelFolder'>,
	recognizer: Pick<Recognizer, 'tryModel'>,
	log: Log,
): Promise<SpeechModel | undefined> {
	if (speechModel === undefined) return await largestModelIn(modelFolder, recognizer, log);
	try {
		return await usableModel(speechModel, recognizer);
	} catch (error) {
		throw new WrongUsage(`--speech-model ${speechModel}: ${messageOf(error)}`);
	}
}

/** @throws Error that says why a file is no model that the recognizer loads. */
async function usableModel(
	path: string,
	recognizer: Pick<Recognizer, 'tryModel'>,
): Promise<SpeechModel> {
	const model = await readSpeechModel(path);
	await recognizer.tryModel(model);
	return model;
}

/** Returns the largest model that can be used. Nobody named the files, so others are only logged. */
async function largestModelIn(
	folder: string,
	recognizer: Pick<Recognizer, 'tryModel'>,
	log: Log,
): Promise<SpeechModel | undefined> {
	const names = await readdir(folder).catch(() => []);
	const paths = names.filter((name) => name.endsWith('.bin')).map((name) => join(folder, name));
	const files = await Promise.all(paths.map(async (path) => ({ path, bytes: await sizeOf(path) })));
	// Loading takes seconds, so only the one that will be used is loaded.
	for (const { path } of files.toSorted((a, b) => b.bytes - a.bytes)) {
		try {
			return await usableModel(path, recognizer);
		} catch (error) {
			log(`${path} is not used: ${messageOf(error)}`);
		}
	}
	return undefined;
}
