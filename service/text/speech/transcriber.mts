import type { SpeechAudio } from './speech.mts';
import type { RecognizedSpeech } from '../../shared/timeRanges.mts';

/** What an edit provides to each step of its work on texts. */
export interface TextHelp {
	signal: AbortSignal;
	/**
	 * Runs a step, up to three times on TransientTrouble; the edit is in RETRY between tries.
	 *
	 * @throws EditFailure when all tries fail.
	 */
	retried<T>(step: () => Promise<T>): Promise<T>;
	/** Resolves when the edit may use the processor. Call it again after each `retried` step. */
	waitForTurn(): Promise<void>;
	/** Logs a line about this edit. */
	say(what: string): void;
	/** Tells how much of the edit's speech is recognized, 0 to 1; undefined once nothing is being recognized. */
	tellRecognized(share: number | undefined): Promise<void>;
}

/** A speech recognizer. */
export interface Transcriber {
	/** Name and location, for the start-up message and the log. */
	readonly name: string;
	/** How it could be faster, for the start-up message. */
	readonly advice?: string | undefined;
	/**
	 * What cuts may rely on: its words, which stay; or also its times, so that a filler is cut
	 * where it says.
	 */
	readonly accuracy: 'words' | 'times';
	/**
	 * Returns the words of a recording in order, and their language.
	 *
	 * @throws EditFailure when recognition fails, the signal's reason when aborted.
	 */
	transcribe: (speech: SpeechAudio, help: TextHelp) => Promise<RecognizedSpeech>;
}
