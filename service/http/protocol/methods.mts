import { METHODS } from 'node:http';

import { errorBody } from './problems.mts';
import type { FastifyInstance } from 'fastify';

/** All methods that reach a route: TRACE and those of WebDAV, too. Node answers CONNECT by itself. */
const REFUSABLE = METHODS.filter((method) => method !== 'CONNECT');

/**
 * Records the methods of all routes registered from now on. Returns a function to call after the last
 * route: it makes their paths answer all other methods with 405 and the allowed methods.
 */
export function watchMethods(app: FastifyInstance): () => void {
	for (const method of REFUSABLE) {
		if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
	}
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
				method: REFUSABLE.filter((method) => !methods.has(method)),
				// Answers without reading the body.
				onRequest: async (_request, reply) => {
					await reply.code(405).header('Allow', allow).send(errorBody('Method Not Allowed'));
				},
				handler: () => undefined,
			});
		}
	};
}
