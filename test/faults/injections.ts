/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they wait for connections */
import { randomUUID } from 'crypto';
import { once } from 'events';

import { systemTime } from '../../testkit/time/leapingTime';
import { whileHeldBack } from '../../testkit/service/requestsUnderWay';
import type { Exchange, Injection, ServiceAnswer } from './exchange';

/** Adds up to 10 KB/s. */
const DRIP_BYTES = 256;
const DRIP_EVERY_MS = 25;

/** Often enough that no connection goes idle, whose limit is a minute or more. */
const ENDLESS_EVERY_MS = 20_000;

/** Represents secrets that servers repeat in their messages. */
export const ECHOED_SIGNATURE = randomUUID();

/** A link in an error body, as storages and gateways repeat it. */
const ECHOED_LINK = `https://files.example.com/a.wav?signature=${ECHOED_SIGNATURE}`;

/** Resets the connection before anything is passed on. */
export const resetUnread: Injection = async ({ request }) => {
	request.socket.resetAndDestroy();
};

/** Lets the service act, then loses its response. */
export const resetAfterAccepted: Injection = async (exchange) => {
	await exchange.forward();
	exchange.request.socket.resetAndDestroy();
};

/** Sends half of the response, then ends the connection. */
export const resetMidAnswer: Injection = async (exchange) => {
	await giveHalf(exchange);
	exchange.request.socket.destroy();
};

/** Never answers. */
export const stall: Injection = async ({ request: { socket } }) => {
	await whileHeldBack(socket.remotePort, async () => await once(socket, 'close'));
};

/** Sends half of the response, then nothing more. */
export const stallMidAnswer: Injection = async (exchange) => {
	await giveHalf(exchange);
	await stall(exchange);
};

/** Sends everything at 10 KB/s, including the request's body. */
export const drip: Injection = async (exchange) => {
	const { request, response } = exchange;
	const sizeBytes = Number(request.headers['content-length'] ?? 0);
	await holdBack(exchange, (sizeBytes / DRIP_BYTES) * DRIP_EVERY_MS);
	const { status, headers, body } = await exchange.forward();
	response.writeHead(status, { ...headers, 'content-length': body.length });
	for (let from = 0; from < body.length; from += DRIP_BYTES) {
		response.write(body.subarray(from, from + DRIP_BYTES));
		await holdBack(exchange, DRIP_EVERY_MS);
	}
	response.end();
};

/** Never ends the response: single bytes keep the connection from going idle. */
export const endlessAnswer: Injection = async (exchange) => {
	const { response } = exchange;
	const { status, headers } = await exchange.forward();
	response.writeHead(status, { 'content-type': headers['content-type'] ?? 'application/json' });
	while (!response.destroyed) {
		response.write(' ');
		await holdBack(exchange, ENDLESS_EVERY_MS);
	}
};

/** A response with a status. An object body becomes JSON, a string a page. */
interface StatusAnswer {
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
}

/** Responds with a status and a body as services and gateways send it; some repeat the request. */
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

/** The body of a validation error (api.md#validation-error). */
export const VALIDATION_BODY = {
	detail: [{ loc: ['body', 'input', 'files', 0], msg: `not taken: ${ECHOED_LINK}`, type: 'value' }],
};

/** The body of a 429 (api.md#errors). */
export const RATE_LIMIT_BODY = {
	error: { code: 'E9001', message: 'Rate limit exceeded. Please try again later.' },
};

/** A gateway's page. */
export const GATEWAY_PAGE = `<html><body><h1>502 Bad Gateway</h1><a href="${ECHOED_LINK}">.</a></body></html>`;

/** Redirects to another origin. */
export function redirect(code: number, otherOrigin: string): Injection {
	return status(code, {
		headers: { location: `${otherOrigin}/taken?signature=${ECHOED_SIGNATURE}` },
	});
}

/** Cuts the JSON in the middle, with a matching Content-Length. */
export const truncatedJson: Injection = async (exchange) => {
	const answer = await exchange.forward();
	exchange.give({ ...answer, body: answer.body.subarray(0, Math.ceil(answer.body.length / 2)) });
};

/** Moves each value of the JSON one level deeper, so that nothing has the right type. */
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

/** Adds the request's headers to a valid response, as a debugging gateway does. */
export const echoHeaders: Injection = async (exchange) => {
	const answer = await exchange.forward();
	const fields = JSON.parse(answer.body.toString()) as object;
	const echo = { seen: exchange.request.headers };
	exchange.give({ ...answer, body: Buffer.from(JSON.stringify({ ...fields, ...echo })) });
};

/**
 * Lets the service act and loses its response. A second request to the same address learns that nothing
 * is there (any more).
 *
 * @param gone the response to the tries after the first
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

/** Moves the system clock by `byMs` while the nodes wait: for them, and for n8n's own code. */
export function setClock(byMs: number): Injection {
	return async (exchange) => {
		const answer = await exchange.forward();
		systemTime.timeOfDayAheadMs = byMs;
		Date.now = () => realNow() + byMs;
		exchange.give(answer);
	};
}

/** Resets the system clock. */
export function restoreClock(): void {
	systemTime.timeOfDayAheadMs = 0;
	Date.now = realNow;
}

/**
 * Closes an idle connection just as the next request arrives on it. Spares requests on a new
 * connection.
 */
export const closeKeptAlive: Injection = async (exchange) => {
	if (exchange.earlierOnSocket > 0) exchange.request.socket.destroy();
	else exchange.give(await exchange.forward());
};

/** Lets time pass while the client waits for this exchange alone. */
async function holdBack({ request: { socket } }: Exchange, ms: number): Promise<void> {
	await whileHeldBack(socket.remotePort, async () => await systemTime.sleep(ms));
}

async function giveHalf(exchange: Exchange): Promise<void> {
	const { status: code, headers, body } = await exchange.forward();
	const { response } = exchange;
	// An empty response has no middle, so the headers promise a body.
	response.writeHead(code, { ...headers, 'content-length': Math.max(body.length, 2) });
	const half = body.subarray(0, Math.floor(body.length / 2));
	await new Promise<void>((resolve) =>
		response.write(half.length > 0 ? half : ' ', () => resolve()),
	);
}
