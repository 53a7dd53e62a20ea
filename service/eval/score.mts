import { DEFAULT_EDIT_LIMITS, keptSecondsOf } from '../shared/editLimits.mts';
import type { KnownEvent } from './scene.mts';
import type { EditKind, TimeRange } from '../shared/timeRanges.mts';

/** How well a kind of edit was found. */
export class Tally {
	found = 0;
	missed = 0;
	wrong = 0;

	static of(tallies: readonly Tally[]): Tally {
		const sum = new Tally();
		for (const tally of tallies) {
			sum.found += tally.found;
			sum.missed += tally.missed;
			sum.wrong += tally.wrong;
		}
		return sum;
	}

	get precision(): number {
		return this.found / Math.max(1, this.found + this.wrong);
	}

	get recall(): number {
		return this.found / Math.max(1, this.found + this.missed);
	}

	get f1(): number {
		const { precision, recall } = this;
		return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
	}
}

/** A cut may reach this far beyond the event, seconds. */
const MARGIN_SECONDS = 0.03;

/**
 * Compares edits with what is known to be there, each with at most one. They match when the edit
 * takes out at least half of the event, without the pause that stays of a silence, and at least half of the
 * edit is on it (give or take 30 ms).
 * Masked events count neither way.
 *
 * @param kinds taken for the same thing.
 */
export function tallyOf(
	kinds: readonly EditKind[],
	known: readonly KnownEvent[],
	edits: readonly (TimeRange & { kind: EditKind })[],
): Tally {
	const tally = new Tally();
	const rest = edits.filter(({ kind }) => kinds.includes(kind));
	for (const event of known.filter(({ kind }) => kinds.includes(kind))) {
		const index = rest.findIndex((edit) => isSame(event, edit));
		if (index >= 0) rest.splice(index, 1);
		if (!event.isMasked) tally[index >= 0 ? 'found' : 'missed']++;
	}
	// A pause with only inaudible sounds may be cut or stay.
	const masked = known.filter(({ isMasked }) => isMasked);
	tally.wrong = rest.filter((edit) => !masked.some((event) => isSame(event, edit))).length;
	return tally;
}

/** Returns what an edit must cut: of a long silence, a shorter one stays. */
function toBeCut(event: KnownEvent): TimeRange {
	if (event.kind !== 'long_silence') return event;
	const kept = keptSecondsOf(lengthOf(event), DEFAULT_EDIT_LIMITS);
	return {
		startSeconds: event.startSeconds + kept / 2,
		endSeconds: event.endSeconds - kept / 2,
	};
}

/** True if an edit takes out an event, or at least half of what must be cut of it, and not much more. */
export function isSame(event: KnownEvent, edit: TimeRange): boolean {
	const wanted = toBeCut(event);
	const wide = {
		startSeconds: event.startSeconds - MARGIN_SECONDS,
		endSeconds: event.endSeconds + MARGIN_SECONDS,
	};
	return (
		shared(wanted, edit) >= 0.5 * lengthOf(wanted) && shared(wide, edit) >= 0.5 * lengthOf(edit)
	);
}

export function shared(a: TimeRange, b: TimeRange): number {
	const start = Math.max(a.startSeconds, b.startSeconds);
	return Math.max(0, Math.min(a.endSeconds, b.endSeconds) - start);
}

export function lengthOf({ startSeconds, endSeconds }: TimeRange): number {
	return endSeconds - startSeconds;
}
