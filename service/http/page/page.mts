import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import { html as markup } from 'ghtml';
import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { isLoopback } from '../../shared/settings.mts';
import { EDIT_STATES, type EditCounts, type EditState } from '../../store/editLists.mts';
import { Cards } from './cards.mts';
import { pageAccess } from './pageAccess.mts';
import { PAGE_SCRIPT } from './pageScript.mts';
import { PAGE_STYLE } from './pageStyle.mts';
import { sendPage } from './sendPage.mts';

/** How many edits a page shows. */
const EDITS_SHOWN = 50;

const querySchema = z.object({
	page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
	state: z.enum(EDIT_STATES).optional().catch(undefined),
});

type Query = z.infer<typeof querySchema>;

/**
 * Allows only the page's own script and style, whatever a client's file names contain.
 * @param mediaOrigin where the players load files; undefined if this service serves them.
 */
function sourcesOf(mediaOrigin: string | undefined): string[] {
	return [
		`style-src '${hashOf(PAGE_STYLE)}'`,
		`script-src '${hashOf(PAGE_SCRIPT)}'`,
		`media-src ${mediaOrigin ?? "'self'"}`,
	];
}

function hashOf(text: string): string {
	return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** What an edit is doing, in a visitor's words. */
const STATE_WORDS: Readonly<Record<EditState, string>> = {
	review: 'to review',
	running: 'running',
	pending: 'waiting',
	succeeded: 'done',
	failed: 'failed',
};

function linkTo({ page, state }: Partial<Query>, words: string, isHere = false): string {
	const query = new URLSearchParams({
		...(state && { state }),
		...(page && { page: String(page) }),
	});
	const current = isHere ? ' aria-current="page"' : '';
	return markup`<a href="/?${query.toString()}"!${current}>${words}</a>`;
}

function totalOf(counts: EditCounts): number {
	return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** "298 edits: 290 done, 8 failed", each with a link to those. */
function summaryOf(counts: EditCounts, { state }: Query): string {
	const total = totalOf(counts);
	if (total === 0) return '';
	const all = linkTo({}, total === 1 ? '1 edit' : `${total} edits`, state === undefined);
	const parts = EDIT_STATES.filter((one) => counts[one] > 0).map((one) =>
		linkTo({ state: one }, `${counts[one]} ${STATE_WORDS[one]}`, one === state),
	);
	return `${all}: ${parts.join(', ')}`;
}

/** What the page shows of the edits. */
interface Shown {
	cards: readonly string[];
	counts: EditCounts;
	query: Query;
}

/** Links to the newer and older edits. */
function pagesOf({ counts, query }: Shown): string {
	const { page, state } = query;
	const count = state === undefined ? totalOf(counts) : counts[state];
	const pages = Math.max(1, Math.ceil(count / EDITS_SHOWN));
	const newer = page > 1 ? linkTo({ page: Math.min(page - 1, pages), state }, 'Newer edits') : '';
	const older = page < pages ? linkTo({ page: page + 1, state }, 'Older edits') : '';
	return [newer, pages > 1 ? `Page ${page} of ${pages}` : '', older].filter(Boolean).join(' · ');
}

/** Returns the whole page. `markup` escapes inserted values, except after an exclamation mark. */
function pageOf(shown: Shown, nowMs: number): string {
	const { cards, counts, query } = shown;
	const now = new Date(nowMs).toISOString().replace('T', ' ').slice(0, 19);
	const facts = [summaryOf(counts, query), `Service time ${now} UTC`].filter(Boolean);
	const none = query.state === undefined && query.page === 1 ? 'No edits yet.' : 'No edits here.';
	const list = cards.length === 0 ? markup`<p class="empty">${none}</p>` : cards.join('\n');
	return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Local audio editing service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>!${PAGE_STYLE}</style></head>
<body><header><h1>Local audio editing service</h1><p>!${facts.join(' · ')}</p>
<p class="keys">Space plays, B switches between before and after</p></header>
<main>!${list}</main><footer>!${pagesOf(shown)}</footer><script>!${PAGE_SCRIPT}</script></body></html>`;
}

/**
 * GET / (api.md#open-endpoints): a page of edits without anything secret. `pageAccess` decides whose
 * edits it shows. The players need no key, so there are none if other machines can reach the
 * service, unless the command line allows it.
 */
export function pageRoutes(routes: FastifyInstance, context: ServiceContext): void {
	const { tools, settings } = context;
	const sources = sourcesOf(tools.files.remoteOrigin);
	const cards = new Cards(context);
	routes.get('/', async (request, reply) => {
		const access = pageAccess(request, context);
		if (access.kind === 'refused') {
			reply.code(access.statusCode).header('Content-Type', 'text/html; charset=utf-8');
			if (access.statusCode === 401) reply.header('WWW-Authenticate', 'Basic realm="Edits"');
			return await reply.send(markup`<!doctype html><title>Edits</title><p>${access.text}</p>`);
		}
		const mayPlay = settings.publicPlayers && access.isOwnName;
		// The link approves cuts, so it is for visitors with the key, or at this machine without a proxy.
		const isLocal = isLoopback(settings.host) && settings.publicUrl === undefined;
		const mayReview = access.ownerId !== null || (isLocal && access.isOwnName);
		const visitor = { ownerId: access.ownerId, mayPlay, mayReview };
		const query = querySchema.parse(request.query);
		const from = (query.page - 1) * EDITS_SHOWN;
		const list = { from, state: query.state };
		const edits = await tools.store.newest(EDITS_SHOWN, access.ownerId, list);
		const counts = await tools.store.counts(access.ownerId);
		const shown = { cards: await cards.of(edits, visitor), counts, query };
		return await sendPage(reply, sources, pageOf(shown, tools.clock.nowMs()));
	});
}
