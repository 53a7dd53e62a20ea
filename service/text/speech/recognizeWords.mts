import type { EditConfig } from '../../shared/contract.mts';
import { EditFailure, messageOf } from '../../shared/failures.mts';
import type { SpeechAudio } from './speech.mts';
import type { TextHelp, Transcriber } from './transcriber.mts';
import type { RecognizedSpeech } from '../../shared/timeRanges.mts';

/** What listening to a source came to: its words, or why there are none. */
export interface Heard {
	recognized?: RecognizedSpeech;
	failure?: EditFailure;
}

/**
 * Returns the words of a source, so that an engine that removes fillers and stutters knows what is
 * a word. Nothing if the config does not need them, or if the recognizer is too rough to cut by.
 * If recognition fails, the edit continues without the words.
 *
 * @param readSpeech writes the source to disk in the format of a recognizer.
 * @param isShown needs them in any case.
 * @throws EditFailure for a source that cannot be edited, the signal's reason when aborted.
 */
export async function recognizeWords(
	config: Required<EditConfig>,
	readSpeech: () => Promise<SpeechAudio>,
	transcriber: Transcriber | undefined,
	help: TextHelp,
	isShown = false,
): Promise<Heard> {
	const { fillers, hesitations, stutters } = config;
	if (!(fillers || hesitations || stutters || isShown)) return {};
	if (transcriber === undefined || transcriber.accuracy === 'rough') return {};
	const speech = await readSpeech();
	help.say(`is being transcribed by ${transcriber.name} before cutting`);
	try {
		return { recognized: await transcriber.transcribe(speech, help) };
	} catch (error) {
		help.signal.throwIfAborted();
		if (!(error instanceof EditFailure)) throw error;
		help.say(`is edited without a transcript (${messageOf(error)})`);
		return { failure: error };
	}
}
