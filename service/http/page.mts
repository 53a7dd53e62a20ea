import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import { html as markup } from 'ghtml';

import type { ServiceContext } from './context.mts';
import { phaseOf } from '../shared/contract.mts';
import type { StoredEdit } from '../store/edit.mts';
import { readOutlines } from './outlines.mts';
import { pageAccess } from './pageAccess.mts';
import { cardOf, type CardExtras } from './pageCard.mts';
import { PAGE_SCRIPT } from './pageScript.mts';
import { PAGE_STYLE } from './pageStyle.mts';
import { PLAYER_LINK_MS, playerLink } from './players.mts';

/** The newest edits that the page shows, and those among them that are drawn. */
const EDITS_SHOWN = 100;
const EDITS_DRAWN = 20;

/** Only what the page itself carries may run or style it, whatever a client named its file. */
const POLICY = [
	"default-src 'none'",
	`style-src '${hashOf(PAGE_STYLE)}'`,
	`script-src '${hashOf(PAGE_SCRIPT)}'`,
	"connect-src 'self'",
	"media-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join('; ');

function hashOf(text: string): string {
	return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** "2 running, 1 waiting, 7 done". */
function summaryOf(jobs: readonly StoredEdit[]): string {
	const words = { running: 'running', pending: 'waiting', succeeded: 'done', failed: 'failed' };
	const phases = jobs.map(({ status }) => phaseOf(status));
	return Object.entries(words)
		.map(([phase, word]) => [phases.filter((one) => one === phase).length, word] as const)
		.filter(([count]) => count > 0)
		.map(([count, word]) => `${count} ${word}`)
		.join(', ');
}

/** The whole page. `markup` escapes what is put into it, except after an exclamation mark. */
function pageOf(jobs: readonly StoredEdit[], cards: readonly string[], nowMs: number): string {
	const now = new Date(nowMs).toISOString().replace('T', ' ').slice(0, 19);
	const facts = [summaryOf(jobs), `Service time ${now} UTC`].filter((fact) => fact !== '');
	const list = cards.length === 0 ? '<p class="empty">No edits yet.</p>' : cards.join('\n');
	return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Local audio editing service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>!${PAGE_STYLE}</style></head>
<body><header><h1>Local audio editing service</h1><p>${facts.join(' · ')}</p></header>
<main>!${list}</main><script>!${PAGE_SCRIPT}</script></body></html>`;
}

/** What stands beside an edit's row on the page. */
async function extrasOf(
	job: StoredEdit,
	isDrawn: boolean,
	mayPlay: boolean,
	context: ServiceContext,
): Promise<CardExtras> {
	const { workbench } = context;
	const isDone = isDrawn && job.outcome !== null;
	// Links are renewed before they end, by being part of what makes a card another one.
	const period = Math.floor(workbench.clock.nowMs() / (PLAYER_LINK_MS / 2));
	return {
		outlines: isDone ? await readOutlines(workbench.files, job.id) : undefined,
		linkTo: isDone && mayPlay ? (part) => playerLink(context, job.id, part) : undefined,
		version: `${job.status} ${job.updatedAtMs}${isDone ? ` ${period}` : ''}`,
	};
}

/**
 * GET /, spec "Service endpoints": the edits, without anything secret; `pageAccess` says whose and
 * to whom. Its players work without a key: recordings are played only where just this machine
 * reaches the service, unless the command line allows more.
 */
export function pageRoutes(routes: FastifyInstance, context: ServiceContext): void {
	const { workbench, settings } = context;
	routes.get('/', async (request, reply) => {
		const access = pageAccess(request, context);
		if (access.kind === 'refused') {
			reply.code(access.statusCode).header('Content-Type', 'text/html; charset=utf-8');
			if (access.statusCode === 401) reply.header('WWW-Authenticate', 'Basic realm="Edits"');
			return await reply.send(markup`<!doctype html><title>Edits</title><p>${access.text}</p>`);
		}
		const mayPlay = settings.publicPlayers && access.isOwnName;
		const jobs = workbench.store.newest(EDITS_SHOWN, access.ownerId);
		const cards = await Promise.all(
			jobs.map(async (job, index) =>
				cardOf(job, await extrasOf(job, index < EDITS_DRAWN, mayPlay, context)),
			),
		);
		reply.headers({
			'Content-Type': 'text/html; charset=utf-8',
			'Content-Security-Policy': POLICY,
			'Cache-Control': 'no-store',
			'Referrer-Policy': 'no-referrer',
			'X-Content-Type-Options': 'nosniff',
		});
		return await reply.send(pageOf(jobs, cards, workbench.clock.nowMs()));
	});
}
