import type { SpeechAudio } from './speech.mts';
import type { HeardSpeech } from '../shared/timeRanges.mts';

/** What a step of the work with texts is given by the edit it belongs to. */
export interface TextHelp {
	signal: AbortSignal;
	/**
	 * Runs a step again after TransientTrouble, at most three times; the edit is in RETRY meanwhile.
	 * @throws EditFailure when the tries are used up.
	 */
	retried<T>(step: () => Promise<T>): Promise<T>;
	/** Resolves when the edit may use the processor; after each `retried` step it has to ask again. */
	takeTurn(): Promise<void>;
	/** A line for the log about this edit. */
	say(what: string): void;
}

/** Something that recognises speech. */
export interface Transcriber {
	/** For the greeting and the log: what it is and where. */
	readonly name: string;
	/** Whether its words and times are good enough to cut a recording by them. */
	readonly isExact: boolean;
	/**
	 * The words of a recording in order, and their language.
	 * @throws EditFailure when it cannot be done, the signal's reason when aborted.
	 */
	transcribe: (speech: SpeechAudio, help: TextHelp) => Promise<HeardSpeech>;
}
