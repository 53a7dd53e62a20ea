import type { RecognizedTrack } from './crosstalk.mts';
import { speechOf } from './speech/speech.mts';
import { levelsOfSpeech } from './speech/speechLevels.mts';
import type { TextHelp, Transcriber } from './speech/transcriber.mts';

/**
 * Returns the words in the edited file of a track, at its times, and its levels.
 *
 * @param folder for the recognizer's files.
 * @param name of these files, unique per track.
 * @throws EditFailure when the speech cannot be recognized, the signal's reason when aborted.
 */
export async function wordsOfTrack(
	editedPath: string,
	{ folder, name }: { folder: string; name: string },
	transcriber: Transcriber,
	help: TextHelp,
): Promise<RecognizedTrack> {
	await help.waitForTurn();
	const speech = await speechOf(editedPath, folder, name, help.signal);
	const { words } = await transcriber.transcribe(speech, help);
	return { words, levels: await levelsOfSpeech(speech, help.signal) };
}
