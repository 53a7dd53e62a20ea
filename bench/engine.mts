/**
 * Measures what an edit costs in the local service's engine (wall clock, CPU and memory) for each
 * preset, compared with decoding and encoding alone (the floor) and with ffmpeg's two-pass
 * loudnorm. `npm run bench:engine`, or `npm run bench:engine -- 180` for only the short clip.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { table } from '../demo/report.mts';
import { PRESETS } from '../nodes/CreateEdit/presets.ts';
import { printBars, type Bar } from './bars.mts';
import { floorOf, loudnormOf } from './engine/baselines.mts';
import { makeConversation } from './engine/material.mts';
import { runEngine, type EngineRun } from './engine/measure.mts';

const CLIP_SECONDS = 180;
const HOUR_SECONDS = 3_600;

const WORKED_PRESETS = ['enhance', 'studioPolish', 'fullEdit'] as const;

const HEAD = [
	...['source', 'what', 'wall', 'CPU', '÷ floor', 'service MB', 'ffmpeg MB', 'work MB'],
	'stages begin at',
];

const lengths = process.argv.slice(2).map(Number);
const rows = [HEAD];
const bars: Bar[] = [];
const folder = await mkdtemp(join(tmpdir(), 'bench-engine-'));

function stagesOf({ statuses }: EngineRun): string {
	return statuses.map(({ status, seconds }) => `${status} ${seconds.toFixed(1)}`).join(', ');
}

async function benchSource(seconds: number, ending: 'wav' | 'mp3'): Promise<void> {
	const name = `${seconds} s ${ending}`;
	const source = join(folder, `source-${seconds}.${ending}`);
	await makeConversation(source, seconds, folder);
	const floor = await floorOf(source, join(folder, `floor.${ending}`));
	const loudnorm = await loudnormOf(source, join(folder, `loudnorm.${ending}`));
	for (const [what, { wallSeconds, cpuSeconds, peakMegabytes }] of [
		['floor', floor],
		['ffmpeg loudnorm, two passes', loudnorm],
	] as const) {
		const ratio = (wallSeconds / floor.wallSeconds).toFixed(2);
		const times = [`${wallSeconds.toFixed(1)} s`, `${cpuSeconds.toFixed(1)} s`, ratio];
		rows.push([name, what, ...times, '', peakMegabytes.toFixed(0), '', '']);
	}
	for (const preset of WORKED_PRESETS) {
		const editFolder = join(folder, 'edit');
		await mkdir(editFolder);
		const run = await runEngine(source, editFolder, PRESETS[preset]);
		await rm(editFolder, { recursive: true });
		const cpuSeconds = run.cpuSeconds + run.ffmpegCpuSeconds;
		rows.push([
			...[name, preset, `${run.wallSeconds.toFixed(1)} s`, `${cpuSeconds.toFixed(1)} s`],
			...[(run.wallSeconds / floor.wallSeconds).toFixed(2), run.peakMegabytes.toFixed(0)],
			...[run.ffmpegPeakMegabytes.toFixed(0), run.workMegabytes.toFixed(0), stagesOf(run)],
		]);
		bars.push(...barsOf(name, preset, seconds, run, floor.wallSeconds));
	}
	await rm(source);
}

function barsOf(
	name: string,
	preset: string,
	seconds: number,
	{ wallSeconds, peakMegabytes }: EngineRun,
	floorSeconds: number,
): Bar[] {
	const what = `${preset}, ${name}`;
	const memory = { name: `${what}: MB of the service`, figure: peakMegabytes, limit: 300 };
	if (preset !== 'fullEdit') return [memory];
	const limit = seconds === CLIP_SECONDS ? 4 : 60;
	const wall = { name: `${what}: seconds`, figure: wallSeconds, limit };
	if (seconds === CLIP_SECONDS || !name.endsWith('mp3')) return [memory, wall];
	const ratio = { name: `${what}: ÷ floor`, figure: wallSeconds / floorSeconds, limit: 1.5 };
	return [memory, wall, ratio];
}

try {
	const [load] = loadavg();
	console.log(`${availableParallelism()} cores, load before the first run ${load.toFixed(1)}`);
	for (const seconds of lengths.length > 0 ? lengths : [CLIP_SECONDS, HOUR_SECONDS]) {
		await benchSource(seconds, 'wav');
		await benchSource(seconds, 'mp3');
	}
	console.log(table(rows));
	printBars(bars);
} finally {
	await rm(folder, { recursive: true });
}
