/**
 * Edits a real recording: starts the local service, runs an example workflow with the shipped nodes in
 * n8n's own execution engine, and measures the edited file. In a terminal, it then keeps the service's
 * page with the waveforms open until Ctrl-C.
 *
 * `--verbose` also prints what n8n logs. Exits with 0 only if the file is shorter and at the target loudness.
 */
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type LocalService, startLocalService } from '../testkit/service/localService.ts';
import { type Measures, measure } from './measure.mts';
import { table } from './report.mts';
import { type DemoResult, runExample } from './runExample.mts';

const ROOT = join(import.meta.dirname, '..');
const RECORDING = join('demo', 'recording.mp3');
const OUTPUT_FOLDER = 'demo-output';

/** What demo/make-recording.sh adds to the reading. */
const ADDED =
	'A LibriVox volunteer reads Jane Austen. We added long pauses, hum and the noise of a fan, and lowered the volume.';

const TARGET_LUFS = -16;
const TOLERANCE_LU = 1;

/** Minimum that the cut pauses shorten the recording by. */
const SHORTER_BY_SECONDS = 1;

const isVerbose = process.argv.includes('--verbose');
/** A pipe or CI shows no page, so there the demo ends by itself. */
const staysOpen = process.stdout.isTTY;

async function main(): Promise<boolean> {
	const service = await startLocalService();
	try {
		const isGood = await show(service);
		const page = `Click the recording for both waveforms and players: ${service.url}`;
		console.log(`${page} (${staysOpen ? 'Ctrl-C stops it' : 'in a terminal, it stays open'})`);
		if (staysOpen) await once(process, 'SIGINT');
		return isGood;
	} finally {
		await service.stop();
	}
}

/** Edits the recording and prints the result. @returns whether it is as good as it should be */
async function show(service: LocalService): Promise<boolean> {
	console.log(ADDED);
	console.log(`Editing ${RECORDING} in n8n's engine: node Audio Editing, preset Full Edit …`);
	const startedAtMs = performance.now();
	const log = isVerbose ? console.log : () => undefined;
	const result = await runExample(service, join(ROOT, RECORDING), log);
	const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(0);
	const edited = await save(result);
	console.log(`Done after ${seconds} s. Listen to ${RECORDING}, then to ${edited}\n`);
	const before = await measure(join(ROOT, RECORDING));
	const after = await measure(join(ROOT, edited));
	console.log(comparisonOf(before, after, result.cutsText));
	const problems = problemsOf(before, after);
	for (const problem of problems) console.log(`FAILED: ${problem}`);
	console.log('');
	return problems.length === 0;
}

/** Writes the edited file. @returns its path in the repository */
async function save({ fileName, content }: DemoResult): Promise<string> {
	const path = join(OUTPUT_FOLDER, fileName);
	await rm(join(ROOT, OUTPUT_FOLDER), { recursive: true, force: true });
	await mkdir(join(ROOT, OUTPUT_FOLDER), { recursive: true });
	await writeFile(join(ROOT, path), content);
	return path;
}

function comparisonOf(before: Measures, after: Measures, cutsText: string): string {
	const row = (name: string, unit: string, read: (measures: Measures) => number) => [
		name,
		...[before, after].map((measures) => `${read(measures).toFixed(1)} ${unit}`),
	];
	return table([
		['', 'before', 'after'],
		row('Length', 's', ({ durationSeconds }) => durationSeconds),
		row('Loudness', 'LUFS', ({ loudnessLufs }) => loudnessLufs),
		['Cut', '', cutsText],
	]);
}

function problemsOf(before: Measures, after: Measures): string[] {
	const shorterBySeconds = before.durationSeconds - after.durationSeconds;
	const loudnessErrorLu = Math.abs(after.loudnessLufs - TARGET_LUFS);
	const checks: [boolean, string][] = [
		[shorterBySeconds >= SHORTER_BY_SECONDS, 'the edited file is not shorter'],
		[loudnessErrorLu <= TOLERANCE_LU, `the edited file is not at ${TARGET_LUFS} LUFS`],
	];
	return checks.filter(([isMet]) => !isMet).map(([, problem]) => problem);
}

try {
	process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
	const { message, description } = error as { message?: string; description?: string | null };
	console.error(['', 'The demo failed:', message, description].filter(Boolean).join('\n'));
	process.exitCode = 1;
}
