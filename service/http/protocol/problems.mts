import { RATE_LIMIT_ERROR_CODE, type ValidationDetail } from '../../shared/contract.mts';

/**
 * The body of an error (api.md#errors): `detail`, and the same in one text as `message`, which is the only key that
 * many clients show.
 */
export function errorBody(message: string, detail: string | readonly ValidationDetail[] = message) {
	return { detail, message };
}

/** A refusal, with the body of its response (api.md#errors). */
export class HttpProblem extends Error {
	override readonly name = 'HttpProblem';

	constructor(
		readonly statusCode: number,
		message: string,
		readonly body: object = errorBody(message),
	) {
		super(message);
	}
}

/** HTTP 422 (api.md#validation-error). */
export class ValidationProblem extends HttpProblem {
	constructor(details: readonly ValidationDetail[]) {
		const message = textOf(details);
		super(422, message, errorBody(message, details));
	}
}

/** HTTP 429 with the code E9001 (api.md#errors). */
export class RateLimitProblem extends HttpProblem {
	constructor(message: string) {
		super(429, message, { error: { code: RATE_LIMIT_ERROR_CODE, message } });
	}
}

/** Entries of a validation error that its text names. */
const MAX_NAMED = 3;

/** Long keys and texts of a request come back in an entry. */
const MAX_FIELD_CHARACTERS = 100;

/** `config.target_lufs: Input should be a valid number`, without the wrappers of the request. */
function textOf(details: readonly ValidationDetail[]): string {
	const named = details.slice(0, MAX_NAMED).map(({ loc, msg, ctx }) => {
		const [, ...path] = loc;
		const field = path.filter((part) => part !== 'input').join('.');
		// Of a body that is no JSON, the text names the position itself.
		if (typeof path[0] === 'number') return `${msg}: ${String(ctx?.['error'])}`;
		return field === '' ? msg : `${field.slice(0, MAX_FIELD_CHARACTERS)}: ${msg}`;
	});
	const more = details.length - named.length;
	return named.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
