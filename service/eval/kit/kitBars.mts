import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { decoded } from '../../../testkit/media/decoded.mts';
import { framesOf } from '../../../testkit/media/signals.mts';
import { truePeakDb } from '../../../testkit/service/media.mts';
import { editRecording } from '../../engine/editRecording.mts';
import { cutTimeline } from '../../engine/export/timelines/cutTimeline.mts';
import { openTimeline } from '../../engine/export/timelines/openTimeline.mts';
import { reaperProject } from '../../engine/export/timelines/reaper.mts';
import {
	EDITS_FILE_NAME,
	editsFileSchema,
	WAVEFORM_FILE_NAME,
	waveformFileSchema,
	type KitOnTimeline,
} from '../../engine/export/waveform.mts';
import type { RecordingResult } from '../../engine/types.mts';
import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { readMetadata } from '../../media/tags/metadata.mts';
import { resolveEditConfig } from '../../shared/contract.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { wordsAfterEdits, wordsWithKit } from '../../text/wordsAfterEdits.mts';
import { loudnessOfParts } from '../show/loudnessOfParts.mts';
import { showVoices } from '../show/voices.mts';
import { heardAt, searchable } from './heardAt.mts';
import { showsOf, type Show } from './shows.mts';

/** What nobody hears as too early or too late. */
const MAX_MS = 10;

const MAX_LU = 1;

const MIN_WORD_SECONDS = 0.05;

/** A shorter sound may be like another one, and of a longer one this much is looked for, in seconds. */
const MIN_SECONDS = 0.35;
const MAX_SECONDS = 1;

/** Puts intro, outro and two inserts into shows, and looks for everything where it is said to be. */
export async function kitBars(folder: string): Promise<Bar[]> {
	const bars: Bar[] = [];
	for (const show of await showsOf(await showVoices(), folder)) {
		bars.push(...(await barsOf(show, folder)));
	}
	return bars;
}

/** A result, and its sound to search in. */
interface Heard {
	readonly show: Show;
	readonly result: RecordingResult;
	readonly path: string;
	readonly resultFolder: string;
	readonly source: Float32Array;
	readonly output: Float32Array;
	readonly kit: readonly KitOnTimeline[];
}

async function barsOf(show: Show, folder: string): Promise<Bar[]> {
	const [workFolder, resultFolder] = [join(folder, 'work'), join(folder, 'result')];
	for (const one of [workFolder, resultFolder]) {
		await rm(one, { recursive: true, force: true });
		await mkdir(one);
	}
	const config = resolveEditConfig({ remove_noise: false, long_silences: true, ...show.config });
	const result = await editRecording(
		{
			sources: [{ path: show.path, name: 'talk.wav' }],
			kit: show.kit,
			config,
			maxSourceSeconds: 36_000,
			workFolder,
			resultFolder,
		},
		() => undefined,
	);
	const path = join(resultFolder, result.fileName);
	const edits = JSON.parse(await readFile(join(resultFolder, EDITS_FILE_NAME), 'utf8')) as unknown;
	const heard: Heard = {
		show,
		result,
		path,
		resultFolder,
		source: await searchable(['-i', fileArgument(show.path)]),
		output: await searchable(['-i', fileArgument(path)]),
		kit: editsFileSchema.parse(edits).kit ?? [],
	};
	const words = wordsWithKit(
		wordsAfterEdits(show.words, result.edits, config.muted),
		result.insertions,
	);
	console.log(`${show.name}: ${result.edits.length} cuts; ${result.notes.join('; ')}`);
	const ms = (name: string, figure: number): Bar => {
		return { name: `${show.name}: ${name}`, figure, limit: MAX_MS, unit: 'ms' };
	};
	const isMissing = words.length < 0.9 * show.words.length;
	return [
		ms('words off', isMissing ? Infinity : wordsOff(heard, words)),
		ms('chapters off', await chaptersOff(heard, folder)),
		ms('markers in an OTIO timeline off', await clipsOff(heard, otioClips)),
		ms('markers in a REAPER project off', await clipsOff(heard, reaperClips)),
		ms('intro, outro and inserts off', await kitOff(heard)),
		ms('length off', Math.abs(result.durationAfterSeconds - heard.output.length / 8_000) * 1_000),
		{
			name: `${show.name}: words divided or faded`,
			figure: wordsTouched(heard, words),
			limit: 0,
			decimals: 0,
		},
		...(await loudnessBars(heard, folder)),
	];
}

const lengthOf = ({ startSeconds, endSeconds }: TimeRange) =>
	Math.min(MAX_SECONDS, endSeconds - startSeconds);

const offMs = (one: number | undefined, other: number) =>
	one === undefined ? Infinity : Math.abs(one - other) * 1_000;

/** How far words are from where their sound is heard. */
function wordsOff({ show, source, output }: Heard, words: Show['words']): number {
	const offs = words.map(({ text, startSeconds }) => {
		const before = show.words.find((word) => word.text === text);
		if (before === undefined) return Infinity;
		const seconds = lengthOf(before);
		if (seconds < MIN_SECONDS) return 0;
		const from = before.startSeconds;
		return offMs(heardAt(source, from, output, startSeconds, seconds), startSeconds);
	});
	return Math.max(...offs);
}

/** How far the chapters of the file are from where the sound is heard that they began with. */
async function chaptersOff({ show, source, output, path }: Heard, folder: string): Promise<number> {
	const place = join(folder, 'chapters');
	await rm(place, { recursive: true, force: true });
	await mkdir(place);
	const { chapters } = (await readMetadata(path, place)).metadata;
	// Some containers move them.
	const { chapters: own } = (await readMetadata(show.path, place)).metadata;
	if (chapters.length !== own.length) return Infinity;
	const offs = chapters.map(({ startSeconds }, index) => {
		const { startSeconds: before } = own[index];
		return offMs(heardAt(source, before, output, startSeconds), startSeconds);
	});
	return Math.max(...offs);
}

/** A clip: its file, where it is on the timeline and in its file, and its length, in seconds. */
type Clip = readonly [name: string, position: number, start: number, length: number];

/** How far the clips of a timeline are from where the sound is heard that is in them. */
async function clipsOff(heard: Heard, clipsOf: (heard: Heard) => Promise<Clip[]>): Promise<number> {
	const { show, source, output } = heard;
	const clips = await clipsOf(heard);
	const offs = show.words.map((word) => {
		const { startSeconds: at } = word;
		const seconds = lengthOf(word);
		if (seconds < MIN_SECONDS) return 0;
		const clip = clips.find(([name, , start, length]) => {
			return name === 'talk.wav' && start <= at + 0.01 && at + 0.01 < start + length;
		});
		const expected = clip === undefined ? Infinity : clip[1] + at - clip[2];
		return offMs(heardAt(source, at, output, expected, seconds), expected);
	});
	for (const { source: file } of show.kit) {
		const clip = clips.find(([name]) => name === file.name);
		if (clip === undefined) return Infinity;
		const own = await searchable(['-i', fileArgument(file.path)]);
		const [, position, start, length] = clip;
		const middle = length / 2;
		offs.push(offMs(heardAt(own, start + middle, output, position + middle), position + middle));
	}
	return Math.max(...offs);
}

async function timelineOf({ resultFolder, kit, result, show }: Heard, rate?: string) {
	const text = await readFile(join(resultFolder, WAVEFORM_FILE_NAME), 'utf8');
	const { tracks } = waveformFileSchema.parse(JSON.parse(text));
	const files = tracks.flatMap(({ name, media, source }) => {
		return media ? [{ name, media, seconds: source.durationSeconds }] : [];
	});
	const mode = show.config.muted ? 'mute' : 'cut';
	const soundRate = rate ?? `${files[0].media.sampleRateHz}/1`;
	return cutTimeline({ tracks: files, mode, cuts: result.edits, kit }, soundRate);
}

const timeSchema = z.object({ rate: z.number(), value: z.number() });
const otioSchema = z.object({
	tracks: z.object({
		children: z.array(
			z.object({
				children: z.array(
					z.object({
						OTIO_SCHEMA: z.string(),
						name: z.string(),
						source_range: z.object({ start_time: timeSchema, duration: timeSchema }),
					}),
				),
			}),
		),
	}),
});

async function otioClips(heard: Heard): Promise<Clip[]> {
	const { tracks } = otioSchema.parse(JSON.parse(openTimeline(await timelineOf(heard))));
	return tracks.children.flatMap(({ children }) => {
		let position = 0;
		return children.flatMap(({ OTIO_SCHEMA: kind, name, source_range: range }): Clip[] => {
			const [start, length] = [range.start_time, range.duration].map((t) => t.value / t.rate);
			position += length;
			return kind === 'Clip.2' ? [[name, position - length, start, length]] : [];
		});
	});
}

async function reaperClips(heard: Heard): Promise<Clip[]> {
	const items = reaperProject(await timelineOf(heard))
		.split('<ITEM')
		.slice(1);
	return items.map((item): Clip => {
		const number = (key: string) => Number(new RegExp(`${key} ([\\d.]+)`).exec(item)?.[1]);
		const name = /NAME "(.*)"/.exec(item)?.[1] ?? '';
		return [name, number('POSITION'), number('SOFFS'), number('LENGTH')];
	});
}

/** How far the parts of the kit are from where they are heard. */
async function kitOff({ show, kit, output }: Heard): Promise<number> {
	const offs: number[] = [];
	for (const { source } of show.kit) {
		const part = kit.find(({ name }) => name === source.name);
		if (part === undefined) return Infinity;
		const own = await searchable(['-i', fileArgument(source.path)]);
		for (const at of [1, part.seconds / 2, part.seconds - 2]) {
			offs.push(offMs(heardAt(own, at, output, part.startSeconds + at), part.startSeconds + at));
		}
	}
	return Math.max(...offs);
}

/** How many words are where a part of the kit begins or ends, or is heard as well. */
function wordsTouched({ kit }: Heard, words: Show['words']): number {
	const guard = 0.001;
	// What is shorter is a click.
	const spoken = words.filter((word) => word.endSeconds - word.startSeconds > MIN_WORD_SECONDS);
	return spoken.filter(({ startSeconds, endSeconds }) =>
		kit.some(({ startSeconds: from, seconds }) => {
			return startSeconds + guard < from + seconds && endSeconds - guard > from;
		}),
	).length;
}

/** The loudness of each part against that of the recording, and the highest peak. */
async function loudnessBars(heard: Heard, folder: string): Promise<Bar[]> {
	const { show, path, kit } = heard;
	const output = await decoded(['-i', fileArgument(path)]);
	const part = (from: number, to: number) => output.subarray(framesOf(from), framesOf(to));
	const borders = kit.flatMap(({ startSeconds, seconds }) => [
		startSeconds,
		startSeconds + seconds,
	]);
	const between = borders.slice(1, -1);
	const recording = between.flatMap((from, index) =>
		index % 2 === 0 ? [part(from, between[index + 1])] : [],
	);
	const episode = await loudnessOfParts(recording, 1, folder);
	const bars: Bar[] = [];
	for (const { name, startSeconds, seconds } of kit) {
		const lufs = await loudnessOfParts([part(startSeconds, startSeconds + seconds)], 1, folder);
		bars.push({
			name: `${show.name}: loudness of ${name} against the recording's`,
			figure: Math.abs(lufs - episode),
			limit: MAX_LU,
			unit: 'LU',
		});
	}
	const peak = await truePeakDb(await readFile(path));
	return [...bars, { name: `${show.name}: true peak`, figure: peak, limit: -1, unit: 'dBTP' }];
}
