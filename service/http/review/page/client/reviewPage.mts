import { askForApproval, reviewer } from './approve.mts';
import { CutEditor, type CutPage, type PageCut } from './cutEditor.mts';
import { byId } from './dom.mts';
import { Following } from './following.mts';
import { type Actions, bindActions } from './keys.mts';
import { BUTTONS, List } from './list.mts';
import type { Refusal } from './refusal.mts';
import { Saving } from './saving.mts';
import { rove } from './roving.mts';
import { putCuts, startAgain } from './service.mts';
import { Sounds } from './sounds.mts';
import { showSummary } from './standing.mts';
import { Waves } from './waves.mts';
import type { Kind, Progress, Review } from './wire.mts';
import { Words } from './words.mts';

/** The length of a cut that a key adds, in seconds. */
const NEW_CUT_SECONDS = 0.5;

/** An open review: its cuts, and the chosen one. Its methods are what a visitor can do; places are in samples. */
export class ReviewPage implements Actions, CutPage {
	readonly send = putCuts;
	private editor: CutEditor;
	private saving: Saving;
	private readonly following = new Following(this);
	private chosenId: number | undefined;
	/** The cuts that the page shows. */
	private shown: readonly PageCut[] = [];
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
		this.editor = new CutEditor(review);
		this.saving = new Saving(review.revision, this);
		this.waves = new Waves(review, this);
		this.list = new List(rate, this);
		this.words = new Words(words ?? [], rate, this);
		this.sounds = new Sounds(review, this);
	}

	/** Shows the review and listens to its visitor. */
	async start(): Promise<void> {
		await this.waves.start();
		this.slider.addEventListener('input', () => {
			this.editor.setThreshold(this.slider.valueAsNumber / 100);
			this.changed('');
		});
		this.slider.addEventListener('change', () => {
			this.editor.endSlide();
		});
		for (const id of ['sound-buttons', 'kinds', 'bar']) rove(byId(id, HTMLElement));
		rove(byId('cuts', HTMLElement), BUTTONS.length);
		for (const link of byId('timelines', HTMLElement).querySelectorAll('a'))
			link.href = `${location.pathname}/timelines/${link.getAttribute('href')}${location.search}`;
		const again = byId('again', HTMLButtonElement);
		again.addEventListener('click', () => {
			again.disabled = true;
			this.attempt(startAgain(), again);
		});
		addEventListener('beforeunload', (event) => {
			if (!this.saving.isDone) event.preventDefault();
		});
		bindActions(this);
		this.draw();
		this.following.follow(this.review);
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
		this.editor.move(id, start, end, reviewer());
		this.changed('The border was moved', 'There is no room for this border');
	}

	add(start: number, end: number): void {
		const id = this.editor.add(start, end, reviewer());
		this.changed('A cut was added', 'There is no room for a cut here');
		if (id !== undefined) this.choose(id);
	}

	setKind(kind: Kind, keep: boolean): void {
		this.editor.setKind(kind, keep);
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
		if (this.chosen) this.attempt(this.sounds.playAround(this.chosen, this.editor.cuts));
	}

	playRemoved(): void {
		this.attempt(this.sounds.playRemoved(this.editor.cuts));
	}

	stop(): void {
		this.sounds.stop();
	}

	toggle(): void {
		if (!this.chosen) return;
		this.editor.toggle(this.chosen.id);
		this.changed(this.chosen.keep ? 'Stays' : 'Is cut');
	}

	/** Plays from the cursor to the end, as it will be. */
	playHere(): void {
		this.attempt(this.sounds.playFrom(this.place, this.editor.cuts));
	}

	/** Plays at the next speed; after the fastest, at the slowest. */
	faster(): void {
		const speed = `${this.sounds.faster()}×`;
		byId('speed', HTMLElement).textContent = `Speed ${speed}`;
		byId('said', HTMLElement).textContent = speed;
	}

	/** Adds a cut at the cursor, or after the cut there. */
	addHere(): void {
		const { place, editor, review } = this;
		const start = editor.cuts.find((cut) => cut.start <= place && place < cut.end)?.end ?? place;
		this.add(start, start + NEW_CUT_SECONDS * review.sample_rate);
	}

	undo(): void {
		this.editor.undo();
		this.changed('Undone');
	}

	redo(): void {
		this.editor.redo();
		this.changed('Redone');
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
			this.attempt(this.saving.save(this.editor.cuts, true));
		});
	}

	help(): void {
		byId('help', HTMLDialogElement).showModal();
	}

	saved(progress: Progress): void {
		this.warn('');
		this.following.follow(progress);
	}

	/** Shows why nothing was saved; after a conflict, what someone else decided. */
	failed(refusal: Refusal): void {
		if (refusal.status === 409) void this.following.look(this.review, { isRefused: true });
		else this.following.refuse(refusal);
	}

	/** Shows the cuts that someone else decided, if the page does not show them yet. */
	catchUp(progress: Progress): void {
		if (!this.saving.isBehind(progress)) return;
		const { cuts, revision, state } = progress;
		byId('approve', HTMLDialogElement).close();
		const place = this.chosen?.start;
		this.editor = new CutEditor({ ...this.review, cuts });
		this.chosenId = this.editor.cuts.find(({ start }) => start === place)?.id;
		this.saving = new Saving(revision, this);
		this.draw();
		if (state === 'waiting') this.warn('Someone else changed the cuts. The page shows them now.');
	}

	private get chosen(): PageCut | undefined {
		return this.editor.cuts.find(({ id }) => id === this.chosenId);
	}

	private step(by: 1 | -1): void {
		const { cuts } = this.editor;
		const current = cuts.findIndex(({ id }) => id === this.chosenId);
		const cut = cuts.at(current < 0 ? 0 : Math.min(cuts.length - 1, Math.max(0, current + by)));
		if (!cut) return;
		this.choose(cut.id);
		this.list.focus(cut.id);
	}

	/** Draws and saves a change, and says it to those who do not see it. */
	private changed(words: string, unchanged = ''): void {
		const { cuts } = this.editor;
		const isChange = cuts !== this.shown;
		this.draw();
		byId('said', HTMLElement).textContent = isChange ? words : '';
		this.warn(isChange ? '' : unchanged);
		if (isChange) this.saving.later(cuts);
	}

	private draw(): void {
		const { cuts, controls } = this.editor;
		const { threshold, canUndo, canRedo } = controls;
		this.shown = cuts;
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

	/** Shows a warning; an empty one takes the last away. */
	warn(text: string): void {
		byId('problem', HTMLElement).textContent = text;
	}

	/** Shows why the service refused something. @param button can be pressed again then */
	private attempt(work: Promise<void>, button?: HTMLButtonElement): void {
		this.warn('');
		work.catch((error: unknown) => {
			if (button) button.disabled = false;
			this.warn(error instanceof Error ? error.message : String(error));
		});
	}
}
