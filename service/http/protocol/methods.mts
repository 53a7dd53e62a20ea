import { errorBody } from './problems.mts';
import type { FastifyInstance } from 'fastify';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * Records the methods of all routes registered from now on. Returns a function to call after the last
 * route: it makes their paths answer all other methods with 405 and the allowed methods.
 */
export function watchMethods(app: FastifyInstance): () => void {
	const known = new Map<string, Set<string>>();
	app.addHook('onRoute', ({ url, method }) => {
		const methods = known.get(url) ?? new Set();
		for (const one of [method].flat()) methods.add(one);
		known.set(url, methods);
	});
	return () => {
		for (const [url, methods] of [...known]) {
			const allow = [...methods].join(', ');
			app.route({
				url,
				method: METHODS.filter((method) => !methods.has(method)),
				// Answers without reading the body.
				onRequest: async (_request, reply) => {
					await reply.code(405).header('Allow', allow).send(errorBody('Method Not Allowed'));
				},
				handler: () => undefined,
			});
		}
	};
}
