import { readFile } from 'node:fs/promises';

import { execa } from 'execa';
import which from 'which';
import { z } from 'zod';

import { pcmInputArguments, type PcmFile } from '../../media/pcmFile.mts';
import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { runFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import { findFfmpeg } from '../../media/ffmpeg/ffmpeg.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/** What people use today to take out silences. */
interface Rival {
	name: string;
	/** What it takes out of a WAV file; it may write files beside it. */
	cutsIn: (wavPath: string) => Promise<TimeRange[]>;
}

/** auto-editor's plan of an edit: what it keeps, in units of the time base. */
const planSchema = z.object({
	timeline: z.object({
		timebase: z.string().regex(/^\d+\/1$/),
		a: z.array(z.array(z.object({ offset: z.number(), dur: z.number() }))),
	}),
});

/** Each finds silences with the level that its own documentation suggests: -40 dB, 1 % or 4 % of full scale. */
const RIVALS: readonly (Rival & { program: string })[] = [
	{
		name: 'ffmpeg silenceremove',
		program: 'ffmpeg',
		cutsIn: async (wavPath) => {
			const outputPath = `${wavPath}.ffmpeg.wav`;
			const filter = 'silenceremove=stop_periods=-1:stop_duration=0.9:stop_threshold=-40dB';
			const input = ['-nostdin', '-v', 'error', '-y', '-i', wavPath];
			await execa(findFfmpeg().ffmpegPath, [...input, '-af', filter, outputPath]);
			return removedSpans(await samplesOf(wavPath), await samplesOf(outputPath));
		},
	},
	{
		name: 'sox silence',
		program: 'sox',
		cutsIn: async (wavPath) => {
			const outputPath = `${wavPath}.sox.wav`;
			const effect = ['silence', '-l', '1', '0.1', '1%', '-1', '0.9', '1%'];
			await execa('sox', ['-D', wavPath, outputPath, ...effect]);
			return removedSpans(await samplesOf(wavPath), await samplesOf(outputPath));
		},
	},
	{
		name: 'auto-editor',
		program: 'auto-editor',
		cutsIn: async (wavPath) => {
			const planPath = `${wavPath}.auto-editor.json`;
			// Its own margin is 0.2 s, so that silences from 0.9 s on leave cuts of 0.5 s.
			const options = ['--no-open', '--min-cut-length', '0.5sec', '--export', 'json'];
			await execa('auto-editor', [wavPath, ...options, '--output', planPath]);
			const plan = planSchema.parse(JSON.parse(await readFile(planPath, 'utf8')));
			const seconds = (await samplesOf(wavPath)).length / RATE_HZ;
			return gapsBetween(plan.timeline.a[0], parseInt(plan.timeline.timebase), seconds);
		},
	},
];

/** What lies between clips that are kept. */
function gapsBetween(
	clips: readonly { offset: number; dur: number }[],
	unitsPerSecond: number,
	lengthSeconds: number,
): TimeRange[] {
	const starts = [...clips.map(({ offset }) => offset / unitsPerSecond), lengthSeconds];
	const ends = [0, ...clips.map(({ offset, dur }) => (offset + dur) / unitsPerSecond)];
	return starts
		.map((endSeconds, index) => ({ startSeconds: ends[index], endSeconds }))
		.filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds > MIN_CUT_SECONDS);
}

export function installedRivals(): Rival[] {
	return RIVALS.filter(({ program }) => which.sync(program, { nothrow: true }) !== null);
}

/** Writes a 16-bit WAV file. */
export async function writeWav(pcm: PcmFile, path: string): Promise<void> {
	await runFfmpeg([...pcmInputArguments(pcm), '-c:a', 'pcm_s16le', fileArgument(path)]);
}

async function samplesOf(path: string): Promise<Int16Array> {
	const bytes = await readFile(path);
	const start = bytes.indexOf('data') + 8;
	const length = Math.floor((bytes.length - start) / 2);
	return new Int16Array(
		bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + start + 2 * length),
	);
}

/** Less is rounding. */
const MIN_CUT_SECONDS = 0.01;

/** Samples to skip at a time where no place matches. */
const SCRAP_SAMPLES = 480;

/** Samples that have to agree for two places to be the same. */
const AGREEING = 64;

/**
 * Compares a recording with what is left of it, sample by sample: these tools copy what they keep.
 * Noise makes each place unlike any other.
 */
export function removedSpans(before: Int16Array, after: Int16Array): TimeRange[] {
	const spans: TimeRange[] = [];
	let position = 0;
	for (let i = 0; i < after.length; i++, position++) {
		if (before[position] === after[i]) continue;
		const next = nextLike(before, position, after, i);
		if (next === undefined) {
			// ffmpeg 5's silenceremove returns scraps of a long silence out of order: pass over them.
			i += SCRAP_SAMPLES - 1;
			position--;
			continue;
		}
		spans.push({ startSeconds: position / RATE_HZ, endSeconds: next / RATE_HZ });
		position = next;
	}
	if (position < before.length) {
		spans.push({ startSeconds: position / RATE_HZ, endSeconds: before.length / RATE_HZ });
	}
	return spans.filter(
		({ startSeconds, endSeconds }) => endSeconds - startSeconds > MIN_CUT_SECONDS,
	);
}

function nextLike(before: Int16Array, from: number, after: Int16Array, at: number) {
	const length = Math.min(AGREEING, after.length - at);
	for (let start = from; start + length <= before.length; start++) {
		let agreeing = 0;
		while (agreeing < length && before[start + agreeing] === after[at + agreeing]) agreeing++;
		if (agreeing === length) return start;
	}
	return undefined;
}
