import { phaseOf } from '../api/contract';
import type { PolledEdit } from './polledEdit';

/** Edits in these statuses end soon: multiplies the time since their last poll. */
const STATUS_WEIGHTS: Readonly<Record<string, number>> = { POSTPROCESSING: 1.7, EXPORT: 3.5 };

/** The share of PENDING edits found started, before any was seen. */
const FIRST_STARTED_SHARE = 0.75;

/** How much one look at a PENDING edit changes that share. */
const LOOK_WEIGHT = 0.02;

/** At this share and above, the service starts edits in the order of their submission. */
const IN_ORDER_SHARE = 0.5;

/**
 * Every tenth poll goes to the edit unseen longest, wherever it is in the order. Otherwise edits that
 * never start, such as expired ones, would hide those behind them.
 */
const FAIR_POLL_EVERY = 10;

/**
 * Decides which unfinished edit to ask about next: the one unseen longest. A service usually starts
 * edits in the order of their submission, and one more when one ends. So a PENDING edit counts as
 * unseen only from the time at which it should have started. The gains quoted below are those of
 * `npm run bench:waiting priorities`.
 */
export class PollPriority {
	/** In the order of submission. */
	private readonly pending: Set<PolledEdit>;

	private readonly atWork = new Set<PolledEdit>();

	/** The place of each edit in the order of submission. */
	private readonly places = new Map<PolledEdit, number>();

	/** When the edit at each place should have started; as many as are expected to have. */
	private readonly startsAtMs: number[] = [];

	/** The latest place that was seen started. */
	private furthestStart = -1;

	private startedShare = FIRST_STARTED_SHARE;

	private polls = 0;

	/** The latest look at an edit that was still PENDING, or that had unexpectedly started. */
	private frontSeenAtMs = -Infinity;

	constructor(edits: readonly PolledEdit[]) {
		const ordered = [...edits].sort((a, b) => (a.submittedAtMs ?? 0) - (b.submittedAtMs ?? 0));
		ordered.forEach((edit, place) => this.places.set(edit, place));
		this.pending = new Set(ordered);
	}

	/** Adds an edit that was submitted after the others. */
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
		return [...this.atWork, ...this.pending];
	}

	/** The unfinished edits whose time is up, without those that are being asked about. */
	late(nowMs: number): PolledEdit[] {
		const isLate = ({ isInFlight, deadlineMs }: PolledEdit) => !isInFlight && deadlineMs <= nowMs;
		return this.unfinished().filter(isLate);
	}

	/** Returns the edit to ask about next, of those that are due; undefined if none is. */
	next(nowMs: number): PolledEdit | undefined {
		const isFair = this.polls % FAIR_POLL_EVERY === FAIR_POLL_EVERY - 1;
		let best: PolledEdit | undefined;
		let highest = -Infinity;
		const consider = (edit: PolledEdit, urgency: number) => {
			if (urgency <= highest) return;
			best = edit;
			highest = urgency;
		};
		for (const edit of this.atWork) {
			const weight = isFair ? 1 : this.statusWeight(edit.status);
			if (edit.isDue(nowMs)) consider(edit, (nowMs - edit.lastSeenAtMs) * weight);
		}
		const weight = isFair ? 1 : this.pendingWeight();
		const isInOrder = !isFair && this.isInOrder();
		for (const edit of this.pending) {
			const place = this.places.get(edit)!;
			const isFront = isInOrder && place >= this.startsAtMs.length;
			const startMs = isInOrder ? (this.startsAtMs[place] ?? this.frontSeenAtMs) : -Infinity;
			const seenAtMs = Math.max(edit.lastSeenAtMs, startMs);
			if (edit.isDue(nowMs)) consider(edit, (nowMs - seenAtMs) * weight);
			// Edits submitted after the front should not have started either.
			if (isFront) break;
		}
		if (best === undefined && isInOrder) {
			// Polls to spare go to the edits after the front: it may be one that never starts.
			for (const edit of this.pending) {
				if (edit.isDue(nowMs)) consider(edit, nowMs - edit.lastSeenAtMs);
			}
		}
		if (best !== undefined) this.polls += 1;
		return best;
	}

	/**
	 * When the next edit can be asked about or its time is up, in milliseconds since 1970; infinity if
	 * all are being asked.
	 *
	 * @param freeAtMs when the rate limit allows the next poll
	 */
	nextTurnAtMs(nowMs: number, freeAtMs: number): number {
		let nextMs = Infinity;
		for (const edits of [this.atWork, this.pending]) {
			for (const { isInFlight, nextPollAtMs, deadlineMs } of edits) {
				if (isInFlight) continue;
				nextMs = Math.min(nextMs, Math.max(freeAtMs, nextPollAtMs));
				if (deadlineMs > nowMs) nextMs = Math.min(nextMs, deadlineMs);
			}
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
		this.remove(edit);
		if (edit.endedAtMs !== undefined) this.expect(1, edit.endedAtMs);
	}

	private learnStart(edit: PolledEdit, askedAtMs: number): void {
		const place = this.places.get(edit)!;
		const isExpected = place < this.startsAtMs.length;
		const hasStarted = phaseOf(edit.status) !== 'pending';
		if (hasStarted || place < this.furthestStart) {
			this.startedShare += ((hasStarted ? 1 : 0) - this.startedShare) * LOOK_WEIGHT;
		}
		if (!isExpected || !hasStarted) this.frontSeenAtMs = askedAtMs;
		if (!hasStarted) {
			if (isExpected) this.startsAtMs.length = place;
			return;
		}
		this.pending.delete(edit);
		this.atWork.add(edit);
		this.furthestStart = Math.max(this.furthestStart, place);
		// More edits are at work than expected: so the one after this may have started, too.
		if (!isExpected) this.expect(place + 2 - this.startsAtMs.length, askedAtMs);
	}

	/** Expects `count` more edits to start at this time. */
	private expect(count: number, startMs: number): void {
		const length = Math.min(this.places.size, this.startsAtMs.length + count);
		while (this.startsAtMs.length < length) this.startsAtMs.push(startMs);
	}

	/** With 1,000 edits that start in order, this lowers the mean lag from 43 to 4 s. */
	protected isInOrder(): boolean {
		return this.startedShare >= IN_ORDER_SHARE;
	}

	/** With 1,000 edits that start in any order, this lowers the mean lag from 42 to 30 s. */
	protected pendingWeight(): number {
		return Math.sqrt(this.startedShare);
	}

	/** With 10,000 edits that start in order, this lowers the mean lag from 28 to 21 s. */
	protected statusWeight(status: string): number {
		return STATUS_WEIGHTS[status] ?? 1;
	}
}
