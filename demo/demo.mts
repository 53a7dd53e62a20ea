/**
 * Edits a real recording twice: starts the local service, runs two example workflows with the shipped
 * nodes in n8n's own execution engine, the chain of five and the one node, and measures the results.
 * Exits with 0 only if both edited files are shorter, at the target loudness, and deleted at the service.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { type LocalService, startLocalService } from '../test/support/localService.ts';
import { check, table } from './report.mts';
import { measure } from './measure.mts';
import { type DemoResult, type Example, FIVE_NODES, ONE_NODE, runExample } from './runExample.mts';

const HERE = import.meta.dirname;
const RECORDING = join(HERE, 'recording.mp3');
const OUTPUT_FOLDER = join(HERE, '..', 'demo-output');

const TARGET_LUFS = -16;
const TOLERANCE_LU = 1;

/** Minimum that the cut pauses shorten the recording by. */
const SHORTER_BY_SECONDS = 1;

/** Keeps the edit in each status long enough to be seen, as with an hour-long recording. */
const STATE_SECONDS = '5';

async function main(): Promise<boolean> {
	console.log('Starting the local service …');
	const service = await startLocalService(['--minimum-state-seconds', STATE_SECONDS]);
	try {
		console.log(`It listens at ${service.url}\n`);
		await rm(OUTPUT_FOLDER, { recursive: true, force: true });
		await mkdir(OUTPUT_FOLDER, { recursive: true });
		// One after the other: they share the service, and the clock that is printed.
		const isChainGood = await show(service, FIVE_NODES);
		const isOneNodeGood = await show(service, ONE_NODE);
		return isChainGood && isOneNodeGood;
	} finally {
		await service.stop();
	}
}

async function show(service: LocalService, example: Example): Promise<boolean> {
	console.log(`${example.title} (workflows/${example.file})\n`);
	const result = await runExample(service, RECORDING, example);
	const editedPath = await save(result, basename(example.file, '.json'));
	return await report(service, result, editedPath);
}

async function save({ files }: DemoResult, folder: string): Promise<string> {
	const path = join(OUTPUT_FOLDER, folder);
	await mkdir(path, { recursive: true });
	console.log('');
	for (const { name, content } of files) {
		await writeFile(join(path, name), content);
		const sizeBytes = content.length.toLocaleString('en');
		console.log(`Wrote demo-output/${folder}/${name} (${sizeBytes} bytes)`);
	}
	return join(path, files[0].name);
}

async function report(
	service: LocalService,
	{ editId, statistics, isDeleted }: DemoResult,
	editedPath: string,
): Promise<boolean> {
	const before = await measure(RECORDING);
	const after = await measure(editedPath);
	const edits = Object.entries(statistics)
		.filter(([, count]) => count > 0)
		.map(([kind, count]) => `${count} × ${kind}`);
	console.log('');
	console.log(
		table([
			['', 'before', 'after'],
			[
				'Duration',
				`${before.durationSeconds.toFixed(1)} s`,
				`${after.durationSeconds.toFixed(1)} s`,
			],
			[
				'Loudness',
				`${before.loudnessLufs.toFixed(1)} LUFS`,
				`${after.loudnessLufs.toFixed(1)} LUFS`,
			],
			[
				'Noise floor',
				`${before.noiseFloorDb.toFixed(1)} dBFS`,
				`${after.noiseFloorDb.toFixed(1)} dBFS`,
			],
			['Edits counted', '', edits.join(', ') || 'none'],
		]),
	);
	console.log('');
	const shorterBySeconds = before.durationSeconds - after.durationSeconds;
	const loudnessErrorLu = Math.abs(after.loudnessLufs - TARGET_LUFS);
	const isGone = isDeleted && (await isUnknown(service, editId));
	const checks = [
		check(
			'really shorter',
			shorterBySeconds >= SHORTER_BY_SECONDS,
			`${shorterBySeconds.toFixed(1)} s`,
		),
		check(
			`at ${TARGET_LUFS} LUFS ±${TOLERANCE_LU} LU`,
			loudnessErrorLu <= TOLERANCE_LU,
			`off by ${loudnessErrorLu.toFixed(2)} LU`,
		),
		check('deleted at the service', isGone, `edit ${editId}`),
	];
	console.log('');
	return checks.every(Boolean);
}

/** A deleted edit has the status PENDING, like an unknown one, and no result. */
async function isUnknown({ url, apiKey }: LocalService, editId: string): Promise<boolean> {
	const answer = await fetch(`${url}/v2/edits/${editId}`, { headers: { 'X-API-Key': apiKey } });
	const body = (await answer.json()) as { status?: string };
	return answer.status === 200 && body.status === 'PENDING';
}

try {
	process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
	const { message, description } = error as { message?: string; description?: string | null };
	console.error(['', 'The demo failed:', message, description].filter(Boolean).join('\n'));
	process.exitCode = 1;
}
