import type { EditConfig, LocalSettings } from '../../shared/contract.mts';
import { EditFailure, messageOf } from '../../shared/failures.mts';
import type { SpeechAudio } from './speech.mts';
import type { TextHelp, Transcriber } from './transcriber.mts';
import type { RecognizedSpeech } from '../../shared/timeRanges.mts';

/** What listening to a source came to: its words, or why there are none. */
export interface Heard {
	recognized?: RecognizedSpeech;
	failure?: EditFailure;
}

/** Whether words of the source change what is cut. Somebody has to ask for it, because it takes long. */
export function changesCuts(request: {
	config: Required<EditConfig>;
	local: LocalSettings;
}): boolean {
	const { fillers, hesitations, stutters } = request.config;
	const { filler_words: fillerWords = false, word_check: wordCheck = false } = request.local;
	return (fillerWords || wordCheck) && (fillers || hesitations || stutters);
}

/**
 * Returns the words of a source before it is cut. If recognition fails, the edit continues without the words.
 *
 * @param readSpeech writes the source to disk in the format of a recognizer.
 * @throws EditFailure for a source that cannot be edited, the signal's reason when aborted.
 */
export async function recognizeWords(
	readSpeech: () => Promise<SpeechAudio>,
	transcriber: Transcriber | undefined,
	help: TextHelp,
): Promise<Heard> {
	if (transcriber === undefined) return {};
	const speech = await readSpeech();
	help.say(`is being transcribed by ${transcriber.name} before cutting`);
	await help.tellRecognized(0);
	const heard = await transcriber
		.transcribe(speech, help)
		.then((recognized): Heard => ({ recognized }))
		.catch((error: unknown): Heard => {
			help.signal.throwIfAborted();
			if (!(error instanceof EditFailure)) throw error;
			help.say(`is edited without a transcript (${messageOf(error)})`);
			return { failure: error };
		});
	await help.tellRecognized(undefined);
	return heard;
}
