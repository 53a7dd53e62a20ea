import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import { html as markup } from 'ghtml';

import type { ServiceContext } from '../context.mts';
import { isLoopback } from '../../shared/settings.mts';
import { waitsForReview, type StoredEdit } from '../../store/edit.mts';
import { reviewLink } from '../review/reviewLinks.mts';
import { Cards, type Visitor } from './cards.mts';
import { EDITS_SHOWN, listPage, STYLE } from './listPage.mts';
import { listQuerySchema, toggleAddress, type ListQuery } from './listQuery.mts';
import { pageAccess } from './pageAccess.mts';
import { rowOf } from './pageRow.mts';
import { PAGE_SCRIPT } from './pageScript.mts';
import { sendPage } from './sendPage.mts';

/**
 * Allows only the page's own script and style, whatever a client's file names contain.
 * @param mediaOrigin where the players load files; undefined if this service serves them.
 */
function sourcesOf(mediaOrigin: string | undefined): string[] {
	return [
		`style-src '${hashOf(STYLE)}'`,
		`script-src '${hashOf(PAGE_SCRIPT)}'`,
		`media-src ${mediaOrigin ?? "'self'"}`,
	];
}

function hashOf(text: string): string {
	return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Returns the rows of edits; those that the query names are open. */
async function rowsOf(
	edits: readonly StoredEdit[],
	query: ListQuery,
	visitor: Visitor,
	{ context, cards }: { context: ServiceContext; cards: Cards },
): Promise<string[]> {
	const rows = edits.map(async (edit) => {
		const isOpen = query.open.includes(edit.id);
		return rowOf(edit, {
			toggle: toggleAddress(query, edit.id),
			card: isOpen ? await cards.of(edit, visitor) : undefined,
			review: visitor.mayReview && waitsForReview(edit) ? reviewLink(edit, context) : undefined,
		});
	});
	return await Promise.all(rows);
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
		const visitor = { mayPlay, mayReview };
		const query = listQuerySchema.parse(request.query);
		const list = { from: (query.page - 1) * EDITS_SHOWN, state: query.state, search: query.q };
		const edits = await tools.store.newest(EDITS_SHOWN, access.ownerId, list);
		const counts = await tools.store.counts(access.ownerId, query.q);
		const rows = await rowsOf(edits, query, visitor, { context, cards });
		const page = listPage({ rows, counts, query }, tools.clock.nowMs());
		return await sendPage(reply, sources, page, "'self'");
	});
}
