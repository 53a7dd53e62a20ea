import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { execa } from 'execa';
import { z } from 'zod';

import { type CutRecording, cutTimeline } from '../../engine/export/timelines/cutTimeline.mts';
import {
	EDL_SOUND_RATE,
	editDecisionList,
} from '../../engine/export/timelines/editDecisionList.mts';
import { finalCutXml, VIDEO_SOUND_RATE } from '../../engine/export/timelines/finalCut.mts';
import { openTimeline } from '../../engine/export/timelines/openTimeline.mts';
import { premiereXml } from '../../engine/export/timelines/premiere.mts';
import { reaperProject } from '../../engine/export/timelines/reaper.mts';
import { framesPerSecond } from '../../media/picture.mts';
import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { installPython } from '../python.mts';

/** Other people's readers. */
const READERS = [
	'opentimelineio==0.18.1',
	'otio-cmx3600-adapter==1.0.0',
	'otio-fcp-adapter==1.0.0',
	'otio-fcpx-xml-adapter==1.0.0',
	'rpp==0.5',
];

const SECONDS = 3_600;

/** Half a frame, and what is lost where times are written in decimals. */
const MAX_FRAMES = 0.501;

/** A frame rate for those without a picture, and how a timeline is written. */
const KINDS = {
	fcpxml: { soundRate: VIDEO_SOUND_RATE, write: finalCutXml },
	xml: { soundRate: VIDEO_SOUND_RATE, write: premiereXml },
	edl: { soundRate: EDL_SOUND_RATE, write: editDecisionList },
	otio: { soundRate: undefined, write: openTimeline },
	rpp: { soundRate: undefined, write: reaperProject },
} as const;

const SOURCES = [
	{ name: 'talk.mp3', sampleRateHz: 44_100, frameRate: null },
	{ name: 'talk.wav', sampleRateHz: 48_000, frameRate: null },
	{ name: 'talk.mov', sampleRateHz: 48_000, frameRate: '25/1' },
	{ name: 'talk.mp4', sampleRateHz: 48_000, frameRate: '30000/1001' },
	{ name: 'talk.mkv', sampleRateHz: 48_000, frameRate: '24000/1001' },
];

/** Where each clip of each track is, where it is in the source, and how long it is, in seconds. */
const readSchema = z.array(z.array(z.array(z.tuple([z.number(), z.number(), z.number()]))));

/** Reads timelines of an hour with hundreds of cuts back, and compares each clip with the edited file. */
export async function timelineBars(seed: number, folder: string): Promise<Bar[]> {
	const python = await installPython(join(folder, 'python'), READERS);
	const written: { path: string; rate: number; recording: CutRecording }[] = [];
	for (const source of SOURCES) {
		const recording = recordingOf(source, new Chance(seed));
		for (const [ending, { soundRate, write }] of Object.entries(KINDS)) {
			const timeline = cutTimeline(recording, soundRate ?? `${source.sampleRateHz}/1`);
			const path = join(folder, `${source.name}.${ending}`);
			await writeFile(path, write(timeline));
			written.push({ path, rate: framesPerSecond(timeline.frameRate), recording });
		}
	}
	const input = JSON.stringify(written.map(({ path, rate }) => [path, rate]));
	const script = join(import.meta.dirname, 'readBack.py');
	const { stdout } = await execa(python, [script], { input });
	const read = readSchema.parse(JSON.parse(stdout));
	return written.map(({ path, rate, recording }, index) => {
		const offs = read[index].map((clips) => offSeconds(clips, recording));
		const most = offs.length === 0 ? Infinity : Math.max(...offs);
		const what = `${basename(path)} with ${recording.cuts.length} cuts`;
		const name = `${what}: frames off, of ${rate.toFixed(2)} a second`;
		return { name, figure: most * rate, limit: MAX_FRAMES };
	});
}

function recordingOf(
	{ name, sampleRateHz, frameRate }: (typeof SOURCES)[number],
	chance: Chance,
): CutRecording {
	const picture = frameRate === null ? null : { frameRate, width: 1_280, height: 720 };
	const cuts: CutRecording['cuts'][number][] = [];
	for (let at = 3; at < SECONDS - 10; at += 5 + 20 * chance.next()) {
		cuts.push({ startSeconds: at, endSeconds: at + 0.4 + 3 * chance.next() });
	}
	const media = { sampleRateHz, channels: 2, picture };
	return { tracks: [{ name, seconds: SECONDS, media }], mode: 'cut', cuts };
}

/** The most that a clip is from where it is in the edited file; endless if one is missing. */
function offSeconds(
	clips: readonly (readonly [position: number, start: number, length: number])[],
	{ cuts }: CutRecording,
): number {
	if (clips.length !== cuts.length + 1) return Infinity;
	let removed = 0;
	return Math.max(
		...clips.map(([position, start], index) => {
			if (index > 0) removed += cuts[index - 1].endSeconds - cuts[index - 1].startSeconds;
			return Math.abs(start - position - removed);
		}),
	);
}
