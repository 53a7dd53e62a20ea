/**
 * `npm run bench -w service -- speech`: the recognizer in the local service, with models of random weights, because no
 * package has one that is trained: what it loses at seams, its memory and size, what it costs other edits.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';

import { type ModelSizes, writeRandomModel } from '../../../testkit/service/randomModel.mts';
import { wordsWrongAtSeams } from '../../../testkit/service/seamTrial.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../../testkit/service/testService.mts';
import { makeRecording } from '../../../testkit/media/recording.ts';
import { count, printBars } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { median } from '../../../testkit/measure/median.mts';
import { statusBytes } from '../../../testkit/measure/peak.mts';

const RECORDINGS = 20;
const RECORDING_SECONDS = 1_800;

/** The sizes of whisper's models of these names. */
const MODELS: Record<string, ModelSizes> = {
	base: { layers: 6, state: 512, heads: 8 },
	small: { layers: 12, state: 768, heads: 12 },
};

/** By then, a model of random weights has heard a piece and written to all its buffers. */
const RECOGNIZING_SECONDS = 60;

const PROCESS_PATH = join(import.meta.dirname, '../../text/speech/whisper/recognizerProcess.mts');

await using folder = await temporaryFolder();
const speechPath = join(folder.path, 'speech.raw');
await writeFile(
	speechPath,
	Int16Array.from(
		{ length: 400_000 },
		(_, at) => 8_000 * Math.sin(at / 20 + 50 * Math.sin(at / 3e3)),
	),
);

/** Starts the recognizer on as many pieces as it gets to. */
function startRecognizer(modelPath: string) {
	const pieces = Array.from({ length: 100 }, () => [0, 400_000]);
	const order = JSON.stringify({ modelPath, speechPath, pieces, threads: 1 });
	const child = spawn(process.execPath, ['--no-warnings', PROCESS_PATH], {
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	// The process ends when its standard input does.
	child.stdin.write(`${order}\n`);
	return child;
}

/** Returns the peak of a recognizer's memory over the size of its model, in MB. */
async function memoryOver(modelPath: string): Promise<number> {
	const child = startRecognizer(modelPath);
	await wait(1_000 * RECOGNIZING_SECONDS);
	const peakBytes = statusBytes('VmHWM', child.pid);
	child.kill('SIGKILL');
	await once(child, 'exit');
	return (peakBytes - (await stat(modelPath)).size) / 1e6;
}

/** Returns how many times as long an edit takes while another key's recording is recognized. */
async function slowerBeside(modelPath: string): Promise<number> {
	await using service = await startService(...QUICK);
	const recording = makeRecording({
		partsSeconds: Array.from({ length: 60 }, (_, at) => 2 + (at % 3)),
	});
	const seconds = async () => {
		const start = performance.now();
		await service.bob.run(recording, { fillers: true, long_silences: true });
		return performance.now() - start;
	};
	await seconds();
	const ratios: number[] = [];
	for (let round = 0; round < 5; round++) {
		const alone = await seconds();
		const child = startRecognizer(modelPath);
		await wait(2_000);
		ratios.push((await seconds()) / alone);
		child.kill('SIGKILL');
		await once(child, 'exit');
	}
	return median(ratios);
}

let wrong = 0;
for (let seed = 1; seed <= RECORDINGS; seed++) {
	wrong += await wordsWrongAtSeams(new Chance(seed), RECORDING_SECONDS, folder.path);
}
let memory = 0;
for (const [name, sizes] of Object.entries(MODELS)) {
	const path = join(folder.path, `${name}.bin`);
	await writeRandomModel(path, sizes);
	const over = await memoryOver(path);
	console.log(`${name}: ${over.toFixed(0)} MB over the model's size`);
	memory = Math.max(memory, over);
}
const packageName = `@fugood/node-whisper-${process.platform}-${process.arch}`;
const binary = createRequire(join(PROCESS_PATH, '..')).resolve(packageName);
const installed = execFileSync('du', ['-sk', join(binary, '..')], { encoding: 'utf8' });
printBars([
	count(
		`words lost or doubled at seams over ${RECORDINGS} recordings of 30 min with a scripted recognizer`,
		wrong,
	),
	{ name: "memory over the model's own size", figure: memory, limit: 400, unit: 'MB', decimals: 0 },
	{
		name: 'slower edit of another key while recognition runs',
		figure: await slowerBeside(join(folder.path, 'base.bin')),
		limit: 1.5,
		unit: '×',
	},
	{
		name: 'installed size of the recognizer',
		figure: parseInt(installed) / 1_024,
		limit: 40,
		unit: 'MB',
	},
]);
