import type { FastifyInstance } from 'fastify';

import { ValidationProblem } from './problems.mts';

/**
 * Reads request bodies as the interface wants them: JSON, whatever the content type says, and no
 * body at all also when the content type promises one. Malformed JSON is a 422 (spec "Errors").
 */
export function readBodiesAsJson(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
		const text = body.toString();
		try {
			done(null, text.trim() === '' ? undefined : JSON.parse(text));
		} catch (error) {
			done(malformedJson(error));
		}
	});
}

/** The answer to text that is no JSON. */
function malformedJson(error: unknown): ValidationProblem {
	const reason = error instanceof Error ? error.message : String(error);
	const position = Number(/position (\d+)/.exec(reason)?.[1] ?? 0);
	return new ValidationProblem([
		{
			type: 'json_invalid',
			loc: ['body', position],
			msg: 'JSON decode error',
			input: {},
			// Without the excerpt of the body that V8 puts behind its message.
			ctx: { error: reason.replace(/[,:] *(\.\.\.)?".*$/s, '') },
		},
	]);
}
