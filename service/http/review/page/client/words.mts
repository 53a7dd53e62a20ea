import { byId, element } from './dom.mts';
import { removedFrom } from './times.mts';
import type { Cut, Word } from './wire.mts';

/** A pause that begins a paragraph, in seconds. */
const PARAGRAPH_SECONDS = 1;

/** The transcript, with the words that are cut struck through. */
export class Words {
	private readonly spans: readonly HTMLElement[];

	constructor(
		private readonly words: readonly Word[],
		private readonly rate: number,
		page: { point: (place: number) => void },
	) {
		const container = byId('words', HTMLElement);
		let paragraph: HTMLElement | undefined;
		this.spans = words.map((word, place) => {
			const pause = word.start - (words[place - 1]?.end ?? word.start);
			if (!paragraph || pause > PARAGRAPH_SECONDS) container.append((paragraph = element('p', '')));
			const span = element('span', '', word.text);
			span.addEventListener('click', () => {
				page.point(((word.start + word.end) / 2) * rate);
			});
			paragraph.append(span, ' ');
			return span;
		});
	}

	/** Strikes a word through if its middle is cut. Both lists are in their order. */
	draw(cuts: readonly Cut[]): void {
		const removed = removedFrom(cuts);
		let next = 0;
		for (const [place, { start, end }] of this.words.entries()) {
			const middle = ((start + end) / 2) * this.rate;
			while ((removed[next]?.end ?? Infinity) <= middle) next++;
			const isCut = (removed[next]?.start ?? Infinity) <= middle;
			const span = this.spans[place];
			if ((span.firstElementChild !== null) === isCut) continue;
			span.replaceChildren(isCut ? element('s', '', span.textContent) : span.textContent);
		}
	}
}
