import type { FastifyInstance } from 'fastify';

import { ValidationProblem } from './problems.mts';

/** Far more than the interface needs; what is nested without end overflows the stack of its readers. */
const DEEPEST_NESTING = 50;

/**
 * Reads request bodies as the interface wants them: JSON, whatever the content type says, and no
 * body at all also when the content type promises one. Malformed JSON is a 422 (spec "Errors").
 */
export function readBodiesAsJson(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
		const text = body.toString();
		const tooDeepAt = depthLimitPosition(text);
		if (tooDeepAt !== undefined) {
			done(invalidJson(tooDeepAt, `Nested deeper than ${DEEPEST_NESTING} levels`));
			return;
		}
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
	// Without the excerpt of the body that V8 adds to its message.
	return invalidJson(position, reason.replace(/[,:] *(\.\.\.)?".*$/s, ''));
}

function invalidJson(position: number, error: string): ValidationProblem {
	const naming = { type: 'json_invalid', msg: 'JSON decode error' };
	return new ValidationProblem([{ ...naming, loc: ['body', position], input: {}, ctx: { error } }]);
}

/** Where a text of JSON is nested too deeply; undefined when it nowhere is. */
function depthLimitPosition(text: string): number | undefined {
	let depth = 0;
	for (let index = 0; index < text.length; index++) {
		const character = text[index];
		if (character === '"') index = endOfString(text, index);
		else if (character === '[' || character === '{') depth += 1;
		else if (character === ']' || character === '}') depth -= 1;
		if (depth > DEEPEST_NESTING) return index;
	}
	return undefined;
}

/** The position of the quotation mark that closes a string, or the end of the text. */
function endOfString(text: string, start: number): number {
	let index = start + 1;
	while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
	return index;
}
