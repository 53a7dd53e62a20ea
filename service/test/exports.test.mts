import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { z } from 'zod';

import {
	audacityLabels,
	auditionMarkers,
	regionCsv,
	resolveMarkers,
	writeMarkers,
} from '../engine/export/markers.mts';
import { EDITS_FILE_NAME, WAVEFORM_FILE_NAME, WaveformMeter } from '../engine/export/waveform.mts';
import type { TimelineEdit } from '../shared/timeRanges.mts';
import { lengthSeconds } from '../../testkit/media/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';
import { resultOf, send } from '../../testkit/service/client.mts';
import {
	convertedTo,
	decodedSeconds,
	levelDb,
	probe,
	samplesOf,
} from '../../testkit/service/media.mts';
import {
	LONG_SILENCES,
	PLAIN,
	SILENCES,
	TALK,
	talk,
	TALK_REMOVED_SECONDS,
} from '../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

/** Expected output for each format; the source is WAV. */
const EXPECTED = {
	auto: { extension: 'wav', codec: 'pcm_s16le', container: /^wav$/, type: 'audio/wav' },
	wav: { extension: 'wav', codec: 'pcm_s16le', container: /^wav$/, type: 'audio/wav' },
	mp3: { extension: 'mp3', codec: 'mp3', container: /^mp3$/, type: 'audio/mpeg' },
	flac: { extension: 'flac', codec: 'flac', container: /^flac$/, type: 'audio/flac' },
	m4a: { extension: 'm4a', codec: 'aac', container: /\bm4a\b/, type: 'audio/mp4' },
	opus: { extension: 'opus', codec: 'opus', container: /^ogg$/, type: 'audio/ogg' },
	aac: { extension: 'aac', codec: 'aac', container: /^aac$/, type: 'audio/aac' },
} as const;

for (const format of casesOf(['auto', 'mp3'], ['wav', 'flac', 'm4a', 'opus', 'aac'])) {
	await test(`writes export_format ${format} with the right codec, length and sound`, async () => {
		const expected = EXPECTED[format];
		const config = { ...PLAIN, export_format: format };
		const { result, answer, file } = await ann.finish(talk, config, 'talk.wav');
		assert.equal(result.filename, `talk-edited.${expected.extension}`);
		assert.equal(answer.contentType, expected.type);
		const { codec, container } = await probe(file);
		assert.equal(codec, expected.codec);
		assert.match(container, expected.container);
		assertNear(await decodedSeconds(file), lengthSeconds(TALK), 0.15, 'seconds');
		const level = async (sound: Buffer) => levelDb(await samplesOf(sound), 0.3, 1.8);
		assertNear(await level(file), await level(talk), 1, 'dB');
	});
}

for (const format of casesOf(['mp3'], ['flac', 'm4a', 'opus', 'aac'])) {
	await test(`keeps the format of a source in ${format} with export_format auto`, async () => {
		const source = await convertedTo(talk, format);
		const { result, file } = await ann.finish(source, PLAIN, `talk.${format}`);
		assert.equal(result.filename, `talk-edited.${format}`);
		assert.equal((await probe(file)).codec, EXPECTED[format].codec);
	});
}

const edit = (startSeconds: number, endSeconds: number): TimelineEdit => ({
	kind: 'long_silence',
	startSeconds,
	endSeconds,
	sure: 1,
});

const EDITS = [edit(2.2, 3.3), edit(3_725.5, 3_727.0625)];

await test('writes an Audacity label track with microseconds', () => {
	const rows = ['2.200000\t3.300000\tLong silence', '3725.500000\t3727.062500\tLong silence', ''];
	assert.deepEqual(audacityLabels(EDITS).split('\n'), rows);
});

await test('writes REAPER regions with start, end and length', () => {
	const rows = ['#,Name,Start,End,Length', 'R1,Long silence,2.200,3.300,1.100', ''];
	assert.deepEqual(regionCsv(EDITS.slice(0, 1)).split('\n'), rows);
});

await test('writes Adobe Audition markers tab-separated, in minutes and decimal seconds', () => {
	assert.deepEqual(auditionMarkers(EDITS).split('\n'), [
		'Name\tStart\tDuration\tTime Format\tType\tDescription',
		'Long silence 1\t0:02.200\t0:01.100\tdecimal\tCue\t',
		'Long silence 2\t62:05.500\t0:01.563\tdecimal\tCue\t',
		'',
	]);
});

await test('writes DaVinci Resolve timecode from 01:00:00:00 and lengths in frames', () => {
	assert.deepEqual(resolveMarkers(EDITS, 'my\r\ntalk', 24).split('\n'), [
		'TITLE: my  talk',
		'FCM: NON-DROP FRAME',
		'',
		'001  001      V     C        01:00:02:05 01:00:02:06 01:00:02:05 01:00:02:06',
		' |C:ResolveColorRed |M:Long silence |D:26',
		'',
		'002  001      V     C        02:02:05:12 02:02:05:13 02:02:05:12 02:02:05:13',
		' |C:ResolveColorRed |M:Long silence |D:38',
		'',
		'',
	]);
});

await test('counts whole frames in Resolve timecode at 29.97, so that it matches the timeline', () => {
	const [, , , , , , marker] = resolveMarkers(EDITS, 'talk', 30_000 / 1_001).split('\n');
	// 3,725.5 s are frame 111,653: 3,721 × 30 + 23.
	assert.match(marker, /02:02:01:23 02:02:01:24/);
});

await test('keeps every marker inside the recording', async () => {
	await using folder = await temporaryFolder();
	const edits = [edit(-0.01, 0.5), edit(9.5, 10.02)];
	const [labels] = await writeMarkers(edits, { folder: folder.path, baseName: 'talk' }, 10);
	const text = await readFile(join(folder.path, labels), 'utf8');
	assert.equal(text, '0.000000\t0.500000\tLong silence\n9.500000\t10.000000\tLong silence\n');
});

const waveformSchema = z.object({
	durationSeconds: z.number(),
	secondsPerPeak: z.number(),
	peaks: z.array(z.number().min(-1).max(1)),
});

const outlinesSchema = z.object({
	tracks: z.array(z.object({ name: z.string(), source: waveformSchema, edited: waveformSchema })),
});

const editsSchema = z.object({
	mode: z.enum(['cut', 'mute']),
	edits: z.array(z.object({ kind: z.string(), startSeconds: z.number(), endSeconds: z.number() })),
});

/** The two files that the page reads. */
async function outlinesOf(editId: string) {
	const read = async (name: string): Promise<unknown> =>
		JSON.parse(await readFile(join(service.storage, 'edits', editId, 'result', name), 'utf8'));
	const outlines = outlinesSchema.parse(await read(WAVEFORM_FILE_NAME));
	return { ...outlines, ...editsSchema.parse(await read(EDITS_FILE_NAME)) };
}

type Waveform = z.infer<typeof waveformSchema>;

function highest({ peaks, secondsPerPeak }: Waveform, from: number, to: number) {
	const [first, last] = [from, to].map((seconds) => 2 * Math.round(seconds / secondsPerPeak));
	return Math.max(...peaks.slice(first, last));
}

await test('saves the outlines before and after an edit, and its edits', async () => {
	const edit = await ann.run(talk, SILENCES, 'talk.wav');
	const { tracks, mode, edits } = await outlinesOf(edit.task_id);
	const [{ name, source, edited }, ...more] = tracks;
	assert.deepEqual([mode, edits.length], ['cut', LONG_SILENCES.length]);
	assert.deepEqual([name, more], ['talk.wav', []]);
	assert.ok(source.peaks.length > 1_000 && source.peaks.length <= 2_000);
	assertNear(source.durationSeconds, lengthSeconds(TALK), 0.01, 'seconds before');
	const after = lengthSeconds(TALK) - TALK_REMOVED_SECONDS;
	assertNear(edited.durationSeconds, after, 0.15, 'seconds after');
	assert.ok(highest(source, 0.2, 1.8) > 0.1, 'the outline shows no speech');
	assert.ok(highest(source, 6, 7.5) < 0.01, 'the outline shows no silence');
	assert.deepEqual(resultOf(edit).waveform_result, []);
});

await test('saves the outlines of every track, without a download link', async () => {
	const config = { ...SILENCES, muted: true };
	const edit = await ann.runTracks({ 'a.wav': talk, 'b.wav': talk }, config);
	const { tracks, mode } = await outlinesOf(edit.task_id);
	assert.equal(mode, 'mute');
	const silenced = tracks.map(({ name, edited }) => [name, highest(edited, 6, 7.5)]);
	assert.deepEqual(silenced, [
		['a.wav', 0],
		['b.wav', 0],
	]);
	const link = resultOf(edit).download_url ?? '';
	const other = link.replace(/[^/]+\.zip/, WAVEFORM_FILE_NAME);
	assert.notEqual(other, link);
	assert.notEqual((await send('GET', other)).status, 200);
});

await test('records the same outline however the sound is read', async () => {
	const samples = Float32Array.from({ length: 30_000 }, (_, index) => Math.sin(index ** 1.3));
	const source = (chunkSamples: number) => ({
		sampleRateHz: 8_000,
		channels: 2,
		frames: 15_000,
		async *chunks(startFrame: number, endFrame: number) {
			await Promise.resolve();
			for (let at = 2 * startFrame; at < 2 * endFrame; at += chunkSamples) {
				yield samples.subarray(at, Math.min(at + chunkSamples, 2 * endFrame));
			}
		},
	});
	const outline = async (chunkSamples: number, parts: readonly number[]) => {
		const meter = new WaveformMeter(source(chunkSamples));
		for (const [index, start] of parts.slice(0, -1).entries()) {
			const chunks = meter.metered.chunks(start, parts[index + 1])[Symbol.asyncIterator]();
			while ((await chunks.next()).done !== true);
		}
		return meter.waveform();
	};
	const whole = await outline(30_000, [0, 15_000]);
	assert.deepEqual(await outline(14, [0, 15_000]), whole);
	assert.deepEqual(await outline(4_002, [0, 7_001, 15_000]), whole);
});
