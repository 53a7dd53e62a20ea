import type { TextHelp } from '../../service/text/speech/transcriber.mts';

/** What an edit provides to its work on texts, for work without an edit: nothing waits or fails, and nobody reads it. */
export const TEXT_HELP: TextHelp = {
	signal: new AbortController().signal,
	retried: (step) => step(),
	say: () => undefined,
	tellRecognized: () => Promise.resolve(),
	waitForTurn: () => Promise.resolve(),
};
