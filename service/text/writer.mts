import type { SocialContent, Summarization } from './texts.mts';
import type { Paragraph } from './paragraphs.mts';
import type { TextHelp } from './speech/transcriber.mts';

/** A writer of summaries and posts about a transcript. */
export interface TextWriter {
	/** Name and location, for the start-up message and the log. */
	readonly name: string;
	/** @throws EditFailure when writing fails, the signal's reason when aborted. */
	summarize(paragraphs: readonly Paragraph[], help: TextHelp): Promise<Summarization>;
	/** @throws EditFailure when writing fails, the signal's reason when aborted. */
	writePosts(summary: Summarization, help: TextHelp): Promise<SocialContent>;
}
