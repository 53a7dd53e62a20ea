import type { Decision } from './decisions.mts';
import { byId, element } from './dom.mts';
import { clock, nameOf } from './times.mts';
import { KIND_WORDS, type Kind } from './wire.mts';

/** What a visitor asks of the list; the last three are about the chosen cut. */
interface ListPage {
	choose: (id: number) => void;
	move: (id: number, start: number, end: number) => void;
	setKind: (kind: Kind, keep: boolean) => void;
	playBefore: () => void;
	playAfter: () => void;
	toggle: () => void;
}

interface Row {
	readonly item: HTMLLIElement;
	readonly main: HTMLButtonElement;
	readonly others: Readonly<Record<'playBefore' | 'playAfter' | 'toggle', HTMLButtonElement>>;
	/** What it shows. */
	cut?: Decision;
}

/** The list of cuts; rows stay while their cuts exist, so that the focus stays too. */
export class List {
	private readonly list = byId('cuts', HTMLElement);
	private readonly kinds = byId('kinds', HTMLElement);
	private readonly borders = byId('borders', HTMLFormElement);
	private readonly fields = [byId('from', HTMLInputElement), byId('to', HTMLInputElement)] as const;
	private readonly rows = new Map<number, Row>();
	private chosen: Decision | undefined;

	constructor(
		private readonly rate: number,
		private readonly page: ListPage,
	) {
		this.borders.addEventListener('change', () => {
			const [start, end] = this.fields.map(({ valueAsNumber }) => valueAsNumber * rate);
			const { id } = this.chosen ?? {};
			if (id !== undefined && Number.isFinite(start + end)) this.page.move(id, start, end);
		});
	}

	/** Draws the rows as the cuts are now. */
	draw(cuts: readonly Decision[], chosen: Decision | undefined): void {
		this.chosen = chosen;
		const items = cuts.map((cut) => this.drawRow(cut));
		const { children } = this.list;
		if (items.length !== children.length || items.some((item, place) => item !== children[place]))
			this.list.replaceChildren(...items);
		this.borders.hidden = !chosen;
		if (chosen) {
			this.rows.get(chosen.id)?.item.append(this.borders);
			const [from, to] = this.fields;
			from.value = (chosen.start / this.rate).toFixed(3);
			to.value = (chosen.end / this.rate).toFixed(3);
		}
		for (const kind of Object.keys(KIND_WORDS) as Kind[])
			this.drawKind(
				kind,
				cuts.filter((cut) => cut.kind === kind),
			);
	}

	/** Scrolls the list to a cut. */
	reveal(id: number): void {
		this.rows.get(id)?.item.scrollIntoView({ block: 'nearest' });
	}

	/** Moves the focus to a cut. */
	focus(id: number): void {
		this.rows.get(id)?.main.focus({ preventScroll: true });
	}

	private drawRow(cut: Decision): HTMLLIElement {
		const row = this.rows.get(cut.id) ?? this.createRow(cut);
		const { item, main, others } = row;
		main.ariaCurrent = String(cut === this.chosen);
		if (row.cut === cut) return item;
		row.cut = cut;
		const name = nameOf(cut, this.rate);
		item.className = cut.keep ? `${cut.kind} kept` : cut.kind;
		const by = cut.by === 'engine' ? '' : cut.by;
		const texts = {
			kind: KIND_WORDS[cut.kind][0],
			at: clock(cut.start / this.rate),
			length: `${((cut.end - cut.start) / this.rate).toFixed(2)} s`,
			sure: cut.sure === null ? by : `${Math.round(cut.sure * 100)} % sure`,
			decision: cut.keep ? 'stays' : 'is cut',
		};
		const parts = Object.entries(texts).flatMap(([part, text]) => [
			element('span', part, text),
			' ',
		]);
		main.replaceChildren(...parts);
		others.playBefore.ariaLabel = `Before: play ${name} as it was`;
		others.playAfter.ariaLabel = `After: play ${name} as it will be`;
		others.toggle.textContent = cut.keep ? 'Cut' : 'Keep';
		others.toggle.ariaLabel = `${cut.keep ? 'Cut' : 'Keep'} ${name}`;
		return item;
	}

	private createRow({ id }: Decision): Row {
		const item = element('li', '');
		const button = (className: string, text: string, action?: keyof Row['others']) => {
			const made = element('button', className, text);
			made.addEventListener('click', () => {
				this.page.choose(id);
				if (action) this.page[action]();
			});
			item.append(made);
			return made;
		};
		const main = button('main', '');
		const others = {
			playBefore: button('', '▶ Before', 'playBefore'),
			playAfter: button('', '▶ After', 'playAfter'),
			toggle: button('toggle', '', 'toggle'),
		};
		const row: Row = { item, main, others };
		this.rows.set(id, row);
		return row;
	}

	/** A button that is pressed while all of a kind are cut. */
	private drawKind(kind: Kind, own: readonly Decision[]): void {
		const old = this.kinds.querySelector<HTMLButtonElement>(`.${kind}`);
		if (own.length === 0) old?.remove();
		if (own.length === 0) return;
		const chip = old ?? element('button', kind);
		if (!old) {
			this.kinds.append(chip);
			chip.addEventListener('click', () => {
				this.page.setKind(kind, chip.ariaPressed === 'true');
			});
		}
		const count = own.filter(({ keep }) => !keep).length;
		chip.ariaPressed = count > 0 && count < own.length ? 'mixed' : String(count > 0);
		chip.textContent = `${KIND_WORDS[kind][1]}: ${count} of ${own.length}`;
	}
}
