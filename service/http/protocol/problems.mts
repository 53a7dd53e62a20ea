import { RATE_LIMIT_ERROR_CODE, type ValidationDetail } from '../../shared/contract.mts';

/**
 * The body of an error: its text as `detail` (api.md#errors), and as `message`, which is what the vendors' own
 * clients show.
 */
export function errorBody(text: string): { message: string; detail: string } {
	return { message: text, detail: text };
}

/** A refusal, with the body of its response (api.md#errors). */
export class HttpProblem extends Error {
	override readonly name = 'HttpProblem';

	constructor(
		readonly statusCode: number,
		detail: string,
		readonly body: object = errorBody(detail),
	) {
		super(detail);
	}
}

/** HTTP 422 (api.md#validation-error). */
export class ValidationProblem extends HttpProblem {
	constructor(details: readonly ValidationDetail[]) {
		super(422, 'The request is not valid', { message: messageOf(details), detail: details });
	}
}

/** HTTP 429 with the code E9001 (api.md#errors). */
export class RateLimitProblem extends HttpProblem {
	constructor(message: string) {
		super(429, message, { error: { code: RATE_LIMIT_ERROR_CODE, message } });
	}
}

/** Entries of a validation error that its message names. */
const MAX_NAMED = 3;

/** `files.0: the URL is not valid`, without the wrappers of the request. */
function messageOf(details: readonly ValidationDetail[]): string {
	const named = details.slice(0, MAX_NAMED).map(({ loc, msg }) => {
		const field = loc.filter((part) => part !== 'body' && part !== 'input').join('.');
		return field === '' ? msg : `${field}: ${msg}`;
	});
	const more = details.length - named.length;
	return named.join('; ') + (more > 0 ? ` (and ${more} more)` : '');
}
