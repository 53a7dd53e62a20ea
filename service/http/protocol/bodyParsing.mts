import type { FastifyInstance } from 'fastify';

import { ValidationProblem } from './problems.mts';

/** Far more than the API needs; very deep nesting would overflow the stack of its readers. */
const MAX_NESTING = 50;

/** Far more than the API needs; checking a hundred thousand would keep others waiting. */
const MAX_VALUES = 10_000;

/**
 * Parses every request body as JSON, regardless of its content type. An empty body is allowed even if
 * the content type announces one. Answers malformed JSON with 422 (api.md#errors).
 */
export function readBodiesAsJson(app: FastifyInstance, maxValues = MAX_VALUES): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
		const text = body.toString();
		const excess = excessIn(text, maxValues);
		if (excess !== undefined) {
			done(excess);
			return;
		}
		try {
			done(null, text.trim() === '' ? undefined : JSON.parse(text));
		} catch (error) {
			done(malformedJson(error));
		}
	});
}

/** Returns the problem for text that is not JSON. */
function malformedJson(error: unknown): ValidationProblem {
	const reason = error instanceof Error ? error.message : String(error);
	const position = Number(/position (\d+)/.exec(reason)?.[1] ?? 0);
	// Leaves out the excerpt of the body that V8 adds to its message.
	return invalidJson(position, reason.replace(/[,:] *(\.\.\.)?".*$/s, ''));
}

function invalidJson(position: number, error: string): ValidationProblem {
	const naming = { type: 'json_invalid', msg: 'JSON decode error' };
	return new ValidationProblem([{ ...naming, loc: ['body', position], input: {}, ctx: { error } }]);
}

/** Returns the problem of JSON text that is nested too deeply or has too many values, or undefined. */
function excessIn(text: string, maxValues: number): ValidationProblem | undefined {
	let depth = 0;
	let values = 1;
	for (let index = 0; index < text.length; index++) {
		const character = text[index];
		if (character === '"') index = endOfString(text, index);
		else if (character === '[' || character === '{') depth += 1;
		else if (character === ']' || character === '}') depth -= 1;
		else if (character === ',') values += 1;
		if (depth > MAX_NESTING) {
			return invalidJson(index, `Nested deeper than ${MAX_NESTING} levels`);
		}
		if (values > maxValues) return invalidJson(index, `More than ${maxValues} values`);
	}
	return undefined;
}

/** Returns the position of a string's closing quotation mark, or the end of the text. */
function endOfString(text: string, start: number): number {
	let index = start + 1;
	while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
	return index;
}
