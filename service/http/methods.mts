import type { FastifyInstance, HTTPMethods } from 'fastify';

const METHODS: readonly HTTPMethods[] = [
	'GET',
	'HEAD',
	'POST',
	'PUT',
	'PATCH',
	'DELETE',
	'OPTIONS',
];

/**
 * Notes the methods of the routes that are registered from here on. What it returns answers all
 * other methods on their paths with 405 and the allowed ones; called when all routes are there.
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
				// Before the body is read: nothing in it matters.
				onRequest: async (_request, reply) => {
					await reply.code(405).header('Allow', allow).send({ detail: 'Method Not Allowed' });
				},
				handler: () => undefined,
			});
		}
	};
}
