import { waitsForReview, type StoredEdit } from '../../store/edit.mts';
import type { ServiceContext } from '../context.mts';
import { reviewLink } from '../review/reviewLinks.mts';
import { readOutlines } from './outlines.mts';
import { cardOf, type CardExtras } from './pageCard.mts';
import { PLAYER_LINK_MS, playerLinks } from './players.mts';

/** How many of the newest edits are open; the older ones are folded, except those to review. */
const EDITS_OPEN = 5;

/** What a visitor of the page may see and do. */
export interface Visitor {
	/** Whose edits; null for those of all keys. */
	ownerId: string | null;
	mayPlay: boolean;
	mayReview: boolean;
}

/**
 * Makes the cards of the page, each once: every open page asks again every 3 s, and to draw a card takes as
 * long as to read twenty edits. Only the cards that a visitor saw last are kept.
 */
export class Cards {
	/** Per kind of visitor, the last cards by what they show. */
	private readonly shown = new Map<string, Map<string, string>>();

	constructor(private readonly context: ServiceContext) {}

	/** Returns a card of each edit, in the same order. */
	async of(edits: readonly StoredEdit[], visitor: Visitor): Promise<string[]> {
		const kind = JSON.stringify(visitor);
		const before = this.shown.get(kind);
		const now = new Map<string, string>();
		const cards = edits.map(async (edit, place) => {
			const looks = this.looksOf(edit, place);
			const name = JSON.stringify(looks);
			const card = before?.get(name) ?? cardOf(edit, await this.extrasOf(edit, looks, visitor));
			now.set(name, card);
			return card;
		});
		const all = await Promise.all(cards);
		this.shown.set(kind, now);
		return all;
	}

	/** Returns all that changes a card of a visitor. */
	private looksOf(edit: StoredEdit, place: number) {
		const { id, status, updatedAtMs, reviewUntilAgeMs } = edit;
		// A card gets new signed URLs before the old ones expire.
		const period = Math.floor(this.context.tools.clock.nowMs() / (PLAYER_LINK_MS / 2));
		const isFolded = place >= EDITS_OPEN && !waitsForReview(edit);
		const version = `${status} ${updatedAtMs} ${reviewUntilAgeMs ?? ''} ${period}`;
		return { id, version, isFolded };
	}

	/** Returns what an edit's card shows in addition to its row. */
	private async extrasOf(
		edit: StoredEdit,
		{ version, isFolded }: Pick<CardExtras, 'version' | 'isFolded'>,
		{ mayPlay, mayReview }: Visitor,
	): Promise<CardExtras> {
		const run = edit.outcome?.run;
		const { files } = this.context.tools;
		const links = run !== undefined && mayPlay ? await playerLinks(edit, this.context) : undefined;
		return {
			outlines: run === undefined ? undefined : await readOutlines(files, { editId: edit.id, run }),
			linkTo: (part) => links?.get(part),
			review: mayReview && edit.review ? reviewLink(edit, this.context) : undefined,
			isFolded,
			version,
		};
	}
}
