import { join } from 'node:path';

import type { SpokenWord } from '../shared/timeRanges.mts';
import type { RecognizedTrack } from './crosstalk.mts';
import { speechOf } from './speech/speech.mts';
import { levelsOfSpeech, signalToNoiseDb } from './speech/speechLevels.mts';
import type { TextHelp, Transcriber } from './speech/transcriber.mts';

/**
 * From this signal-to-noise ratio on, dB, an inexact recognizer hears the source: noise removal costs
 * it more words than the noise does (`npm run eval -w service -- transcription`).
 */
export const CLEAN_ENOUGH_DB = 26;

/** Rough words are not compared with another track's. */
const NO_LEVELS = new Float32Array();

/** A track with one speaker, to recognize words in. */
export interface TextTrack {
	editedPath: string;
	/** Undefined if the edited file mixes several sources. */
	source?: {
		/** Writes the speech to a path, and returns its seconds. */
		readSpeech: (outputPath: string) => Promise<number>;
		/** Moves words of the source to their times in the edited file; leaves removed ones out. */
		inEditedFile: (words: readonly SpokenWord[]) => SpokenWord[];
	};
}

/**
 * Returns the words in the edited file of a track, at its times, and its levels unless the recognizer is
 * rough.
 *
 * @param folder for the recognizer's files.
 * @param name of these files, unique per track.
 * @throws EditFailure when the speech cannot be recognized, the signal's reason when aborted.
 */
export async function wordsOfTrack(
	{ editedPath, source }: TextTrack,
	{ folder, name }: { folder: string; name: string },
	transcriber: Transcriber,
	help: TextHelp,
): Promise<RecognizedTrack> {
	await help.waitForTurn();
	// A server's recognizer works with noise and after its removal; which is better was not measured.
	if (source !== undefined && transcriber.accuracy === 'rough') {
		const path = join(folder, `${name}-source.raw`);
		const speech = { path, folder, seconds: await source.readSpeech(path) };
		const snrDb = signalToNoiseDb(await levelsOfSpeech(speech, help.signal));
		if (snrDb >= CLEAN_ENOUGH_DB) {
			help.say(`is heard in the source (speech ${Math.round(snrDb)} dB above the noise)`);
			const { words } = await transcriber.transcribe(speech, help);
			return { words: source.inEditedFile(words), levels: NO_LEVELS };
		}
	}
	const speech = await speechOf(editedPath, folder, name, help.signal);
	const { words } = await transcriber.transcribe(speech, help);
	const isRough = transcriber.accuracy === 'rough';
	return { words, levels: isRough ? NO_LEVELS : await levelsOfSpeech(speech, help.signal) };
}
