import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { messageOf } from '../../../shared/failures.mts';
import { type TextSettings, WrongUsage } from '../../../shared/settings.mts';
import { readSpeechModel, type SpeechModel } from './modelFile.mts';
import { tryModel } from './recogniser.mts';

/**
 * Returns the speech model to use: the one of `--speech-model`, or else the largest in the model folder;
 * undefined if there is none.
 *
 * @throws WrongUsage for a file that is no model, or that the recogniser does not load.
 */
export async function findSpeechModel({
	speechModel,
	modelFolder,
}: Pick<TextSettings, 'speechModel' | 'modelFolder'>): Promise<SpeechModel | undefined> {
	const path = speechModel ?? (await largestModelIn(modelFolder));
	if (path === undefined) return undefined;
	try {
		const model = await readSpeechModel(path);
		await tryModel(model);
		return model;
	} catch (error) {
		const given = speechModel === undefined ? '' : '--speech-model ';
		throw new WrongUsage(`${given}${path}: ${messageOf(error)}`);
	}
}

async function largestModelIn(folder: string): Promise<string | undefined> {
	const names = await readdir(folder).catch(() => []);
	const models = await Promise.all(
		names
			.filter((name) => name.endsWith('.bin'))
			.map(async (name) => {
				const path = join(folder, name);
				return { path, bytes: (await stat(path)).size };
			}),
	);
	return models.toSorted((a, b) => b.bytes - a.bytes).at(0)?.path;
}
