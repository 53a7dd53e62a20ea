import { HOPS_PER_SECOND } from '../signal/levels.mts';
import {
	type EditLimits,
	guardSecondsOf,
	keptSecondsOf,
	MIN_CUT_SECONDS,
} from '../../shared/editLimits.mts';
import type { TimelineEdit } from '../../shared/timeRanges.mts';

/** Two edits with no more than this between them, besides what stays of a silence, lie in one pause, in seconds. */
const BORDER_SECONDS = 0.03;

/** A cut that ends this close to the end of the recording reaches it, in seconds. */
const END_SECONDS = 1 / HOPS_PER_SECOND;

/**
 * Returns the edits with no more cut of each long silence than its length asks for (`keptSecondsOf`): the middle
 * goes. Silences with only other cuts between them are one pause, as around a breath that goes.
 *
 * @param edits in order of time; of each long silence all that may be cut.
 * @param seconds the length of the recording.
 */
export function inRhythm(
	edits: readonly TimelineEdit[],
	seconds: number,
	limits: EditLimits,
): TimelineEdit[] {
	const guard = guardSecondsOf(limits);
	return pausesIn(edits, guard).flatMap((pause) => {
		const silences = pause.filter(({ kind }) => kind === 'long_silence');
		if (silences.length === 0) return pause;
		const cutSeconds = silences.reduce((sum, it) => sum + it.endSeconds - it.startSeconds, 0);
		const [first, last] = [silences[0], silences[silences.length - 1]];
		const isAtStart = first.startSeconds === 0;
		const isAtEnd = last.endSeconds >= seconds - END_SECONDS;
		// A pause before the first word has one side only. That after the last word keeps both.
		const guarded = guard * (2 * silences.length - (isAtStart ? 1 : 0));
		const kept = keptSecondsOf(cutSeconds + guarded, limits) / (isAtStart ? 2 : 1);
		const share = Math.max(0, kept - guarded) / cutSeconds;
		return pause.flatMap((edit) => {
			if (edit.kind !== 'long_silence') return [edit];
			const more = share * (edit.endSeconds - edit.startSeconds);
			const before = edit.startSeconds === 0 ? 0 : isAtEnd && edit === last ? more : more / 2;
			const startSeconds = edit.startSeconds + before;
			const endSeconds = edit.endSeconds - (more - before);
			return endSeconds - startSeconds < MIN_CUT_SECONDS
				? []
				: [{ ...edit, startSeconds, endSeconds }];
		});
	});
}

/** The edits by pause: a sound that stays lies between any two pauses. */
function pausesIn(edits: readonly TimelineEdit[], guard: number): TimelineEdit[][] {
	const pauses: TimelineEdit[][] = [];
	let endSeconds = -Infinity;
	for (const edit of edits) {
		const last = pauses.at(-1)?.at(-1);
		const kept = [last, edit].filter((it) => it?.kind === 'long_silence').length * guard;
		if (edit.startSeconds <= endSeconds + kept + (kept > 0 ? BORDER_SECONDS : 0)) {
			pauses.at(-1)?.push(edit);
		} else pauses.push([edit]);
		endSeconds = Math.max(endSeconds, edit.endSeconds);
	}
	return pauses;
}
