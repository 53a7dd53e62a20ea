import type { Cut, Kind, Review } from './wire.mts';

/** A cut on the page; its id stays when a border moves. */
export interface PageCut extends Cut {
	readonly id: number;
	/** Whether the threshold keeps it, and no person. */
	readonly isUnsure?: boolean;
}

/** What a visitor does with cuts; places are in samples. */
export interface CutPage {
	choose: (id: number) => void;
	/** Moves the cursor. */
	point: (place: number) => void;
	move: (id: number, start: number, end: number) => void;
	add: (start: number, end: number) => void;
	setKind: (kind: Kind, keep: boolean) => void;
}

type Range = Pick<Cut, 'start' | 'end'>;

/** What undo restores. */
interface View {
	readonly cuts: readonly PageCut[];
	/** Detected cuts that are less sure than this stay in the sound, 0 to 1. */
	readonly threshold: number;
}

/** The shortest cut that a person can make, in seconds. */
const MIN_SECONDS = 0.01;

/** How many changes can be undone; each remembers the whole list. */
const UNDO_STEPS = 200;

/** The cuts of a recording as a person changes them, in their order, with undo and redo. */
export class CutEditor {
	private past: View[] = [];
	private future: View[] = [];
	private view: View;
	/** What a movement of the slider began with. */
	private slide: { readonly from: View; isChange: boolean } | undefined;
	private nextId: number;

	constructor(private readonly review: Pick<Review, 'cuts' | 'samples' | 'sample_rate'>) {
		const sorted = review.cuts.toSorted((one, other) => one.start - other.start);
		this.view = { cuts: sorted.map((cut, id) => ({ ...cut, id })), threshold: 0 };
		this.nextId = sorted.length;
	}

	get cuts(): readonly PageCut[] {
		return this.view.cuts;
	}

	/** Returns what the slider and its neighbors show. */
	get controls(): { threshold: number; canUndo: boolean; canRedo: boolean } {
		const { past, future, view } = this;
		return { threshold: view.threshold, canUndo: past.length > 0, canRedo: future.length > 0 };
	}

	/** Keeps the sound of a cut, or cuts it again. */
	toggle(id: number): void {
		this.map((cut) => (cut.id === id ? decided(cut, !cut.keep) : cut));
	}

	/** Keeps or cuts all of a kind. */
	setKind(kind: Kind, keep: boolean): void {
		this.map((cut) => (cut.kind === kind ? decided(cut, keep) : cut));
	}

	/**
	 * Keeps what became less sure than the threshold; cuts again what only a higher one had kept. All until
	 * {@link endSlide} is one step of undo.
	 */
	setThreshold(threshold: number): void {
		const before = this.view.threshold;
		const slide = (this.slide ??= { from: this.view, isChange: false });
		const cuts = this.cuts.map((cut) => {
			const { sure, keep, isUnsure } = cut;
			if (sure === null || (sure < before && sure < threshold)) return cut;
			if (sure >= threshold) return isUnsure ? decided(cut, false) : cut;
			return keep ? cut : { ...cut, keep: true, isUnsure: true };
		});
		const isSame = cuts.every((cut, place) => cut === this.cuts[place]);
		if (!isSame && !slide.isChange) {
			this.remember(slide.from);
			slide.isChange = true;
		}
		this.view = { cuts: isSame ? this.cuts : cuts, threshold };
	}

	/** The slider has stopped. */
	endSlide(): void {
		this.slide = undefined;
	}

	/** Moves the borders of a cut, at most to its neighbors. Does nothing if there is no room. */
	move(id: number, start: number, end: number, by: string): void {
		const place = this.cuts.findIndex((cut) => cut.id === id);
		const before = place > 0 ? this.cuts[place - 1] : undefined;
		const room = this.roomFor({ start, end }, before, this.cuts[place + 1]);
		this.map((cut) => {
			if (!room || cut.id !== id || (cut.start === room.start && cut.end === room.end)) return cut;
			return { ...cut, ...room, by, sure: null };
		});
	}

	/** Adds a cut, shortened to the free sound. @returns its id; undefined if there is no room */
	add(start: number, end: number, by: string): number | undefined {
		const middle = (start + end) / 2;
		const before = this.cuts.findLast((cut) => cut.start <= middle);
		const after = this.cuts.find((cut) => cut.start > middle);
		const room = this.roomFor({ start, end }, before, after);
		if (!room) return undefined;
		const id = this.nextId++;
		const cut: PageCut = { kind: 'added', track: null, ...room, sure: null, by, keep: false, id };
		const cuts = [...this.cuts, cut].toSorted((one, other) => one.start - other.start);
		this.push({ ...this.view, cuts });
		return id;
	}

	undo(): void {
		this.step(this.past, this.future);
	}

	redo(): void {
		this.step(this.future, this.past);
	}

	private step(from: View[], to: View[]): void {
		this.endSlide();
		const view = from.pop();
		if (!view) return;
		to.push(this.view);
		this.view = view;
	}

	/** Returns what is free of a range between two cuts, in whole samples; undefined if it is too short. */
	private roomFor({ start, end }: Range, before?: Range, after?: Range): Range | undefined {
		const { samples, sample_rate: rate } = this.review;
		const room = {
			start: Math.round(Math.max(start, before?.end ?? 0)),
			end: Math.round(Math.min(end, after?.start ?? samples)),
		};
		return room.end - room.start >= MIN_SECONDS * rate ? room : undefined;
	}

	private map(change: (cut: PageCut) => PageCut): void {
		const cuts = this.cuts.map(change);
		const isSame = cuts.every((cut, place) => cut === this.cuts[place]);
		if (!isSame) this.push({ ...this.view, cuts });
	}

	private push(view: View): void {
		this.endSlide();
		this.remember(this.view);
		this.view = view;
	}

	private remember(view: View): void {
		this.past = [...this.past, view].slice(-UNDO_STEPS);
		this.future = [];
	}
}

/** Returns a cut that a person keeps or cuts; the same one if a person did so already. */
function decided(cut: PageCut, keep: boolean): PageCut {
	return cut.keep === keep && !cut.isUnsure ? cut : { ...cut, keep, isUnsure: false };
}
