import { HOPS_PER_SECOND } from '../signal/levels.mts';
import { runsOf, SOFT_HOPS } from './scene.mts';
import { DEFAULT_EDIT_LIMITS, type EditLimits, guardSecondsOf } from '../../shared/editLimits.mts';
import type { TimelineEdit } from '../../shared/timeRanges.mts';

/** Nobody's voice that is found is longer than it seems by more than this on either side, hops. */
const OWN_REACH_HOPS = 20;

/** A cut between two voices may be this much shorter than the shortest one in a single voice. */
const REST_TOLERANCE_SECONDS = 0.05;

/**
 * The edits of several tracks of one recording as one list that holds for all of them: a moment is
 * cut only if no other track holds speech there. A long silence is cut only where nobody speaks;
 * other edits are dropped if somebody speaks on another track. Edits of one kind that several
 * tracks share become one.
 *
 * @param activityPerTrack for each track, for every 10 ms, 1 where it holds speech.
 * @param isOwnPerTrack the same, 1 where the microphone's own person is heard, however softly: a breath goes also
 * where only its own speaker comes over into the other tracks.
 * @returns in order of time.
 */
export function combineTracks(
	editsPerTrack: readonly (readonly TimelineEdit[])[],
	activityPerTrack: readonly Uint8Array[],
	limits: EditLimits = DEFAULT_EDIT_LIMITS,
	isOwnPerTrack: readonly Uint8Array[] = activityPerTrack,
): TimelineEdit[] {
	const margins = marginsOf(limits);
	const speaking = activityPerTrack.map((activity, track) => {
		const isOwn = widened(isOwnPerTrack[track]);
		return activity.map((active, hop) => active && (isOwn[hop] ?? 0));
	});
	const edits = editsPerTrack.flatMap((trackEdits, track) => {
		const [others, othersSpeaking] = [activityPerTrack, speaking].map((all) =>
			all.filter((_, other) => other !== track),
		);
		return trackEdits.flatMap((edit) => {
			return withoutVoices(edit, edit.kind === 'breath' ? othersSpeaking : others, margins);
		});
	});
	return joined(edits.toSorted((a, b) => a.startSeconds - b.startSeconds));
}

/** The same, with the soft beginnings and endings of words. */
function widened(marks: Uint8Array): Uint8Array {
	const wide = new Uint8Array(marks.length);
	for (const { start, end } of runsOf(marks)) {
		wide.fill(1, Math.max(0, start - OWN_REACH_HOPS), end + OWN_REACH_HOPS);
	}
	return wide;
}

/**
 * Limits for long silences that another voice interrupts: what is left beside it, and the length from which
 * on what is left of the cut is made. Activity includes the soft beginnings and endings of words. With them,
 * as much stays next to another voice as next to one's own.
 */
function marginsOf(limits: EditLimits) {
	const guard = Math.max(0, guardSecondsOf(limits) - SOFT_HOPS / HOPS_PER_SECOND);
	return {
		guardSeconds: Math.round(guard * 1000) / 1000,
		minRestSeconds: limits.longSilenceSeconds - 2 * guardSecondsOf(limits) - REST_TOLERANCE_SECONDS,
	};
}

function withoutVoices(
	edit: TimelineEdit,
	others: readonly Uint8Array[],
	{ guardSeconds, minRestSeconds }: ReturnType<typeof marginsOf>,
): TimelineEdit[] {
	const guard = edit.kind === 'long_silence' ? guardSeconds : 0;
	const first = Math.floor((edit.startSeconds - guard) * HOPS_PER_SECOND);
	const last = Math.ceil((edit.endSeconds + guard) * HOPS_PER_SECOND);
	const rests: TimelineEdit[] = [];
	let startSeconds = edit.startSeconds;
	let isCut = false;
	for (let hop = Math.max(0, first); hop < last; hop++) {
		if (!others.some((activity) => activity[hop])) continue;
		isCut = true;
		const endSeconds = Math.min(edit.endSeconds, hop / HOPS_PER_SECOND - guard);
		if (endSeconds > startSeconds) rests.push({ ...edit, startSeconds, endSeconds });
		startSeconds = Math.max(startSeconds, (hop + 1) / HOPS_PER_SECOND + guard);
	}
	if (!isCut) return [edit];
	if (edit.kind !== 'long_silence') return [];
	if (edit.endSeconds > startSeconds) rests.push({ ...edit, startSeconds });
	return rests.filter((rest) => rest.endSeconds - rest.startSeconds >= minRestSeconds);
}

function joined(edits: readonly TimelineEdit[]): TimelineEdit[] {
	const result: TimelineEdit[] = [];
	for (const edit of edits) {
		const same = result.findLast(({ kind }) => kind === edit.kind);
		if (same && edit.startSeconds < same.endSeconds) {
			same.endSeconds = Math.max(same.endSeconds, edit.endSeconds);
			same.sure = Math.min(same.sure, edit.sure);
		} else result.push({ ...edit });
	}
	return result;
}
