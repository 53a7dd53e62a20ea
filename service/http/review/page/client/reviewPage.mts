import { askForApproval, reviewer } from './approve.mts';
import { type Decision, Decisions } from './decisions.mts';
import { byId } from './dom.mts';
import { type Actions, bindActions } from './keys.mts';
import { List } from './list.mts';
import { readReview, Refusal, Saving, startAgain } from './service.mts';
import { Sounds } from './sounds.mts';
import { showEnd, showStanding, showSummary } from './standing.mts';
import { Waves } from './waves.mts';
import type { Kind, Progress, Review } from './wire.mts';
import { Words } from './words.mts';

/** The length of a cut that a key adds, in seconds. */
const NEW_CUT_SECONDS = 0.5;

/** How long the page waits before it asks again whether the file is ready. */
const POLL_MS = 3_000;

/** An open review: what is decided and chosen. Its methods are what a visitor can do; places are in samples. */
export class ReviewPage implements Actions {
	private decisions: Decisions;
	private saving: Saving;
	private chosenId: number | undefined;
	/** Where the cursor is. */
	private place = 0;
	private readonly waves: Waves;
	private readonly list: List;
	private readonly words: Words;
	private readonly sounds: Sounds;
	private readonly slider = byId('threshold', HTMLInputElement);

	constructor(private readonly review: Review) {
		const { title, words, sample_rate: rate } = review;
		byId('title', HTMLElement).textContent = title;
		document.title = `Review: ${title}`;
		byId('transcript', HTMLElement).hidden = words === null;
		this.decisions = new Decisions(review);
		this.saving = new Saving(review.revision, this);
		this.waves = new Waves(review, this);
		this.list = new List(rate, this);
		this.words = new Words(words ?? [], rate, this);
		this.sounds = new Sounds(review, this.waves);
	}

	/** Shows the review and listens to its visitor. */
	async start(): Promise<void> {
		this.slider.addEventListener('input', () => {
			this.decisions.setThreshold(this.slider.valueAsNumber / 100);
			this.changed('');
		});
		byId('again', HTMLElement).addEventListener('click', () => {
			this.attempt(startAgain());
		});
		addEventListener('beforeunload', (event) => {
			if (!this.saving.isDone) event.preventDefault();
		});
		bindActions(this);
		this.draw();
		await this.follow(this.review);
	}

	choose(id: number): void {
		this.chosenId = id;
		this.draw();
		if (!this.chosen) return;
		this.point(this.chosen.start);
		this.waves.reveal(this.chosen);
		this.list.reveal(id);
	}

	/** Moves the cursor. */
	point(place: number): void {
		this.place = place;
		this.waves.point(place);
	}

	move(id: number, start: number, end: number): void {
		const hasRoom = this.decisions.move(id, start, end, reviewer());
		this.changed(hasRoom ? 'The border was moved' : 'There is no room for this border');
	}

	add(start: number, end: number): void {
		const id = this.decisions.add(start, end, reviewer());
		if (id !== undefined) this.choose(id);
		this.changed(id === undefined ? 'There is no room for a cut here' : 'A cut was added');
	}

	setKind(kind: Kind, keep: boolean): void {
		this.decisions.setKind(kind, keep);
		this.changed(keep ? 'All of this kind stay' : 'All of this kind are cut');
	}

	next(): void {
		this.step(1);
	}

	previous(): void {
		this.step(-1);
	}

	playBefore(): void {
		if (!this.chosen) this.next();
		if (this.chosen) this.attempt(this.sounds.playAround(this.chosen));
	}

	playAfter(): void {
		if (!this.chosen) this.next();
		if (this.chosen) this.attempt(this.sounds.playAround(this.chosen, this.decisions.cuts));
	}

	playRemoved(): void {
		this.attempt(this.sounds.playRemoved(this.decisions.cuts, this));
	}

	stop(): void {
		this.sounds.stop();
	}

	toggle(): void {
		if (!this.chosen) return;
		this.decisions.toggle(this.chosen.id);
		this.changed(this.chosen.keep ? 'Stays' : 'Is cut');
	}

	addHere(): void {
		this.add(this.place, this.place + NEW_CUT_SECONDS * this.review.sample_rate);
	}

	undo(): void {
		this.decisions.undo();
		this.changed('Undone');
	}

	redo(): void {
		this.decisions.redo();
		this.changed('Done again');
	}

	zoomIn(): void {
		this.waves.zoomBy(1, this.chosen);
	}

	zoomOut(): void {
		this.waves.zoomBy(-1, this.chosen);
	}

	approve(): void {
		this.stop();
		askForApproval(() => {
			this.attempt(this.saving.save(this.decisions.cuts, true));
		});
	}

	help(): void {
		byId('help', HTMLDialogElement).showModal();
	}

	/** Shows what became of a save. */
	async follow(progress: Progress): Promise<void> {
		this.warn('');
		showStanding(progress);
		if (progress.state !== 'approved') return;
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
		const next = await readReview();
		const isRefused = next instanceof Refusal;
		if (isRefused) await this.failed(next);
		if (!isRefused || !next.isEnd) await this.follow(isRefused ? progress : next);
	}

	/** Shows why nothing was saved; after a conflict, what someone else decided. */
	async failed(refusal: Refusal): Promise<void> {
		const review = refusal.status === 409 ? await readReview() : refusal;
		if (review instanceof Refusal) {
			if (review.isEnd) showEnd(review.message);
			this.warn(review.isEnd ? '' : review.message);
			return;
		}
		const place = this.chosen?.start;
		this.decisions = new Decisions(review);
		this.chosenId = this.decisions.cuts.find(({ start }) => start === place)?.id;
		this.saving = new Saving(review.revision, this);
		this.draw();
		await this.follow(review);
		if (review.state === 'waiting')
			this.warn('Someone else changed the cuts. The page shows their version now.');
	}

	private get chosen(): Decision | undefined {
		return this.decisions.cuts.find(({ id }) => id === this.chosenId);
	}

	private step(by: 1 | -1): void {
		const { cuts } = this.decisions;
		const current = cuts.findIndex(({ id }) => id === this.chosenId);
		const cut = cuts.at(current < 0 ? 0 : Math.min(cuts.length - 1, Math.max(0, current + by)));
		if (!cut) return;
		this.choose(cut.id);
		this.list.focus(cut.id);
	}

	/** Draws and saves a change, and says it to those who do not see it. */
	private changed(words: string): void {
		this.draw();
		byId('said', HTMLElement).textContent = words;
		this.saving.later(this.decisions.cuts);
	}

	private draw(): void {
		const { cuts, threshold, canUndo, canRedo } = this.decisions;
		this.list.draw(cuts, this.chosen);
		this.waves.draw(cuts, this.chosen);
		this.words.draw(cuts);
		showSummary(this.review, cuts);
		this.slider.value = String(Math.round(threshold * 100));
		byId('sureness', HTMLElement).textContent =
			threshold === 0 ? '' : `below ${this.slider.value} %`;
		byId('undo', HTMLButtonElement).disabled = !canUndo;
		byId('redo', HTMLButtonElement).disabled = !canRedo;
	}

	private warn(text: string): void {
		byId('problem', HTMLElement).textContent = text;
	}

	/** Shows why the service refused something. */
	private attempt(work: Promise<void>): void {
		this.warn('');
		work.catch((error: unknown) => {
			this.warn(error instanceof Error ? error.message : String(error));
		});
	}
}
