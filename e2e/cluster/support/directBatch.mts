import { setTimeout as sleep } from 'node:timers/promises';

import { type Client, finishedFile } from '../../../test/service/support/client.mts';
import { makeRecording } from '../../../test/support/recording.ts';
import { isFinalStatus } from '../../../service/shared/contract.mts';
import { PRESETS } from '../../../nodes/CreateEdit/config/presets.ts';

/** Recordings that are uploaded and submitted at the same time. */
const LANES = 8;

/** Between two status calls: rarely enough to cost the service nearly nothing. */
const LOOK_EVERY_MS = 250;

/** Returns a number of recordings of 5 to 9 s, the same in every run. */
export function shortRecordings(count: number): Buffer[] {
	return Array.from({ length: count }, (_, index) =>
		makeRecording({ partsSeconds: [5 + (4 * index) / count] }),
	);
}

/** Uploads and submits all recordings, a few at a time. @returns the edits' ids in the same order */
export async function submitAll(client: Client, recordings: readonly Buffer[]): Promise<string[]> {
	const ids: string[] = [];
	const waiting = [...recordings.entries()];
	const lane = async () => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const [index, recording] = next;
			const files = [await client.upload(recording)];
			ids[index] = await client.create({ files, config: PRESETS.enhance });
		}
	};
	await Promise.all(Array.from({ length: LANES }, lane));
	return ids;
}

/** Waits for each edit and downloads its file. @throws unless all end with SUCCESS */
export async function fetchAll(client: Client, ids: readonly string[]): Promise<void> {
	for (const id of ids) {
		let edit = await client.edit(id);
		while (!isFinalStatus(edit.status)) {
			await sleep(LOOK_EVERY_MS);
			edit = await client.edit(id);
		}
		await finishedFile(edit);
	}
}

/** Returns the seconds from the first upload to the end of the last download. */
export async function wallSeconds(client: Client, recordings: readonly Buffer[]): Promise<number> {
	const startedAtMs = Date.now();
	await fetchAll(client, await submitAll(client, recordings));
	return (Date.now() - startedAtMs) / 1_000;
}
