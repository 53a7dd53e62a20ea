import { PassThrough } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import { HttpProblem } from './problems.mts';

/** Real milliseconds for a body of JSON to arrive. It usually has a few kilobytes. */
export const MAX_BODY_MS = 120_000;

/** Answers 408 where a route reads a body that has not arrived in time, and closes the connection. */
export function limitBodyTime(routes: FastifyInstance, maxBodyMs = MAX_BODY_MS): void {
	routes.addHook('preParsing', (_request, reply, body, done) => {
		// Nobody listens where a request ends without its body being read.
		const timed = new PassThrough().on('error', () => undefined);
		const limit = setTimeout(() => {
			reply.header('Connection', 'close');
			timed.destroy(new HttpProblem(408, `The body took longer than ${maxBodyMs / 1_000} s`));
		}, maxBodyMs);
		timed.once('close', () => {
			clearTimeout(limit);
		});
		body.once('close', () => {
			clearTimeout(limit);
			if (!body.readableEnded) timed.destroy(new HttpProblem(400, 'The body is incomplete'));
		});
		done(null, body.pipe(timed));
	});
}
