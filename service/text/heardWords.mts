import type { EditConfig } from '../shared/contract.mts';
import { EditFailure, messageOf } from '../shared/failures.mts';
import type { SpeechAudio } from './speech.mts';
import type { TextHelp, Transcriber } from './transcriber.mts';
import type { HeardSpeech } from '../shared/timeRanges.mts';

/**
 * The words of a source, for an engine that takes out fillers and stutters: with them it knows what is
 * a word. Undefined where that is not asked for, or where the recogniser is too rough to cut by. A
 * recogniser that fails is no reason for the edit to fail: it goes on by ear.
 *
 * @throws EditFailure for a source that cannot be edited, the signal's reason when aborted.
 */
export async function heardWords(
	{ config, readSpeech }: HearingOrder,
	transcriber: Transcriber | undefined,
	help: TextHelp,
): Promise<HeardSpeech | undefined> {
	const { fillers, hesitations, stutters } = config;
	if (!transcriber?.isExact || !(fillers || hesitations || stutters)) return undefined;
	const speech = await readSpeech();
	help.say(`is listened to by ${transcriber.name}`);
	try {
		return await transcriber.transcribe(speech, help);
	} catch (error) {
		help.signal.throwIfAborted();
		if (!(error instanceof EditFailure)) throw error;
		help.say(`is edited without its words (${messageOf(error)})`);
		return undefined;
	}
}

/** What is to be heard. */
export interface HearingOrder {
	config: Required<EditConfig>;
	/** Puts the source on disk as a recogniser takes it. */
	readSpeech: () => Promise<SpeechAudio>;
}
