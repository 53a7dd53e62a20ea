import { isFinalStatus, phaseOf } from '../api/contract';
import type { PolledEdit } from './polledEdit';
import { WorkTimes } from './schedule';

/** Edits in these statuses end soon: multiplies their urgency. */
const STATUS_WEIGHTS: Readonly<Record<string, number>> = { POSTPROCESSING: 3, EXPORT: 12 };

/** Receives an edit and how urgent it is. */
type Consider = (edit: PolledEdit, urgency: number) => void;

/** The share of PENDING edits found started, before any was seen. */
const FIRST_STARTED_SHARE = 0.75;

/** How much one look at a PENDING edit changes that share. */
const LOOK_WEIGHT = 0.02;

/**
 * At this share and above, the service starts edits in the order of their submission. With 1,000 edits, to know
 * that lowers the mean lag from 44 to 6 s.
 */
const IN_ORDER_SHARE = 0.5;

/**
 * Every tenth poll goes to the edit unseen longest, wherever it is in the order. Otherwise edits that
 * never start, such as expired ones, would hide the later ones.
 */
const FAIR_POLL_EVERY = 10;

/**
 * Decides which unfinished edit to poll next: the one that has probably been over for longest. This is
 * known while the service starts edits in the order of their submission, and one more when one ends.
 * Then the start of each is known, and the work times of ended edits predict its end. In any other order,
 * the edit unseen longest comes next. `npm run bench -- waiting` once left out each part, and so measured the gains
 * quoted here.
 */
export class PollPriority {
	/** In the order of submission. */
	private readonly pending = new Set<PolledEdit>();

	/** With the time at which each started, in milliseconds since 1970. */
	private readonly atWork = new Map<PolledEdit, number>();

	private readonly workTimes = new WorkTimes();

	/** The place of each edit in the order of submission. */
	private readonly places = new Map<PolledEdit, number>();

	/** When the edit at each place should have started; as many as are expected to have. */
	private readonly startsAtMs: number[] = [];

	/** The latest place that was seen started. */
	private furthestStart = -1;

	private startedShare = FIRST_STARTED_SHARE;

	private polls = 0;

	/**
	 * The latest look at an edit that was still PENDING. One that has unexpectedly started does not count:
	 * more are at work than expected, so those after it are as urgent, until one is PENDING.
	 */
	private frontSeenAtMs = -Infinity;

	constructor(edits: readonly PolledEdit[]) {
		const ordered = [...edits].sort((a, b) => (a.submittedAtMs ?? 0) - (b.submittedAtMs ?? 0));
		for (const edit of ordered) this.add(edit);
	}

	/** Adds the edit that was submitted last. */
	add(edit: PolledEdit): void {
		this.places.set(edit, this.places.size);
		this.pending.add(edit);
	}

	/** How many edits are unfinished. */
	get size(): number {
		return this.pending.size + this.atWork.size;
	}

	/** The unfinished edits. */
	unfinished(): PolledEdit[] {
		return [...this.atWork.keys(), ...this.pending];
	}

	/** The unfinished edits whose time is up, without those that are being asked about. */
	late(nowMs: number): PolledEdit[] {
		const isLate = ({ isInFlight, deadlineMs }: PolledEdit) => !isInFlight && deadlineMs <= nowMs;
		return this.unfinished().filter(isLate);
	}

	/** Returns the edit to ask about next, of those that are due; undefined if none is. */
	next(nowMs: number): PolledEdit | undefined {
		let best: PolledEdit | undefined;
		let highest = -Infinity;
		const consider: Consider = (edit, urgency) => {
			if (urgency <= highest) return;
			best = edit;
			highest = urgency;
		};
		const isFair = this.polls % FAIR_POLL_EVERY === FAIR_POLL_EVERY - 1;
		if (!isFair && this.startedShare >= IN_ORDER_SHARE) this.compareInOrder(nowMs, consider);
		else this.compareUnseen(nowMs, consider, !isFair);
		// Spare polls go to later edits, because the first one may never start.
		if (best === undefined) this.compareUnseen(nowMs, consider, false);
		if (best !== undefined) this.polls += 1;
		return best;
	}

	/**
	 * Compares the edits that are due by the square of their time since the last poll. With 1,000 edits that
	 * start in any order, the weight of the PENDING ones lowers the mean lag from 40 to 30 s.
	 */
	private compareUnseen(nowMs: number, consider: Consider, isWeighted: boolean): void {
		for (const edit of this.unfinished()) {
			if (!edit.isDue(nowMs)) continue;
			const weight = this.pending.has(edit) ? this.startedShare : weightOf(edit.status);
			consider(edit, (nowMs - edit.lastSeenAtMs) ** 2 * (isWeighted ? weight : 1));
		}
	}

	/**
	 * Compares the edits that are due by the time since their probable end, up to the front: how long ago each
	 * has ended by the work times of those that did. With 10,000 edits that start in order, the work times lower
	 * the mean lag from 28 to 13 s, and the weights of the statuses from 26 to 13 s.
	 */
	private compareInOrder(nowMs: number, consider: Consider): void {
		const ranMs = Array.from(this.atWork, ([edit, startMs]) => edit.lastSeenAtMs - startMs);
		const runningMs = ranMs.sort((a, b) => a - b);
		const sinceEndMs = (startMs: number, seenAtMs: number) =>
			this.workTimes.sinceEndMs(seenAtMs - startMs, nowMs - startMs, runningMs);
		for (const [edit, startMs] of this.atWork) {
			if (!edit.isDue(nowMs)) continue;
			consider(edit, sinceEndMs(startMs, edit.lastSeenAtMs) * weightOf(edit.status));
		}
		for (const edit of this.pending) {
			const startMs = this.startsAtMs[this.places.get(edit)!];
			const isFront = startMs === undefined;
			const seenAtMs = Math.max(edit.lastSeenAtMs, startMs ?? this.frontSeenAtMs);
			if (edit.isDue(nowMs)) {
				// The front may have started at any moment since its last poll, so half of that is the mean.
				const urgency = isFront
					? ((nowMs - seenAtMs) / 2) * this.startedShare
					: sinceEndMs(seenAtMs, seenAtMs);
				consider(edit, urgency);
			}
			// Edits submitted after the front should not have started either.
			if (isFront) break;
		}
	}

	/**
	 * When the next edit can be asked about or its time is up, in milliseconds since 1970; infinity if
	 * all are being asked.
	 *
	 * @param freeAtMs when the rate limit allows the next poll
	 */
	nextTurnAtMs(nowMs: number, freeAtMs: number): number {
		let nextMs = Infinity;
		for (const { isInFlight, nextPollAtMs, deadlineMs } of this.unfinished()) {
			if (isInFlight) continue;
			nextMs = Math.min(nextMs, Math.max(freeAtMs, nextPollAtMs));
			if (deadlineMs > nowMs) nextMs = Math.min(nextMs, deadlineMs);
		}
		return nextMs;
	}

	/** Removes an edit that needs no more polls. */
	remove(edit: PolledEdit): void {
		this.pending.delete(edit);
		this.atWork.delete(edit);
	}

	/** Learns from an answered poll. */
	learn(edit: PolledEdit, askedAtMs: number): void {
		if (edit.failure === undefined && this.pending.has(edit)) this.learnStart(edit, askedAtMs);
		if (edit.end === undefined) return;
		if (isFinalStatus(edit.status)) this.learnEnd(edit, askedAtMs);
		this.remove(edit);
	}

	private learnStart(edit: PolledEdit, askedAtMs: number): void {
		const place = this.places.get(edit)!;
		const isExpected = place < this.startsAtMs.length;
		const hasStarted = phaseOf(edit.status) !== 'pending';
		if (hasStarted || place < this.furthestStart) {
			this.startedShare += ((hasStarted ? 1 : 0) - this.startedShare) * LOOK_WEIGHT;
		}
		if (!hasStarted) {
			this.frontSeenAtMs = askedAtMs;
			if (isExpected) this.startsAtMs.length = place;
			return;
		}
		const pendingAtMs = edit.unchangedAtMs;
		const notBeforeMs = Math.max(pendingAtMs, this.frontSeenAtMs);
		const startMs = isExpected ? this.startsAtMs[place] : (notBeforeMs + askedAtMs) / 2;
		this.pending.delete(edit);
		this.atWork.set(edit, Math.max(pendingAtMs, startMs));
		this.furthestStart = Math.max(this.furthestStart, place);
		// More edits are at work than expected, so the next one may have started, too.
		if (!isExpected) this.expect(place + 2 - this.startsAtMs.length, askedAtMs);
	}

	/** An end shows how long the service worked, and when it began the next edit. */
	private learnEnd(edit: PolledEdit, askedAtMs: number): void {
		const startMs = this.atWork.get(edit) ?? edit.unchangedAtMs;
		const seenMs = Math.max(0, edit.unchangedAtMs - startMs);
		const workMs = this.workTimes.likelyMs(seenMs, askedAtMs - startMs);
		this.workTimes.note(workMs);
		this.expect(1, startMs + workMs);
	}

	/** Expects `count` more edits to start at this time. */
	private expect(count: number, startMs: number): void {
		const length = Math.min(this.places.size, this.startsAtMs.length + count);
		while (this.startsAtMs.length < length) this.startsAtMs.push(startMs);
	}
}

function weightOf(status: string): number {
	return STATUS_WEIGHTS[status] ?? 1;
}
