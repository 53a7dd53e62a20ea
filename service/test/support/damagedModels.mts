import { open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Chance } from '../../../testkit/measure/chance.mts';
import { findSpeechModel } from '../../text/speech/whisper/findSpeechModel.mts';
import { EditFailure } from '../../shared/failures.mts';
import { WrongUsage } from '../../shared/settings.mts';
import type { SpeechModel } from '../../text/speech/whisper/modelFile.mts';
import { recognized, tryModel } from '../../text/speech/whisper/recognizer.mts';
import { wordsOfTokens } from '../../text/speech/whisper/tokenWords.mts';
import { writeRandomModel } from '../../../testkit/service/randomModel.mts';

/** Where the header's numbers, the filters and the vocabulary of a model begin, in bytes. */
const HEADER_NUMBERS = 14;
const VOCABULARY_START = 4 * HEADER_NUMBERS + 4 * 80 * 201;

type Damage = (path: string, chance: Chance) => Promise<void>;

async function overwrite(path: string, position: number, bytes: Uint8Array): Promise<void> {
	await using file = await open(path, 'r+');
	await file.write(bytes, 0, bytes.length, position);
}

const HUGE = 0x7f_ff_ff_f0;

const withNumber =
	(position: number, value: number): Damage =>
	(path) =>
		overwrite(path, position, Buffer.from(Uint32Array.of(value).buffer));

const withLength =
	(bytes: number): Damage =>
	(path) =>
		truncate(path, bytes);

/** Numbers that are none, over the weights of the decoder's last layers. */
const notANumber: Damage = async (path) => {
	await overwrite(path, (await stat(path)).size - 4_000, Buffer.alloc(2_000, 0xff));
};

const randomBytes: Damage = async (path, chance) => {
	const { size } = await stat(path);
	for (let count = 0; count < 40; count++) {
		const byte = Uint8Array.of(chance.whole(0, 255));
		await overwrite(path, chance.whole(VOCABULARY_START, size - 1), byte);
	}
};

/** Each number of the header huge or 0, cuts, lengths of tokens, and random bytes everywhere. */
const DAMAGES: readonly Damage[] = [
	...Array.from({ length: HEADER_NUMBERS }, (_, at) => withNumber(4 * at, at % 2 === 0 ? HUGE : 0)),
	...[0, 3, 40, 5_000, VOCABULARY_START + 100, 900_000].map(withLength),
	async (path) => truncate(path, (await stat(path)).size - 1_000),
	...[0, 4, 11].map((offset) => withNumber(VOCABULARY_START + offset, HUGE)),
	...Array.from({ length: 6 }, () => randomBytes),
	(path) => writeFile(path, 'RIFF, which is no model'),
	notANumber,
];

/** Lets a model that loads hear a second. */
async function transcribe(model: SpeechModel, folder: string): Promise<void> {
	const path = join(folder, 'second.raw');
	await writeFile(path, Buffer.alloc(32_000, 'sound'));
	const pieces = [[{ startSeconds: 0, endSeconds: 1 }]];
	const { signal } = new AbortController();
	for await (const piece of recognized(model, { path, seconds: 1, folder }, pieces, signal)) {
		wordsOfTokens(piece, pieces[0]);
	}
}

/**
 * Returns how many models, each damaged in another way, are there, and the reasons of those that neither
 * load nor are refused in the service's own words.
 */
export async function tryDamagedModels(path: string): Promise<{ tried: number; faults: string[] }> {
	const chance = new Chance(30);
	const faults: string[] = [];
	for (const [index, damage] of DAMAGES.entries()) {
		await writeRandomModel(path);
		await damage(path, chance);
		try {
			const model = await findSpeechModel(
				{ speechModel: path, modelFolder: '' },
				{ tryModel },
				() => undefined,
			);
			if (model !== undefined) await transcribe(model, dirname(path));
		} catch (error) {
			const isOurs = error instanceof WrongUsage || error instanceof EditFailure;
			if (!isOurs) faults.push(`${index}: ${String(error)}`);
		}
	}
	await rm(path);
	return { tried: DAMAGES.length, faults };
}
