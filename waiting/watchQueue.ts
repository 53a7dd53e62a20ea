import { phaseOf } from '../api/contract';
import { SeenDurations } from './durations';
import { finishedLikelihood } from './likelihood';
import { StartOrder } from './startOrder';
import type { Watch } from './watch';

/** Every so many calls, one goes to the edit unseen longest: guesses may be wrong, and nobody is forgotten. */
const FAIR_CALL_EVERY = 10;

/** From this faith on, the order of submission tells when an edit started better than its polls. */
const BELIEF = 0.9;

/**
 * The edits that are not finished, and whose turn it is. It learns from what it sees: how long edits
 * are processed, and whether they start in the order of their submission.
 */
export class WatchQueue {
	/** The unfinished ones, in the order of their submission. */
	private readonly unfinished: Set<Watch>;

	private readonly place = new Map<Watch, number>();

	private readonly durations = new SeenDurations();

	private calls = 0;

	private readonly startOrder: StartOrder;

	constructor(watches: readonly Watch[]) {
		const submittedAtMs = ({ watched }: Watch) => watched.submittedAtMs ?? 0;
		const ordered = [...watches].sort((a, b) => submittedAtMs(a) - submittedAtMs(b));
		ordered.forEach((watch, index) => this.place.set(watch, index));
		this.unfinished = new Set(ordered);
		this.startOrder = new StartOrder(ordered[0]?.lastSeenAtMs ?? 0);
	}

	get size(): number {
		return this.unfinished.size;
	}

	/** The unfinished edits. */
	get watches(): Iterable<Watch> {
		return this.unfinished;
	}

	/**
	 * Of the edits that are due, the one most likely to have finished; at every tenth call the one
	 * unseen longest. Undefined if none is due.
	 *
	 * @param dueUntilMs an edit is due if its next poll is not after this time
	 */
	next(nowMs: number, dueUntilMs: number): Watch | undefined {
		const batch = { durations: this.durations, orderFaith: this.startOrder.faith };
		const isFairCall = this.calls % FAIR_CALL_EVERY === FAIR_CALL_EVERY - 1;
		let best: Watch | undefined;
		let highest = -1;
		for (const watch of this.unfinished) {
			if (watch.isInFlight || watch.nextPollAtMs > dueUntilMs) continue;
			const startsAtMs = this.startOrder.startsAtMs(this.place.get(watch)!);
			const urgency = isFairCall
				? nowMs - watch.lastSeenAtMs
				: finishedLikelihood(watch, startsAtMs, batch, nowMs);
			if (urgency > highest) {
				best = watch;
				highest = urgency;
			}
		}
		if (best !== undefined) this.calls += 1;
		return best;
	}

	/** Takes an edit out that will not be asked about. */
	remove(watch: Watch): void {
		this.unfinished.delete(watch);
	}

	/** When the next edit will be due, in milliseconds since 1970; infinity if all are asked just now. */
	nextDueAtMs(): number {
		let nextMs = Infinity;
		for (const { isInFlight, nextPollAtMs } of this.unfinished) {
			if (!isInFlight) nextMs = Math.min(nextMs, nextPollAtMs);
		}
		return nextMs;
	}

	/** Takes in what a poll has shown of an edit. */
	learn(watch: Watch, askedAtMs: number): void {
		if (watch.failure === undefined) this.learnStart(watch, askedAtMs);
		if (watch.end === undefined) return;
		this.remove(watch);
		if (watch.startedAtMs === undefined || watch.endedAtMs === undefined) return;
		const endedAtMs = Math.max(watch.startedAtMs, watch.endedAtMs);
		this.startOrder.sawEnd(endedAtMs);
		const durationMs = endedAtMs - watch.startedAtMs;
		if (this.startDoubtMs(watch) <= durationMs) this.durations.add(durationMs);
	}

	/** An edit first seen in process began somewhere since it was last known to be PENDING. */
	private learnStart(watch: Watch, askedAtMs: number): void {
		if (watch.startedAtMs !== undefined) return;
		const place = this.place.get(watch)!;
		const hasStarted = phaseOf(watch.status) !== 'pending';
		if (hasStarted) {
			const { pendingUntilMs } = watch;
			const middleMs = (pendingUntilMs + askedAtMs) / 2;
			const byOrderMs = this.startOrder.startsAtMs(place);
			const isBelieved = this.startOrder.faith >= BELIEF && byOrderMs !== Infinity;
			watch.startedAtMs = isBelieved
				? Math.min(askedAtMs, Math.max(pendingUntilMs, byOrderMs))
				: middleMs;
		}
		this.startOrder.sawStart(place, hasStarted);
	}

	/** How far the start of a started edit may be off, in milliseconds. */
	private startDoubtMs({ startedAtMs, pendingUntilMs }: Watch): number {
		if (startedAtMs === undefined) return Infinity;
		return this.startOrder.faith >= BELIEF ? 0 : startedAtMs - pendingUntilMs;
	}
}
