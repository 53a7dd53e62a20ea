import { spawn } from 'node:child_process';

import { wavFile } from '../../../testkit/media/wavFile.ts';
import { statusBytes } from '../../../testkit/measure/peak.mts';
import { startChildService } from '../../../testkit/service/childService.mts';
import { Client } from '../../../testkit/service/client.mts';
import { leaveEarly } from '../../../testkit/service/leftUpload.mts';
import { shortRecording } from '../../../testkit/service/recordings.mts';
import { reply, startOutsideServer } from '../../../testkit/service/servers.mts';
import { ANNS_KEY, BOBS_KEY, QUICK } from '../../../testkit/service/testService.mts';
import { pingUntil } from './pings.mts';

const MEGABYTE = 1_000_000;

/** Edits with words from the hostile server. */
const TRANSCRIPTIONS = 20;
const RATE_HZ = 16_000;

/** What cost other users something. */
export interface Survival {
	/** Whether the process has ended. */
	deaths: number;
	/** Edits of another key that failed. */
	othersFailed: number;
	/** Of the process alone. */
	peakMegabytes: number;
	longestSilenceSeconds: number;
}

/** Clients begin to upload more than is allowed, and leave before the answer. */
export async function tryLeaving(folder: string, uploads: number): Promise<Survival> {
	return await survive(folder, ['--source-size-limit-bytes', '300000'], async ({ ann }) => {
		for (let upload = 0; upload < uploads; upload++) {
			await leaveEarly(await ann.uploadLink('talk.wav'), upload % 2 === 0 ? 9e9 : 300_001);
		}
	});
}

/** Recordings that claim a minute and a half and hold one sample, some of them beside busy processes. */
export async function tryUndecodable(folder: string, edits: number): Promise<Survival> {
	const busy = [1, 2, 3].map(() => spawn(process.execPath, ['-e', 'for(;;);']));
	try {
		return await survive(folder, [], async ({ ann }) => {
			const file = await ann.upload(oneSample());
			const oneAfterTheOther = async () => {
				for (let edit = 0; edit < edits / 4; edit++) {
					await ann.ended(await ann.create({ files: [file], config: { long_silences: true } }));
				}
			};
			await Promise.all([1, 2, 3, 4].map(oneAfterTheOther));
		});
	} finally {
		for (const process of busy) process.kill('SIGKILL');
	}
}

/**
 * A storage that answers a delivery without end, a source that is endless, and a transcription server whose answers
 * are endless, have words of 5 MB, or 700,000 words.
 */
export async function tryEndless(folder: string): Promise<Survival> {
	const piece = Buffer.alloc(MEGABYTE);
	const word = { word: 'a'.repeat(5 * MEGABYTE), start: 0, end: 1 };
	const words = Array.from({ length: 700_000 }, () => ({ word: 'a', start: 0, end: 1 }));
	const texts = [[word], [word, word], words].map((list) => JSON.stringify({ words: list }));
	await using web = await startOutsideServer(({ url }, response, before) => {
		const text = url.endsWith('/transcriptions') ? texts[before % (texts.length + 1)] : undefined;
		if (text !== undefined) {
			reply(response, 200, text);
			return;
		}
		response.writeHead(200, { 'Content-Type': 'audio/wav' });
		const go = () => {
			while (!response.destroyed) if (!response.write(piece)) return;
		};
		response.on('drain', go);
		go();
	});
	const limits = ['--allow-private-sources', '--source-size-limit-bytes', String(200 * MEGABYTE)];
	const flags = [...limits, '--transcription-url', `${web.url}/v1`];
	return await survive(folder, flags, async ({ ann }) => {
		const file = await ann.upload(shortRecording);
		const transcribed = { files: [file], config: { transcription: true } };
		const requests = [
			...Array.from({ length: TRANSCRIPTIONS }, () => transcribed),
			{ files: [file], config: { signed_url: `${web.url}/delivery` } },
			{ files: [`${web.url}/endless.wav`], config: {} },
		];
		await Promise.all(requests.map(async (request) => await ann.ended(await ann.create(request))));
	});
}

/** Runs an attack of one key while another one's edits go on. */
async function survive(
	folder: string,
	flags: readonly string[],
	attack: (clients: { ann: Client }) => Promise<void>,
): Promise<Survival> {
	const keys = ['--api-key', ANNS_KEY, '--api-key', BOBS_KEY];
	await using service = await startChildService(folder, ...QUICK, ...keys, ...flags);
	const [ann, bob] = [ANNS_KEY, BOBS_KEY].map((key) => new Client(service.client.url, key));
	const stop = new AbortController();
	const survival = { deaths: 0, othersFailed: 0, peakMegabytes: 0, longestSilenceSeconds: 0 };
	const others = editUntil(stop.signal, bob, () => (survival.othersFailed += 1));
	const answered = (ms: number) => {
		const megabytes = statusBytes('VmHWM', service.pid) / MEGABYTE;
		survival.peakMegabytes = Math.max(survival.peakMegabytes, megabytes);
		survival.longestSilenceSeconds = Math.max(survival.longestSilenceSeconds, ms / 1_000);
	};
	const pings = pingUntil(stop.signal, service, answered).catch(() => {
		survival.deaths = 1;
	});
	await attack({ ann }).catch((error: unknown) => {
		console.log(`  ${String(error)}`);
	});
	stop.abort();
	await Promise.all([others, pings]);
	return survival;
}

async function editUntil(stop: AbortSignal, bob: Client, failed: () => void): Promise<void> {
	while (!stop.aborted) {
		try {
			const files = [await bob.upload(shortRecording)];
			const { status } = await bob.ended(await bob.create({ files, config: {} }));
			if (status !== 'SUCCESS') failed();
		} catch {
			failed();
			return;
		}
	}
}

/** A WAV file of 46 bytes whose header says 90 s. */
function oneSample(): Buffer {
	const file = wavFile(Buffer.alloc(2), RATE_HZ);
	const claimedBytes = 2 * RATE_HZ * 90;
	file.writeUInt32LE(36 + claimedBytes, 4);
	file.writeUInt32LE(claimedBytes, 40);
	return file;
}
