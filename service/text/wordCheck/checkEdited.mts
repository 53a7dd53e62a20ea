import type { Alignment } from '../../engine/align/alignSound.mts';
import { firstFrom } from '../../engine/signal/levels.mts';
import { EditFailure } from '../../shared/failures.mts';
import type { TimelineEdit } from '../../shared/timeRanges.mts';
import type { SpeechAudio } from '../speech/speech.mts';
import type { TextHelp, Transcriber } from '../speech/transcriber.mts';
import { checkCuts, type WordCut } from './checkCuts.mts';
import type { FoundWords } from './wordsFile.mts';

/** An edited file of which less is found in the source was made of something else. */
const MIN_SHARE = 0.4;

/** Less is no cut, seconds. */
const MIN_CUT_SECONDS = 0.04;

/** A recording, what somebody made of it, and where the two are the same. */
export interface EditedByOthers {
	source: SpeechAudio;
	edited: SpeechAudio;
	alignment: Alignment;
}

/**
 * Returns which words of a recording are missing in what somebody else made of it.
 *
 * @throws EditFailure when the two have nothing to do with each other, or recognition fails; the signal's reason when
 * aborted.
 */
export async function checkEdited(
	{ source, edited, alignment }: EditedByOthers,
	transcriber: Transcriber,
	help: TextHelp,
): Promise<FoundWords> {
	if (alignment.share < MIN_SHARE) {
		throw new EditFailure(
			'The edited file is not found in the source. Name the file it was made of',
		);
	}
	const timeAfter = timeAfterAlignment(alignment);
	const edits = cutsIn(alignment, source.seconds);
	const found = await checkCuts({ source, edited, edits, timeAfter }, transcriber, help);
	const wordsOf = (cuts: readonly WordCut[]) =>
		cuts.flatMap(({ words }) =>
			words.map(({ text, place: { startSeconds, endSeconds } }) => ({
				text,
				start: rounded(startSeconds),
				end: rounded(endSeconds),
				edited_at: rounded(timeAfter(startSeconds)),
			})),
		);
	return {
		cuts: edits.map(({ startSeconds, endSeconds }) => {
			return { start: rounded(startSeconds), end: rounded(endSeconds) };
		}),
		checked: found.checked,
		missing: wordsOf(found.lost),
		doubtful: wordsOf(found.doubtful),
	};
}

/** What lies between the shared stretches, and before and after them. Nobody knows what it was cut for. */
function cutsIn({ stretches }: Alignment, seconds: number): TimelineEdit[] {
	const ends = [0, ...stretches.map((one) => one.sourceStart + one.seconds)];
	const starts = [...stretches.map(({ sourceStart }) => sourceStart), seconds];
	return ends.flatMap((startSeconds, at): TimelineEdit[] => {
		const endSeconds = starts[at];
		const isCut = endSeconds - startSeconds >= MIN_CUT_SECONDS;
		return isCut ? [{ kind: 'added', sure: 1, startSeconds, endSeconds }] : [];
	});
}

/** Says where a moment of the source is in the edited file; one that was cut is at its join. */
function timeAfterAlignment({ stretches }: Alignment): (seconds: number) => number {
	return (seconds) => {
		const at = firstFrom(stretches, ({ sourceStart }) => sourceStart <= seconds) - 1;
		if (at < 0) return stretches[0]?.editedStart ?? 0;
		const { sourceStart, editedStart, seconds: length } = stretches[at];
		return editedStart + Math.min(seconds - sourceStart, length);
	};
}

function rounded(seconds: number): number {
	return Math.round(seconds * 1_000) / 1_000;
}
