import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';

import type { ServiceContext } from '../context.mts';
import { readBodiesAsJson } from '../protocol/bodyParsing.mts';
import { editIdOf, MAX_BODY_BYTES, MAX_VALUES, decide, readReview } from './decide.mts';
import { shortState } from './reviewState.mts';

const PATH = '/local/edits/:edit_id/cuts';

/** GET and PUT /local/edits/{edit_id}/cuts, for programs that decide: with the key, as elsewhere. */
export function localCutRoutes(
	routes: FastifyInstance,
	context: ServiceContext,
	statusCalls: onRequestAsyncHookHandler,
): void {
	routes.addHook('onRequest', statusCalls);
	readBodiesAsJson(routes, MAX_VALUES);
	const read = async ({ params, ownerId }: FastifyRequest) =>
		await readReview(editIdOf(params), context, ownerId);

	routes.get(PATH, async (request) => await shortState(await read(request), context));
	routes.put(PATH, { bodyLimit: MAX_BODY_BYTES }, async (request) => {
		return await decide(await read(request), request.body, context);
	});
}
