import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import { html as markup } from 'ghtml';
import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { phaseOf } from '../../shared/contract.mts';
import { isLoopback } from '../../shared/settings.mts';
import { waitsForReview, type StoredEdit } from '../../store/edit.mts';
import { Cards } from './cards.mts';
import { pageAccess } from './pageAccess.mts';
import { PAGE_SCRIPT } from './pageScript.mts';
import { PAGE_STYLE } from './pageStyle.mts';
import { sendPage } from './sendPage.mts';

/** How many of the newest edits the page shows, and how many if it is asked for more. */
const EDITS_SHOWN = 20;
const MAX_EDITS_SHOWN = 100;

const querySchema = z.object({
	edits: z.literal(String(MAX_EDITS_SHOWN)).optional().catch(undefined),
});

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

/** "2 running, 1 waiting, 7 done". */
function summaryOf(edits: readonly StoredEdit[]): string {
	const words = {
		review: 'to review',
		running: 'running',
		pending: 'waiting',
		succeeded: 'done',
		failed: 'failed',
	};
	const phases = edits.map((edit) => (waitsForReview(edit) ? 'review' : phaseOf(edit.status)));
	return Object.entries(words)
		.map(([phase, word]) => [phases.filter((one) => one === phase).length, word] as const)
		.filter(([count]) => count > 0)
		.map(([count, word]) => `${count} ${word}`)
		.join(', ');
}

/** What the page shows of the edits. */
interface Shown {
	edits: readonly StoredEdit[];
	cards: readonly string[];
	/** Whether there are older ones, which it shows when asked. */
	hasMore: boolean;
}

const MORE = `<footer><a href="?edits=${MAX_EDITS_SHOWN}">Show the newest ${MAX_EDITS_SHOWN} edits</a></footer>`;

/** Returns the whole page. `markup` escapes inserted values, except after an exclamation mark. */
function pageOf({ edits, cards, hasMore }: Shown, nowMs: number): string {
	const now = new Date(nowMs).toISOString().replace('T', ' ').slice(0, 19);
	const facts = [summaryOf(edits), `Service time ${now} UTC`].filter((fact) => fact !== '');
	const list = cards.length === 0 ? '<p class="empty">No edits yet.</p>' : cards.join('\n');
	return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Local audio editing service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>!${PAGE_STYLE}</style></head>
<body><header><h1>Local audio editing service</h1><p>${facts.join(' · ')}</p>
<p class="keys">Space plays, B switches between before and after</p></header>
<main>!${list}</main>!${hasMore ? MORE : ''}<script>!${PAGE_SCRIPT}</script></body></html>`;
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
		const most = Number(querySchema.parse(request.query).edits ?? EDITS_SHOWN);
		const found = await tools.store.newest(most + 1, access.ownerId);
		const edits = found.slice(0, most);
		const hasMore = most < MAX_EDITS_SHOWN && found.length > most;
		const page = { edits, cards: await cards.of(edits, visitor), hasMore };
		return await sendPage(reply, sources, pageOf(page, tools.clock.nowMs()));
	});
}
