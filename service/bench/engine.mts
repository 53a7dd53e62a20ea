/**
 * Measures what an edit costs in the engine of the built service (wall clock, CPU and memory) for each
 * preset. Compares it with decoding and encoding alone (the floor) and with a chain of ffmpeg's filters.
 * The noise is 15 dB below the speech, so that nothing is bypassed. Two people have a channel each, which takes two
 * passes of the noise reduction; an MP3 with both in the middle, as most are, takes one.
 * The networks run with onnxruntime-node if NODE_PATH names it, which has limits of its own.
 * `npm run bench -w service -- engine`, or `npm run bench -w service -- engine 180` for only the short clip.
 */
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';

import { table } from '../../demo/report.mts';
import { PRESETS } from '../../nodes/core/config/presets.ts';
import type { EditConfig } from '../shared/contract.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { printBars, type Bar } from '../../testkit/measure/bars.mts';
import { isNative } from '../engine/networks/onnxRuntime/runtime.mts';
import { autoEditorOf, chainOf, floorOf } from './engine/baselines.mts';
import { makeConversation } from '../../testkit/media/material.mts';
import { runEngine, type CommandRun } from './engine/measure.mts';
import { median } from '../../testkit/measure/median.mts';

/** Of the service's process, which holds three neural networks in each of its threads that search. */
const MAX_MEGABYTES = 400;

const CLIP_SECONDS = 180;
const HOUR_SECONDS = 3_600;

const OTHER_PRESETS = ['enhance', 'studioPolish'] as const;

/** Full Edit beside the floor: what the networks cost with ONNX Runtime's WebAssembly and with its native build. */
const MAX_BESIDE_FLOOR = isNative ? { clip: 7, hour: 3.4 } : { clip: 7, hour: 5 };

/** Long silences alone, beside auto-editor, which does nothing else. */
const MAX_BESIDE_AUTO_EDITOR = 2;
const PAUSES_ALONE: EditConfig = { long_silences: true, remove_noise: false };

/** Of Full Edit and the floor, one after the other. */
const RUNS = 3;

const lengths = process.argv.slice(2).map(Number);
const rows = [['source', 'what', 'wall', 'CPU', '÷ floor', 'MB']];
const bars: Bar[] = [];
await using temporary = await temporaryFolder();
const folder = temporary.path;

async function benchSource(seconds: number, ending: 'wav' | 'mp3'): Promise<void> {
	const name = `${seconds} s ${ending}`;
	const source = join(folder, `source-${seconds}.${ending}`);
	await makeConversation(source, seconds, folder);
	const output = join(folder, `baseline.${ending}`);
	const { floor, edit } = await besideFloor(source, output);
	show(name, 'floor', floor, floor);
	const chain = await chainOf(source, output);
	show(name, 'ffmpeg chain, two passes', chain, floor);
	for (const preset of OTHER_PRESETS) {
		const run = await runEdit(source, PRESETS[preset]);
		show(name, preset, run, floor);
		bars.push(memoryBar(name, preset, run));
	}
	show(name, 'fullEdit', edit, floor);
	bars.push(memoryBar(name, 'fullEdit', edit));
	if (ending === 'mp3') bars.push(...speedBars(seconds, edit, floor, chain));
	else if (seconds === CLIP_SECONDS) bars.push(await pausesBar(name, source, floor));
	await rm(source);
}

/** An MP3 with both voices in the middle. */
async function benchMiddle(seconds: number): Promise<void> {
	const source = join(folder, `middle-${seconds}.mp3`);
	await makeConversation(source, seconds, folder, 1);
	const { floor, edit } = await besideFloor(source, join(folder, 'baseline.mp3'));
	const name = `${seconds} s mp3, voices in the middle`;
	show(name, 'floor', floor, floor);
	show(name, 'fullEdit', edit, floor);
	bars.push(
		memoryBar(name, 'fullEdit', edit),
		floorBar(seconds, 'voices in the middle', edit, floor),
	);
	await rm(source);
}

async function besideFloor(source: string, output: string) {
	const judged: Record<'floor' | 'edit', CommandRun>[] = [];
	for (let run = 0; run < RUNS; run++) {
		const floor = await floorOf(source, output);
		judged.push({ floor, edit: await runEdit(source, PRESETS.fullEdit) });
	}
	return medianRun(judged);
}

async function runEdit(source: string, config: EditConfig): Promise<CommandRun> {
	const editFolder = join(folder, 'edit');
	await mkdir(editFolder);
	const run = await runEngine(source, editFolder, config);
	await rm(editFolder, { recursive: true });
	return run;
}

/** Long silences alone beside auto-editor. */
async function pausesBar(name: string, source: string, floor: CommandRun): Promise<Bar> {
	const rival = await autoEditorOf(source, join(folder, 'auto-editor.wav'));
	const pauses = await runEdit(source, PAUSES_ALONE);
	show(name, 'auto-editor', rival, floor);
	show(name, 'long silences alone', pauses, floor);
	return {
		name: `${name}, long silences alone: wall / auto-editor`,
		figure: pauses.wallSeconds / rival.wallSeconds,
		limit: MAX_BESIDE_AUTO_EDITOR,
	};
}

/** The run whose wall time, beside the floor's just before it, is the median. */
function medianRun(runs: readonly Record<'floor' | 'edit', CommandRun>[]) {
	const ratios = runs.map(({ edit, floor }) => edit.wallSeconds / floor.wallSeconds);
	console.log(`wall / floor of each run: ${ratios.map((one) => one.toFixed(2)).join(', ')}`);
	return runs[ratios.indexOf(median(ratios))];
}

function show(name: string, what: string, run: CommandRun, floor: CommandRun): void {
	const ratio = (run.wallSeconds / floor.wallSeconds).toFixed(2);
	const times = [`${run.wallSeconds.toFixed(1)} s`, `${run.cpuSeconds.toFixed(1)} s`, ratio];
	rows.push([name, what, ...times, run.peakMegabytes.toFixed(0)]);
}

function memoryBar(name: string, preset: string, { peakMegabytes }: CommandRun): Bar {
	return {
		name: `${preset}, ${name}: MB of the service`,
		figure: peakMegabytes,
		limit: MAX_MEGABYTES,
	};
}

function floorBar(seconds: number, which: string, edit: CommandRun, floor: CommandRun): Bar {
	const isClip = seconds === CLIP_SECONDS;
	return {
		name: `${isClip ? '3 min' : '1 h'} stereo MP3, ${which}, Full Edit: wall / floor`,
		figure: edit.wallSeconds / floor.wallSeconds,
		limit: isClip ? MAX_BESIDE_FLOOR.clip : MAX_BESIDE_FLOOR.hour,
	};
}

function speedBars(seconds: number, edit: CommandRun, floor: CommandRun, chain: CommandRun): Bar[] {
	const bar = floorBar(seconds, 'a voice a channel', edit, floor);
	if (seconds === CLIP_SECONDS) return [bar];
	const busy = edit.cpuSeconds / availableParallelism() / edit.wallSeconds;
	return [
		bar,
		{
			name: '1 h wall / ffmpeg denoise + silenceremove + loudnorm in two passes',
			figure: edit.wallSeconds / chain.wallSeconds,
			limit: 0.35,
		},
		{
			name: 'CPU seconds with both cores busy, share of wall',
			figure: busy,
			limit: 0.9,
			goal: '>=',
		},
	];
}

await execa('npm', ['run', '--silent', 'build', '--workspace', 'service']);
const [load] = loadavg();
const runtime = isNative ? 'onnxruntime-node' : 'WebAssembly';
console.log(
	`${availableParallelism()} cores, load before the first run ${load.toFixed(1)}, networks with ${runtime}`,
);
for (const seconds of lengths.length > 0 ? lengths : [CLIP_SECONDS, HOUR_SECONDS]) {
	await benchSource(seconds, 'wav');
	await benchSource(seconds, 'mp3');
	await benchMiddle(seconds);
}
console.log(table(rows));
printBars(bars);
