import { randomUUID } from 'crypto';

import type { Answer } from './scriptedService';

/**
 * What any network or service can do to a request. The proxy of test/faults does it over HTTP, the
 * network of bench/pipeline in memory.
 */
export type NetworkFault = {
	/** Whether the service gets the request before that. */
	readonly isAccepted: boolean;
} & (
	| { readonly breaks: 'ECONNREFUSED' | 'ECONNRESET' | 'ETIMEDOUT' | 'EPROTO' }
	/** Is sent instead of the service's answer. */
	| { readonly answer: Answer }
	/** What becomes of the body of the service's answer. */
	| { readonly damage: (body: Buffer) => Buffer }
);

/** Represents secrets that servers repeat in their messages. */
export const ECHOED_SIGNATURE = randomUUID();

/** A link in an error body, as storages and gateways repeat it. */
export const ECHOED_LINK = `https://files.example.com/a.wav?signature=${ECHOED_SIGNATURE}`;

/** The body of a validation error (api.md#validation-error). */
const VALIDATION_BODY = {
	detail: [{ loc: ['body', 'input', 'files', 0], msg: `not taken: ${ECHOED_LINK}`, type: 'value' }],
};

/** The body of a 429 (api.md#errors). */
const RATE_LIMIT_BODY = {
	error: { code: 'E9001', message: 'Rate limit exceeded. Please try again later.' },
};

const GATEWAY_PAGE = `<html><body><h1>502 Bad Gateway</h1><a href="${ECHOED_LINK}">.</a></body></html>`;

const refusing = (answer: Answer): NetworkFault => ({ isAccepted: false, answer });
const losing = (answer: Answer): NetworkFault => ({ isAccepted: true, answer });

/** A service that takes an edit does not refuse it, so only its failures may come after that. */
export const NETWORK_FAULTS = {
	refused: { isAccepted: false, breaks: 'ECONNREFUSED' },
	notSecure: { isAccepted: false, breaks: 'EPROTO' },
	reset: { isAccepted: false, breaks: 'ECONNRESET' },
	resetAccepted: { isAccepted: true, breaks: 'ECONNRESET' },
	silent: { isAccepted: false, breaks: 'ETIMEDOUT' },
	silentAccepted: { isAccepted: true, breaks: 'ETIMEDOUT' },
	failed: refusing({ status: 500 }),
	failedAccepted: losing({ status: 500 }),
	badGateway: refusing({ status: 502, body: GATEWAY_PAGE }),
	badGatewayAccepted: losing({ status: 502, body: GATEWAY_PAGE }),
	limited: refusing({ status: 429, body: RATE_LIMIT_BODY }),
	limitedForSeconds: refusing({
		status: 429,
		body: RATE_LIMIT_BODY,
		headers: { 'retry-after': '7' },
	}),
	keyRefused: refusing({ status: 401 }),
	invalid: refusing({ status: 422, body: VALIDATION_BODY }),
	page: { isAccepted: true, damage: () => Buffer.from('<html>Busy</html>') },
	empty: { isAccepted: true, damage: () => Buffer.alloc(0) },
	/** Cut in the middle, with a matching Content-Length. */
	half: { isAccepted: true, damage: (body) => body.subarray(0, Math.ceil(body.length / 2)) },
} satisfies Record<string, NetworkFault>;
