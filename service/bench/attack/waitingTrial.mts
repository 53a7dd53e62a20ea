import { startChildService } from '../../../testkit/service/childService.mts';
import type { Client } from '../../../testkit/service/client.mts';
import { shortRecording } from '../../../testkit/service/recordings.mts';
import { startOutsideServer } from '../../../testkit/service/servers.mts';
import { QUICK } from '../../../testkit/service/testService.mts';
import { median } from '../../../testkit/measure/median.mts';

const RUNS = 5;

/** Number of closed ports on this machine; a server that never answers is the tenth source. */
const UNREACHABLE = 9;

/** Returns how much longer an edit takes after ten edits with unreachable sources, as a ratio. */
export async function tryWaiting(storage: string): Promise<number> {
	await using silent = await startOutsideServer(() => undefined);
	await using service = await startChildService(storage, ...QUICK);
	const { client } = service;
	await timed(client);
	const alone = await medianOf(client);
	for (let index = 0; index < UNREACHABLE; index++) {
		await client.create({ files: [`http://127.0.0.1:${index + 1}/talk.wav`], config: {} });
	}
	await client.create({ files: [`${silent.url}/talk.wav`], config: {} });
	const after = await medianOf(client);
	console.log(`  alone ${alone.toFixed(2)} s, after ten unreachable sources ${after.toFixed(2)} s`);
	return after / alone;
}

async function medianOf(client: Client): Promise<number> {
	const seconds: number[] = [];
	for (let run = 0; run < RUNS; run++) seconds.push(await timed(client));
	return median(seconds);
}

/** Seconds from submission to end of an edit of one second of audio. */
async function timed(client: Client): Promise<number> {
	const files = [await client.upload(shortRecording)];
	const began = performance.now();
	const { status } = await client.ended(await client.create({ files, config: {} }));
	if (status !== 'SUCCESS') throw new Error(`The edit ended with ${status}`);
	return (performance.now() - began) / 1000;
}
