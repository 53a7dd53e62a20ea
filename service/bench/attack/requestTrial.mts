import { readFile } from 'node:fs/promises';

import { type ChildService, startChildService } from '../../../testkit/service/childService.mts';
import { send } from '../../../testkit/service/client.mts';
import { QUICK } from '../../../testkit/service/testService.mts';
import { pingUntil } from './pings.mts';

/** The largest body that the service reads. */
const BODY_CHARACTERS = 1_000_000;

const URL_CHARACTERS = 16_000;

type HostileRequest = readonly [method: string, path: string, body?: string];

const edit = (files: readonly string[], config: object = {}): HostileRequest => [
	'POST',
	'/v2/edits',
	JSON.stringify({ input: { files, config } }),
];

const longUrl = (piece: string, characters = URL_CHARACTERS) =>
	`https://source.invalid/${piece.repeat(characters / piece.length)}`;

const body = (text: string): HostileRequest => ['POST', '/v2/edits', text];

/** Requests that are as expensive as their limits allow. */
const REQUESTS: Readonly<Record<string, HostileRequest>> = {
	'a URL of a million characters': edit([longUrl('a', BODY_CHARACTERS - 100)]),
	'a URL of dots': edit([longUrl('.')]),
	'a URL of beginnings of URLs': edit([longUrl('http://')]),
	'a URL of emoji': edit([longUrl('🎧')]),
	'32 long URLs': edit(Array.from({ length: 32 }, (_, index) => longUrl(`${index}.`))),
	'a long storage URL': edit(['https://source.invalid/a.wav'], { signed_url: longUrl('?a=b&') }),
	'30,000 files': edit(Array.from({ length: 30_000 }, () => 'https://a.invalid/a.wav')),
	'9,990 files that are no URL': body(JSON.stringify({ input: { files: Array(9_990).fill('') } })),
	'deep nesting': body('['.repeat(BODY_CHARACTERS)),
	'many keys': body(
		`{"input":{${Array.from({ length: 60_000 }, (_, index) => `"key${index}":1`).join()}}}`,
	),
	'many unknown settings': edit(
		['https://source.invalid/a.wav'],
		Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key${index}`, 1])),
	),
	'a long string': body(JSON.stringify({ input: '\\'.repeat(BODY_CHARACTERS / 2 - 20) })),
	'half a document': body('{"input":"'.padEnd(BODY_CHARACTERS, 'a')),
	'a number of a million digits': body('1'.repeat(BODY_CHARACTERS)),
	'a long file name': ['POST', `/v2/upload?filename=${'%2e'.repeat(4_000)}`],
	'a long ID': ['GET', `/v2/edits/${'a'.repeat(2_000)}`],
	'a long path': ['GET', '/'.repeat(8_000)],
	'many parameters': ['GET', `/v2/configurations?${'a&'.repeat(6_000)}`],
};

/**
 * Sends each of the requests alone, and asks for /ping all the while. Returns the most processor time that one of them
 * cost the thread that answers all, and the longest time in which /ping had no answer.
 */
export async function tryRequests(storage: string) {
	await using service = await startChildService(storage, ...QUICK);
	const stop = new AbortController();
	let longestMs = 0;
	const pinging = pingUntil(stop.signal, service, (ms) => {
		longestMs = Math.max(longestMs, ms);
	});
	let worstMs = 0;
	for (const [what, request] of Object.entries(REQUESTS)) {
		// The first one compiles what the later ones run.
		const costs: number[] = [];
		let status = 0;
		for (let turn = 0; turn < 3; turn += 1) {
			const before = await mainThreadMs(service);
			status = await answerOf(service, request);
			costs.push((await mainThreadMs(service)) - before);
		}
		const ms = Math.min(...costs);
		worstMs = Math.max(worstMs, ms);
		console.log(`  ${String(status)} ${ms.toFixed(0).padStart(4)} ms  ${what}`);
	}
	const before = await mainThreadMs(service);
	const page = await send('GET', service.client.url);
	const pageMs = (await mainThreadMs(service)) - before;
	worstMs = Math.max(worstMs, pageMs);
	console.log(`  ${pageMs.toFixed(0)} ms for the page of ${page.bytes.length} bytes`);
	stop.abort();
	await pinging;
	return { worstMs, longestSilenceSeconds: longestMs / 1_000 };
}

async function answerOf({ client }: ChildService, [method, path, text]: HostileRequest) {
	return (await client.call(method, path, text === undefined ? {} : { body: text })).status;
}

/** Processor time of the main thread, which answers the requests; Linux only. */
export async function mainThreadMs({ pid }: ChildService): Promise<number> {
	const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
	return Number(nanoseconds) / 1e6;
}
