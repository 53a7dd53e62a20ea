import type { FastifyInstance } from 'fastify';

import { messageOf } from '../../shared/failures.mts';
import type { Log } from '../../shared/log.mts';

/**
 * Logs the errors of a request's own streams, such as a client that leaves before its answer. Without a
 * listener, such an error would end the process. The line has no query, which may be a signature.
 */
export function logStreamErrors(app: FastifyInstance, log: Log): void {
	app.addHook('onRequest', (request, reply, done) => {
		const [path] = request.url.split('?', 1);
		const say = (error: unknown) => {
			log(`${request.method} ${path}: ${messageOf(error)}`);
		};
		request.raw.on('error', say);
		reply.raw.on('error', say);
		done();
	});
}
