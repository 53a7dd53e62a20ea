import { RATE_LIMIT_ERROR_CODE, type ValidationDetail } from '../../shared/contract.mts';

/** A refusal, with the body of its response (api.md#errors). */
export class HttpProblem extends Error {
	override readonly name = 'HttpProblem';

	constructor(
		readonly statusCode: number,
		detail: string,
		readonly body: object = { detail },
	) {
		super(detail);
	}
}

/** HTTP 422 (api.md#validation-error). */
export class ValidationProblem extends HttpProblem {
	constructor(details: readonly ValidationDetail[]) {
		super(422, 'The request is not valid', { detail: details });
	}
}

/** HTTP 429 with the code E9001 (api.md#errors). */
export class RateLimitProblem extends HttpProblem {
	constructor(message: string) {
		super(429, message, { error: { code: RATE_LIMIT_ERROR_CODE, message } });
	}
}
