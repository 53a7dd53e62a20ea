/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they wait for connections */
import { once } from 'events';

import {
	ECHOED_LINK,
	ECHOED_SIGNATURE,
	type NetworkFault,
	NETWORK_FAULTS,
} from '../../testkit/service/fake/networkFaults';
import type { Answer } from '../../testkit/service/fake/scriptedService';
import { systemTime } from '../../testkit/time/leapingTime';
import { whileHeldBack } from '../../testkit/service/requestsUnderWay';
import type { ServiceAnswer } from '../../testkit/service/fake/forward';
import type { Exchange, Injection } from './exchange';

/** Adds up to 10 KB/s. */
const DRIP_BYTES = 256;
const DRIP_EVERY_MS = 25;

/** Often enough that no connection goes idle, whose limit is a minute or more. */
const ENDLESS_EVERY_MS = 20_000;

/** Does to a request over HTTP what a network can do. A port refuses connections itself. */
export function injectionOf(fault: NetworkFault): Injection {
	return async (exchange) => {
		if ('damage' in fault) {
			const answer = await exchange.forward();
			exchange.send({ ...answer, body: fault.damage(answer.body) });
			return;
		}
		if (fault.isAccepted) await exchange.forward();
		if ('answer' in fault) await sendInstead(exchange, fault.answer);
		else if (fault.breaks === 'ETIMEDOUT') await stall(exchange);
		else exchange.request.socket.resetAndDestroy();
	};
}

/** Sends half of the response, then ends the connection. */
export const resetMidAnswer: Injection = async (exchange) => {
	await sendHalf(exchange);
	exchange.request.socket.destroy();
};

/** Never answers. */
const stall: Injection = async ({ request: { socket } }) => {
	await whileHeldBack(socket.remotePort, async () => await once(socket, 'close'));
};

/** Sends half of the response, then nothing more. */
export const stallMidAnswer: Injection = async (exchange) => {
	await sendHalf(exchange);
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

/** Sends another answer than the service's. Without a body, it repeats the request, as some gateways do. */
async function sendInstead(
	exchange: Exchange,
	{ status: code = 200, body, headers = {} }: Answer,
): Promise<void> {
	await exchange.body();
	const key = exchange.request.headers['x-api-key'] ?? 'none';
	const signature = /signature=(\w+)/.exec(exchange.path)?.[1] ?? 'none';
	const quoted = `key ${key}, signature ${signature}, see ${ECHOED_LINK}`;
	const said = body ?? { detail: `refused by the test: ${quoted}` };
	const isText = typeof said === 'string';
	exchange.send({
		status: code,
		headers: { 'content-type': isText ? 'text/html' : 'application/json', ...headers },
		body: Buffer.from(isText ? said : JSON.stringify(said)),
	});
}

/** Responds with a status. */
export function status(code: number, more: Pick<Answer, 'body' | 'headers'> = {}): Injection {
	return injectionOf({ isAccepted: false, answer: { status: code, ...more } });
}

/** Redirects to another origin. */
export function redirect(code: number, otherOrigin: string): Injection {
	return status(code, {
		headers: { location: `${otherOrigin}/taken?signature=${ECHOED_SIGNATURE}` },
	});
}

/** Moves each value of the JSON one level deeper, so that nothing has the right type. */
export const wrongTypes: Injection = async (exchange) => {
	const answer = await exchange.forward();
	const headers = { ...answer.headers, 'content-type': 'application/json' };
	const body = Buffer.from(JSON.stringify(wronglyTyped(answer)));
	exchange.send({ ...answer, headers, body });
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
	exchange.send({ ...answer, body: Buffer.from(JSON.stringify({ ...fields, ...echo })) });
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
		return await injectionOf(NETWORK_FAULTS.resetAccepted)(exchange);
	};
}

const realNow = Date.now;

/** Moves the system clock by `byMs` while the nodes wait: for them, and for n8n's own code. */
export function setClock(byMs: number): Injection {
	return async (exchange) => {
		const answer = await exchange.forward();
		systemTime.timeOfDayAheadMs = byMs;
		Date.now = () => realNow() + byMs;
		exchange.send(answer);
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
	else exchange.send(await exchange.forward());
};

/** Lets time pass while the client waits for this exchange alone. */
async function holdBack({ request: { socket } }: Exchange, ms: number): Promise<void> {
	await whileHeldBack(socket.remotePort, async () => await systemTime.sleep(ms));
}

async function sendHalf(exchange: Exchange): Promise<void> {
	const { status: code, headers, body } = await exchange.forward();
	const { response } = exchange;
	// An empty response has no middle, so the headers promise a body.
	response.writeHead(code, { ...headers, 'content-length': Math.max(body.length, 2) });
	const half = body.subarray(0, Math.floor(body.length / 2));
	await new Promise<void>((resolve) =>
		response.write(half.length > 0 ? half : ' ', () => resolve()),
	);
}
