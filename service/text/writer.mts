import type { SocialContent, Summarization } from './texts.mts';
import type { Paragraph } from './transcript.mts';
import type { TextHelp } from './transcriber.mts';

/** Something that writes summaries and posts about a transcript. */
export interface TextWriter {
	/** For the greeting and the log: what it is and where. */
	readonly name: string;
	/** @throws EditFailure when it cannot be done, the signal's reason when aborted. */
	summarize(paragraphs: readonly Paragraph[], help: TextHelp): Promise<Summarization>;
	/** @throws EditFailure when it cannot be done, the signal's reason when aborted. */
	writePosts(summary: Summarization, help: TextHelp): Promise<SocialContent>;
}
