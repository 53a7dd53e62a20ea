import { randomUUID } from 'crypto';

import { sleep } from 'n8n-workflow';

import type { Injection, ServiceAnswer } from './exchange';

/** 10 KB/s. */
const DRIP_BYTES = 256;
const DRIP_EVERY_MS = 25;

/** Stands for secrets that servers repeat in what they say. */
export const ECHOED_SIGNATURE = randomUUID();

/** A link in an error body, as storages and gateways like to repeat it. */
const ECHOED_LINK = `https://files.example.com/a.wav?signature=${ECHOED_SIGNATURE}`;

/** A reset before anything was passed on. */
export const resetUnread: Injection = async ({ request }) => {
	request.socket.resetAndDestroy();
};

/** The service has acted, and its answer is lost. */
export const resetAfterAccepted: Injection = async (exchange) => {
	await exchange.forward();
	exchange.request.socket.resetAndDestroy();
};

/** Half of the answer, then the end of the connection. */
export const resetMidAnswer: Injection = async (exchange) => {
	await giveHalf(exchange);
	exchange.request.socket.destroy();
};

/** Nothing, for ever. */
export const stall: Injection = async () => {};

/** Half of the answer, then nothing for ever. */
export const stallMidAnswer: Injection = async (exchange) => {
	await giveHalf(exchange);
};

/** Everything arrives, at 10 KB/s: the request's body, too. */
export const drip: Injection = async (exchange) => {
	const { request, response } = exchange;
	const sizeBytes = Number(request.headers['content-length'] ?? 0);
	await sleep((sizeBytes / DRIP_BYTES) * DRIP_EVERY_MS);
	const { status, headers, body } = await exchange.forward();
	response.writeHead(status, { ...headers, 'content-length': body.length });
	for (let from = 0; from < body.length; from += DRIP_BYTES) {
		response.write(body.subarray(from, from + DRIP_BYTES));
		await sleep(DRIP_EVERY_MS);
	}
	response.end();
};

/** The answer never ends: a byte at a time keeps the connection from ever being idle. */
export const endlessAnswer: Injection = async (exchange) => {
	const { response } = exchange;
	const { status, headers } = await exchange.forward();
	response.writeHead(status, { 'content-type': headers['content-type'] ?? 'application/json' });
	while (!response.destroyed) {
		response.write(' ');
		await sleep(DRIP_EVERY_MS);
	}
};

/** What is answered with a status; an object becomes JSON, a text a page. */
interface StatusAnswer {
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
}

/** An HTTP status with a body as services and gateways send it: some repeat what they were sent. */
export function status(code: number, { body, headers = {} }: StatusAnswer = {}): Injection {
	return async (exchange) => {
		await exchange.body();
		const key = exchange.request.headers['x-api-key'] ?? 'none';
		const signature = /signature=(\w+)/.exec(exchange.path)?.[1] ?? 'none';
		const quoted = `key ${key}, signature ${signature}, see ${ECHOED_LINK}`;
		const said = body ?? { detail: `refused by the test: ${quoted}` };
		const isText = typeof said === 'string';
		exchange.give({
			status: code,
			headers: { 'content-type': isText ? 'text/html' : 'application/json', ...headers },
			body: Buffer.from(isText ? said : JSON.stringify(said)),
		});
	};
}

/** The body of a validation error, spec "Validation error". */
export const VALIDATION_BODY = {
	detail: [{ loc: ['body', 'input', 'files', 0], msg: `not taken: ${ECHOED_LINK}`, type: 'value' }],
};

/** The body of a 429, spec "Errors". */
export const RATE_LIMIT_BODY = {
	error: { code: 'E9001', message: 'Rate limit exceeded. Please try again later.' },
};

/** A gateway's page. */
export const GATEWAY_PAGE = `<html><body><h1>502 Bad Gateway</h1><a href="${ECHOED_LINK}">.</a></body></html>`;

/** A redirect to somebody else. */
export function redirect(code: number, otherOrigin: string): Injection {
	return status(code, {
		headers: { location: `${otherOrigin}/taken?signature=${ECHOED_SIGNATURE}` },
	});
}

/** The JSON ends in the middle, and the Content-Length agrees. */
export const truncatedJson: Injection = async (exchange) => {
	const answer = await exchange.forward();
	exchange.give({ ...answer, body: answer.body.subarray(0, Math.ceil(answer.body.length / 2)) });
};

/** JSON in which nothing has the type it should have; what was there stands one level deeper. */
export const wrongTypes: Injection = async (exchange) => {
	const answer = await exchange.forward();
	const headers = { ...answer.headers, 'content-type': 'application/json' };
	const body = Buffer.from(JSON.stringify(wronglyTyped(answer)));
	exchange.give({ ...answer, headers, body });
};

function wronglyTyped({ headers, body }: ServiceAnswer): object {
	const isJson = headers['content-type']?.includes('json') ?? false;
	const fields = isJson ? (JSON.parse(body.toString()) as object) : { file: 'none' };
	return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, { value }]));
}

/** A valid answer that also quotes the request's headers, as a debugging gateway adds them. */
export const echoHeaders: Injection = async (exchange) => {
	const answer = await exchange.forward();
	const fields = JSON.parse(answer.body.toString()) as object;
	const echo = { seen: exchange.request.headers };
	exchange.give({ ...answer, body: Buffer.from(JSON.stringify({ ...fields, ...echo })) });
};

/**
 * The service acts and its answer is lost; a second request to the same address is answered that there is
 * nothing (any more).
 *
 * @param gone the answer to the tries after the first
 */
export function resetThenGone(gone: Injection): Injection {
	const acted = new Set<string>();
	return async (exchange) => {
		const asked = `${exchange.request.headers.host} ${exchange.method} ${exchange.path}`;
		if (acted.has(asked)) return await gone(exchange);
		acted.add(asked);
		return await resetAfterAccepted(exchange);
	};
}

const realNow = Date.now;

/** Sets the system clock of the nodes by so many milliseconds from the real one while they wait. */
export function setClock(byMs: number): Injection {
	return async (exchange) => {
		const answer = await exchange.forward();
		Date.now = () => realNow() + byMs;
		exchange.give(answer);
	};
}

/** Puts the system clock right again. */
export function restoreClock(): void {
	Date.now = realNow;
}

/** Header names in capitals, as some gateways write them. */
export const shoutHeaders: Injection = async (exchange) => {
	const answer = await exchange.forward();
	const headers = Object.entries({ ...answer.headers, 'content-length': answer.body.length });
	const loud = headers.map(([name, value]) => [name.toUpperCase(), value]);
	exchange.response.writeHead(answer.status, Object.fromEntries(loud));
	exchange.response.end(answer.body);
};

/**
 * The server ends an idle connection just as the next request comes over it. A request that has a new
 * connection is not hit.
 */
export const closeKeptAlive: Injection = async (exchange) => {
	if (exchange.earlierOnSocket > 0) exchange.request.socket.destroy();
	else exchange.give(await exchange.forward());
};

async function giveHalf(exchange: Parameters<Injection>[0]): Promise<void> {
	const { status: code, headers, body } = await exchange.forward();
	const { response } = exchange;
	// An empty answer has no middle; it is made to promise something.
	response.writeHead(code, { ...headers, 'content-length': Math.max(body.length, 2) });
	const half = body.subarray(0, Math.floor(body.length / 2));
	await new Promise<void>((resolve) =>
		response.write(half.length > 0 ? half : ' ', () => resolve()),
	);
}
