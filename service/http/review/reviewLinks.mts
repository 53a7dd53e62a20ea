import type { ServiceContext } from '../context.mts';
import { waitsForReview, type StoredEdit } from '../../store/edit.mts';
import type { NewEdit } from '../../store/editStore.mts';

const HOUR_MS = 3_600_000;

/** How long an edit may take until its review begins: the link of its creation works as much longer. */
const LONGEST_RUN_MS = 24 * HOUR_MS;

type LinkTools = Pick<ServiceContext, 'links' | 'baseUrls'>;

/** Returns the path that the link of a review is signed for. It authorises all paths below. */
export function reviewPath(editId: string): string {
	return `/review/${encodeURIComponent(editId)}`;
}

/** Returns the signed URL of the page that reviews an edit. It lets anybody decide about its cuts. */
export function reviewUrl(
	editId: string,
	lifetimeMs: number,
	{ links, baseUrls }: LinkTools,
): string {
	return baseUrls[0] + links.sign('GET', reviewPath(editId), lifetimeMs);
}

/** Returns what the answer to the creation of an edit says of its review. */
export function futureReview({ id, request }: NewEdit, context: LinkTools, mostMs = Infinity) {
	if (request.review === null) return {};
	const lifetimeMs = request.review.hours * HOUR_MS + LONGEST_RUN_MS;
	return { review_url: reviewUrl(id, Math.min(lifetimeMs, mostMs), context) };
}

/** Returns what the state of an edit says of its review while it waits for it. */
export function currentReview(edit: StoredEdit, context: ServiceContext) {
	const { reviewUntilMs } = edit;
	if (!waitsForReview(edit) || reviewUntilMs === null) return {};
	const leftMs = reviewUntilMs - context.tools.clock.nowMs();
	return { review_url: reviewUrl(edit.id, leftMs, context) };
}
