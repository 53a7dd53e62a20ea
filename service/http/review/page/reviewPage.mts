import { randomBytes } from 'node:crypto';

import type { FastifyInstance, FastifyReply } from 'fastify';

import type { ServiceContext } from '../../context.mts';
import { sendPage } from '../../page/sendPage.mts';
import { HttpProblem } from '../../protocol/problems.mts';
import { reviewAssetRoutes, reviewAssets } from './reviewAssets.mts';
import { refusalPage, reviewMarkup } from './reviewMarkup.mts';

/** Only what carries the nonce runs, and the modules that it imports. wavesurfer's style element carries it too. */
function send(reply: FastifyReply, nonce: string, markup: string): FastifyReply {
	const own = [`style-src 'nonce-${nonce}'`, `script-src 'nonce-${nonce}'`, 'media-src blob:'];
	return sendPage(reply, own, markup);
}

/** GET /review/{edit_id}: the page on which a person decides about the cuts. The signed link is the permission. */
export function reviewPageRoutes(routes: FastifyInstance, { links }: ServiceContext): void {
	reviewAssetRoutes(routes);
	routes.get('/review/:edit_id', async (request, reply) => {
		const nonce = randomBytes(16).toString('base64');
		try {
			links.check('GET', request.url, request.query);
		} catch (error) {
			if (!(error instanceof HttpProblem)) throw error;
			return await send(reply.code(error.statusCode), nonce, refusalPage(nonce, error.message));
		}
		return await send(reply, nonce, reviewMarkup(nonce, reviewAssets()));
	});
}
