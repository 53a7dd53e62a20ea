import type { ServiceContext } from '../context.mts';
import type { Review, StoredEdit } from '../../store/edit.mts';

const HOUR_MS = 3_600_000;

/** How long an edit may take until its review begins: the link of its creation works as much longer. */
const MAX_RUN_MS = 24 * HOUR_MS;

/** How long the link works after the review, for the file. Decisions are refused then. */
const AFTERWARDS_MS = 2 * HOUR_MS;

type ReviewedOrNew = Pick<StoredEdit, 'id' | 'request'> & { review?: Review | null };

/** Returns the path that the link of a review is signed for. It authorizes all paths below. */
export function reviewPath(editId: string): string {
	return `/review/${encodeURIComponent(editId)}`;
}

/** Returns when the review of an edit ends at the latest; undefined if nobody reviews it. */
function reviewEndMs({ request, review }: Omit<ReviewedOrNew, 'id'>, nowMs: number) {
	if (request.review === null) return undefined;
	return review?.untilMs ?? nowMs + request.review.hours * HOUR_MS + MAX_RUN_MS;
}

/**
 * Returns the signed path of the page that reviews an edit; undefined if nobody reviews it. It lets
 * anybody decide about its cuts.
 */
export function reviewLink(
	{ id, request, review }: ReviewedOrNew,
	{ links, tools: { clock } }: ServiceContext,
	maxMs = Infinity,
): string | undefined {
	const nowMs = clock.nowMs();
	const untilMs = reviewEndMs({ request, review }, nowMs);
	if (untilMs === undefined) return undefined;
	const lifetimeMs = Math.max(0, untilMs - nowMs) + AFTERWARDS_MS;
	return links.sign('GET', reviewPath(id), Math.min(lifetimeMs, maxMs));
}

/** Returns what an answer about an edit says of its review. */
export function reviewJson(edit: ReviewedOrNew, context: ServiceContext, maxMs?: number) {
	const link = reviewLink(edit, context, maxMs);
	const untilMs = reviewEndMs(edit, context.tools.clock.nowMs());
	if (link === undefined || untilMs === undefined) return {};
	return {
		review_url: context.baseUrls[0] + link,
		review_until: new Date(untilMs).toISOString(),
	};
}
