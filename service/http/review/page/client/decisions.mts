import type { Cut, Kind, Review } from './wire.mts';

/** A cut on the page; its id stays when a border moves. */
export interface Decision extends Cut {
	readonly id: number;
}

/** What undo restores. */
interface View {
	readonly cuts: readonly Decision[];
	/** Detected cuts that are less sure than this stay in the sound, 0 to 1. */
	readonly threshold: number;
}

/** The shortest cut that a person can make, in seconds. */
const SHORTEST_SECONDS = 0.01;

/** How many changes can be undone; each remembers the whole list. */
const UNDO_STEPS = 200;

/** The decisions about a recording's cuts, in their order, with undo and redo. */
export class Decisions {
	private past: View[] = [];
	private future: View[] = [];
	private view: View;
	private nextId: number;

	constructor(private readonly review: Pick<Review, 'cuts' | 'samples' | 'sample_rate'>) {
		const sorted = review.cuts.toSorted((one, other) => one.start - other.start);
		this.view = { cuts: sorted.map((cut, id) => ({ ...cut, id })), threshold: 0 };
		this.nextId = sorted.length;
	}

	get cuts(): readonly Decision[] {
		return this.view.cuts;
	}

	get threshold(): number {
		return this.view.threshold;
	}

	get canUndo(): boolean {
		return this.past.length > 0;
	}

	get canRedo(): boolean {
		return this.future.length > 0;
	}

	/** Keeps the sound of a cut, or cuts it again. */
	toggle(id: number): void {
		this.map((cut) => (cut.id === id ? { ...cut, keep: !cut.keep } : cut));
	}

	/** Keeps or cuts all of a kind. */
	setKind(kind: Kind, keep: boolean): void {
		this.map((cut) => (cut.kind === kind ? decided(cut, keep) : cut));
	}

	/** Keeps what is less sure than the threshold, and cuts again what a higher one had kept. */
	setThreshold(threshold: number): void {
		const before = this.threshold;
		this.map((cut) => {
			if (cut.sure === null || cut.sure >= Math.max(before, threshold)) return cut;
			return decided(cut, cut.sure < threshold);
		}, threshold);
	}

	/** Moves the borders of a cut as far as its neighbours let them. @returns whether there was room */
	move(id: number, start: number, end: number, by: string): boolean {
		const room = this.roomFor(start, end, id);
		if (!room) return false;
		this.map((one) => (one.id === id ? { ...one, ...room, by, sure: null } : one));
		return true;
	}

	/** Adds a cut, shortened to the free sound. @returns its id; undefined if there is no room */
	add(start: number, end: number, by: string): number | undefined {
		const room = this.roomFor(start, end);
		if (!room) return undefined;
		const id = this.nextId++;
		const cut: Decision = { kind: 'added', ...room, sure: null, by, keep: false, id };
		const cuts = [...this.cuts, cut].toSorted((one, other) => one.start - other.start);
		this.push({ ...this.view, cuts });
		return id;
	}

	undo(): void {
		const view = this.past.pop();
		if (!view) return;
		this.future.push(this.view);
		this.view = view;
	}

	redo(): void {
		const view = this.future.pop();
		if (!view) return;
		this.past.push(this.view);
		this.view = view;
	}

	/** Returns the range without what other cuts take of it, as whole samples within the recording. */
	private roomFor(
		start: number,
		end: number,
		id?: number,
	): { start: number; end: number } | undefined {
		const others = this.cuts.filter((cut) => cut.id !== id);
		const middle = (start + end) / 2;
		const before = others.filter((cut) => cut.start <= middle).map((cut) => cut.end);
		const after = others.filter((cut) => cut.start > middle).map((cut) => cut.start);
		const room = {
			start: Math.round(Math.max(0, start, ...before.slice(-1))),
			end: Math.round(Math.min(this.review.samples, end, ...after.slice(0, 1))),
		};
		return room.end - room.start >= SHORTEST_SECONDS * this.review.sample_rate ? room : undefined;
	}

	private map(change: (cut: Decision) => Decision, threshold = this.threshold): void {
		const cuts = this.cuts.map(change);
		const isSame = cuts.every((cut, place) => cut === this.cuts[place]);
		if (isSame) this.view = { cuts: this.cuts, threshold };
		else this.push({ cuts, threshold });
	}

	private push(view: View): void {
		this.past = [...this.past, this.view].slice(-UNDO_STEPS);
		this.future = [];
		this.view = view;
	}
}

/** Returns the same cut if it is decided so already. */
function decided(cut: Decision, keep: boolean): Decision {
	return cut.keep === keep ? cut : { ...cut, keep };
}
