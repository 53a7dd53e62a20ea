import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';

import type { ServiceContext } from '../context.mts';
import { readBodiesAsJson } from '../protocol/bodyParsing.mts';
import { editIdOf, MAX_BODY_BYTES, MAX_VALUES, decide, readReview } from './decide.mts';
import { PRIVATE } from '../sendFile.mts';
import { clipOfCut, doubtfulState, readDoubtful } from './doubtfulCuts.mts';
import type { Listeners } from './listeners.mts';
import { shortState } from './reviewState.mts';

const PATH = '/local/edits/:edit_id/cuts';

/**
 * GET and PUT /local/edits/{edit_id}/cuts, for programs that decide, and the clips of single cuts: with the key, as
 * elsewhere. The signature of the review's link, which may approve, opens none of them.
 */
export function localCutRoutes(
	routes: FastifyInstance,
	context: ServiceContext,
	statusCalls: onRequestAsyncHookHandler,
	listeners: Listeners,
): void {
	routes.addHook('onRequest', statusCalls);
	readBodiesAsJson(routes, MAX_VALUES);
	const read = async ({ params, ownerId }: FastifyRequest) =>
		await readReview(editIdOf(params), context, ownerId);

	routes.get(PATH, async (request) => {
		const doubtful = readDoubtful(request.query);
		const review = await read(request);
		if (doubtful === undefined) return await shortState(review, context);
		return await doubtfulState(review, doubtful, context);
	});
	routes.get(`${PATH}/:place/:clip`, async (request, reply) => {
		const review = await read(request);
		const file = await listeners.make(reply.raw, (signal) =>
			clipOfCut(review, request.params, context, signal),
		);
		return await reply.headers(PRIVATE).type('audio/mpeg').send(file);
	});
	routes.put(PATH, { bodyLimit: MAX_BODY_BYTES }, async (request) => {
		return await decide(await read(request), request.body, context);
	});
}
