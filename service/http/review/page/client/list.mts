import type { CutPage, PageCut } from './cutEditor.mts';
import { byId, element } from './dom.mts';
import { clock, nameOf, removedFrom } from './times.mts';
import { KIND_WORDS, type Kind } from './wire.mts';

interface Row {
	readonly item: HTMLLIElement;
	readonly buttons: readonly HTMLButtonElement[];
	/** What it shows. */
	cut?: PageCut;
}

const KINDS = Object.keys(KIND_WORDS) as Kind[];

/** The class, the text and the action of a row's buttons. */
export const BUTTONS = [
	['main', '', ''],
	['', '▶ Before', 'playBefore'],
	['', '▶ After', 'playAfter'],
	['toggle', '', 'toggle'],
] as const;

/** The list of cuts; rows stay while their cuts exist, so that the focus stays too. */
export class List {
	private readonly list = byId('cuts', HTMLElement);
	private readonly borders = byId('borders', HTMLFormElement);
	private readonly from = byId('from', HTMLInputElement);
	private readonly to = byId('to', HTMLInputElement);
	private readonly rows = new Map<number, Row>();
	private readonly chips = KINDS.map((kind) => [kind, this.createChip(kind)] as const);
	private chosen: PageCut | undefined;

	constructor(
		private readonly rate: number,
		private readonly page: CutPage,
	) {
		this.list.addEventListener('click', ({ target }) => {
			const item = target instanceof Element && target.closest('button')?.closest('li');
			if (item) page.choose(Number(item.dataset['id']));
		});
		this.borders.addEventListener('change', ({ target }) => {
			if (!this.chosen) return;
			const { id, start, end } = this.chosen;
			// A field shows milliseconds: the one that nobody changed would move its border.
			if (target === this.from) page.move(id, this.from.valueAsNumber * rate, end);
			else page.move(id, start, this.to.valueAsNumber * rate);
		});
	}

	/** Draws the rows as the cuts are now. */
	draw(cuts: readonly PageCut[], chosen: PageCut | undefined): void {
		this.chosen = chosen;
		const items = cuts.map((cut) => this.drawRow(cut));
		const { children } = this.list;
		if (items.length !== children.length || items.some((item, place) => item !== children[place]))
			this.list.replaceChildren(...items);
		this.borders.hidden = !chosen;
		if (chosen) {
			this.rows.get(chosen.id)?.item.append(this.borders);
			this.from.value = (chosen.start / this.rate).toFixed(3);
			this.to.value = (chosen.end / this.rate).toFixed(3);
		}
		for (const [kind, chip] of this.chips) drawChip(chip, kind, cuts);
	}

	/** Scrolls the list to a cut. */
	reveal(id: number): void {
		this.rows.get(id)?.item.scrollIntoView({ block: 'nearest' });
	}

	/** Moves the focus to a cut. */
	focus(id: number): void {
		this.rows.get(id)?.buttons[0].focus({ preventScroll: true });
	}

	private drawRow(cut: PageCut): HTMLLIElement {
		const row = this.rows.get(cut.id) ?? this.createRow(cut);
		const [main, before, after, toggle] = row.buttons;
		main.ariaCurrent = String(cut === this.chosen);
		if (row.cut === cut) return row.item;
		row.cut = cut;
		const name = nameOf(cut, this.rate);
		row.item.className = cut.keep ? `${cut.kind} kept` : cut.kind;
		const by = cut.by === 'engine' ? '' : cut.by;
		const texts = {
			kind: KIND_WORDS[cut.kind][0],
			at: clock(cut.start / this.rate),
			length: `${((cut.end - cut.start) / this.rate).toFixed(2)} s`,
			sure: cut.sure === null ? by : `${Math.round(cut.sure * 100)}% sure`,
			decision: cut.keep ? 'stays' : 'is cut',
		};
		const parts = Object.entries(texts).map(([part, text]) => element('span', part, text));
		main.replaceChildren(...parts.flatMap((part) => [part, ' ']));
		before.ariaLabel = `Before: play ${name} as it was`;
		after.ariaLabel = `After: play ${name} as it will be`;
		toggle.textContent = cut.keep ? 'Cut' : 'Keep';
		toggle.ariaLabel = `${cut.keep ? 'Cut' : 'Keep'} ${name}`;
		return row.item;
	}

	private createRow({ id }: PageCut): Row {
		const item = element('li', '');
		item.dataset['id'] = String(id);
		const buttons = BUTTONS.map(([name, text, action]) => {
			const button = element('button', name, text);
			if (action !== '') button.dataset['action'] = action;
			return button;
		});
		item.append(...buttons);
		const row: Row = { item, buttons };
		this.rows.set(id, row);
		return row;
	}

	private createChip(kind: Kind): HTMLButtonElement {
		const chip = element('button', kind);
		chip.addEventListener('click', () => {
			this.page.setKind(kind, chip.ariaPressed === 'true');
		});
		byId('kinds', HTMLElement).append(chip);
		return chip;
	}
}

/** Draws a button that is pressed while all of a kind are cut, and hidden while there are none. */
function drawChip(chip: HTMLButtonElement, kind: Kind, cuts: readonly PageCut[]): void {
	const own = cuts.filter((cut) => cut.kind === kind);
	const count = removedFrom(own).length;
	chip.hidden = own.length === 0;
	chip.ariaPressed = count > 0 && count < own.length ? 'mixed' : String(count > 0);
	chip.textContent = `${KIND_WORDS[kind][1]}: ${count} of ${own.length}`;
}
