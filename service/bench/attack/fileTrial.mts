import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { isFinalStatus } from '../../shared/contract.mts';
import { startChildService, type ChildService } from '../../../testkit/service/childService.mts';
import { send } from '../../../testkit/service/client.mts';
import {
	startOpenAiServer,
	transcriptionRequestOf,
} from '../../../testkit/service/openAiServer.mts';
import { talk } from '../../../testkit/service/recordings.mts';
import { reply, startOutsideServer } from '../../../testkit/service/servers.mts';
import { childrenCpuSeconds, childrenOf, livingBytes } from '../../../testkit/measure/peak.mts';
import type { HostileFile } from '../../../testkit/media/falseMedia.mts';
import { hostileFiles } from './hostileKinds.mts';

/** A slower edit counts as not survived. */
const TIMEOUT_SECONDS = 90;

const SAMPLING_MS = 50;

/**
 * Makes a running service edit every hostile file, and measures leaks, time and memory. Leaks are bytes from files
 * that these point at, from requests that they caused, and from paths on the page.
 */
export async function tryFiles(folder: string) {
	const recordingPath = join(folder, 'somebody-elses.wav');
	await writeFile(recordingPath, talk);
	await using leak = await startOutsideServer((_visit, response) => {
		reply(response, 200, talk);
	});
	await using listener = await startOpenAiServer(() => ({ body: { text: '', words: [] } }));
	const storage = join(folder, 'storage');
	await using service = await startChildService(
		storage,
		'--transcription-url',
		`${listener.url}/v1`,
		'--max-source-hours',
		'0.5',
		'--submissions-per-minute',
		'100000',
		'--status-calls-per-minute',
		'100000',
	);
	const trial = {
		files: 0,
		survived: 0,
		leakedBytes: 0,
		peakMegabytes: 0,
		dearestRefusalSeconds: 0,
	};
	const targets = { recordingPath, serverUrl: leak.url, folder: join(folder, 'made') };
	for await (const file of hostileFiles(targets)) {
		trial.files += 1;
		listener.visits.length = 0;
		const run = await edit(service, file);
		const sent = listener.visits.map((visit) => transcriptionRequestOf(visit).wav.length);
		const soundBytes = file.hasSound ? 0 : sent.reduce((sum, bytes) => sum + bytes, 0);
		const shown = run.page.includes(folder) ? 1 : 0;
		trial.leakedBytes += soundBytes + shown + (file.hasSound ? 0 : run.resultBytes);
		trial.survived += run.isSurvived ? 1 : 0;
		trial.peakMegabytes = Math.max(trial.peakMegabytes, run.peakMegabytes);
		if (run.status === 'FAILURE') {
			trial.dearestRefusalSeconds = Math.max(trial.dearestRefusalSeconds, run.cpuSeconds);
		}
		const { seconds, cpuSeconds, peakMegabytes: megabytes } = run;
		const figures = `${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`;
		console.log(`  ${run.status.padEnd(8)} ${figures.padEnd(28)} ${file.what} (${file.name})`);
	}
	trial.leakedBytes += leak.visits.reduce((sum, { url }) => sum + url.length, 0);
	return trial;
}

/** Uploads a file, edits it with settings that read all of it, and watches the service. */
async function edit({ client, pid }: ChildService, { name, bytes, isVideo = false }: HostileFile) {
	let peakMegabytes = 0;
	const sampling = setInterval(() => {
		peakMegabytes = Math.max(peakMegabytes, megabytesOf(pid));
	}, SAMPLING_MS);
	try {
		const files = [await client.upload(bytes, name)];
		const began = performance.now();
		const computedSeconds = childrenCpuSeconds(pid);
		const config = { fillers: true, video: isVideo };
		const id = await client.create({ files, config, local: { word_check: true } });
		const isLate = () => performance.now() - began > TIMEOUT_SECONDS * 1000;
		let now = await client.edit(id);
		while (!isFinalStatus(now.status) && !isLate()) {
			await wait(20);
			now = await client.edit(id);
		}
		const seconds = (performance.now() - began) / 1000;
		const cpuSeconds = childrenCpuSeconds(pid) - computedSeconds;
		const isSurvived = isFinalStatus(now.status) && (await isAlive(client.url));
		const resultBytes =
			now.status === 'SUCCESS'
				? (await send('GET', now.result?.download_url ?? '')).bytes.length
				: 0;
		const { text: page } = await send('GET', `${client.url}/?open=${id}`);
		await client.call('DELETE', `/v2/edits/${id}`);
		const { status } = now;
		return { status, seconds, cpuSeconds, isSurvived, resultBytes, peakMegabytes, page };
	} finally {
		clearInterval(sampling);
	}
}

async function isAlive(url: string): Promise<boolean> {
	return (await send('GET', `${url}/ping`)).status === 200;
}

/** Resident memory of a process and its children. */
function megabytesOf(pid: number): number {
	const sizes = livingBytes('VmRSS', [String(pid), ...childrenOf(pid)]);
	return sizes.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20;
}
