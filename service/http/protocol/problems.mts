import type { ValidationDetail } from '../../shared/contract.mts';

/** Any refusal except validation and rate limit; the body is `{"detail": …}`. */
export class HttpProblem extends Error {
	override readonly name = 'HttpProblem';

	constructor(
		readonly statusCode: number,
		detail: string,
	) {
		super(detail);
	}
}

/** HTTP 422 (api.md#validation-error). */
export class ValidationProblem extends Error {
	override readonly name = 'ValidationProblem';
	readonly statusCode = 422;

	constructor(readonly details: ValidationDetail[]) {
		super('The request is not valid');
	}
}

/** HTTP 429 with the code E9001 (api.md#errors). */
export class RateLimitProblem extends Error {
	override readonly name = 'RateLimitProblem';
	readonly statusCode = 429;
}
