import type { StoredEdit } from '../../store/edit.mts';
import type { ServiceContext } from '../context.mts';
import { reviewLink } from '../review/reviewLinks.mts';
import { readOutlines } from './outlines.mts';
import { cardOf } from './pageCard.mts';
import { PLAYER_LINK_MS, playerLinks } from './players.mts';

/** Enough for the cards that ten open pages show. */
const CARDS_KEPT = 50;

/** What a visitor of the page may do. */
export interface Visitor {
	mayPlay: boolean;
	mayReview: boolean;
}

/**
 * Makes the cards of the page, each once: every open page asks again every 3 s, and to draw a card takes as
 * long as to read twenty edits. Only the cards that visitors saw last are kept.
 */
export class Cards {
	/** The cards by what they show; the one that was shown last is the last. */
	private readonly kept = new Map<string, string>();

	constructor(private readonly context: ServiceContext) {}

	/** Returns the card of an edit. */
	async of(edit: StoredEdit, visitor: Visitor): Promise<string> {
		const looks = this.looksOf(edit, visitor);
		const card = this.kept.get(looks) ?? (await this.draw(edit, visitor));
		this.kept.delete(looks);
		this.kept.set(looks, card);
		const [oldest = ''] = this.kept.keys();
		if (this.kept.size > CARDS_KEPT) this.kept.delete(oldest);
		return card;
	}

	/** Returns all that changes a card. */
	private looksOf({ id, status, ...edit }: StoredEdit, visitor: Visitor): string {
		// A card gets new signed URLs before the old ones expire.
		const period = Math.floor(this.context.tools.clock.nowMs() / (PLAYER_LINK_MS / 2));
		const { updatedAtMs, reviewUntilAgeMs } = edit;
		return JSON.stringify([visitor, id, status, updatedAtMs, reviewUntilAgeMs, period]);
	}

	private async draw(edit: StoredEdit, { mayPlay, mayReview }: Visitor): Promise<string> {
		const run = edit.outcome?.run;
		const { files } = this.context.tools;
		const links = run !== undefined && mayPlay ? await playerLinks(edit, this.context) : undefined;
		return cardOf(edit, {
			outlines: run === undefined ? undefined : await readOutlines(files, { editId: edit.id, run }),
			linkTo: (part) => links?.get(part),
			review: mayReview && edit.review ? reviewLink(edit, this.context) : undefined,
		});
	}
}
