import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DOMParser, type Element } from '@xmldom/xmldom';
import { z } from 'zod';

import { cutTimeline, type CutRecording } from '../engine/export/timelines/cutTimeline.mts';
import { EDL_SOUND_RATE, editDecisionList } from '../engine/export/timelines/editDecisionList.mts';
import { finalCutXml, VIDEO_SOUND_RATE } from '../engine/export/timelines/finalCut.mts';
import { openTimeline } from '../engine/export/timelines/openTimeline.mts';
import { premiereXml } from '../engine/export/timelines/premiere.mts';
import { reaperProject } from '../engine/export/timelines/reaper.mts';
import { framesPerSecond } from '../media/picture.mts';
import { Chance } from '../../testkit/measure/chance.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { codedVideo, CUT, MP4, PHRASES } from '../../testkit/service/video.mts';

const SECONDS = 3_601.37;

/** A stretch of the uncut recording, as an editor reads it; a gap has no source. */
interface Clip {
	name: string | null;
	start: number;
	end: number;
}

function recording(frameRate: string | null, more: Partial<CutRecording> = {}): CutRecording {
	const picture = frameRate === null ? null : { frameRate, width: 1_280, height: 720 };
	const media = { sampleRateHz: 48_000, channels: 2, picture };
	const chance = new Chance(7);
	const cuts: CutRecording['cuts'][number][] = [];
	for (let at = 0; at < SECONDS - 10; at += 5 + 20 * chance.next()) {
		cuts.push({ startSeconds: at, endSeconds: at + 0.4 + 3 * chance.next() });
	}
	const tracks = [{ name: 'Böse & <b>"Talk"</b> #1.mov', seconds: SECONDS, media }];
	return { tracks, mode: 'cut', cuts, ...more };
}

/** Reads the clips of the spine, and checks that they follow each other. */
function clipsOfXml(text: string): Clip[] {
	const onError = (_level: string, message: string) => assert.fail(message);
	const document = new DOMParser({ onError }).parseFromString(text, 'text/xml');
	const spine = document.getElementsByTagName('spine').item(0);
	assert.ok(spine);
	assert.equal(spine.textContent?.trim(), '', 'the document type has no text there');
	const children = [...spine.childNodes].filter((node): node is Element => node.nodeType === 1);
	let position = 0;
	return children.map((clip) => {
		assert.ok(Math.abs(secondsOf(clip, 'offset') - position) < 1e-6, 'the clips do not touch');
		const start = clip.hasAttribute('start') ? secondsOf(clip, 'start') : position;
		const length = secondsOf(clip, 'duration');
		position += length;
		return { name: clip.getAttribute('name'), start, end: start + length };
	});
}

function secondsOf(element: Element, name: string): number {
	const time = element.getAttribute(name) ?? '';
	const [, numerator, denominator] = /^(\d+)(?:\/(\d+))?s$/.exec(time) ?? [];
	assert.ok(numerator, `${name} is no time`);
	return Number(numerator) / Number(denominator);
}

const timeSchema = z.object({ rate: z.number(), value: z.number().int() });
const clipSchema = z.object({
	OTIO_SCHEMA: z.enum(['Clip.2', 'Gap.1']),
	name: z.string(),
	source_range: z.object({ start_time: timeSchema, duration: timeSchema }),
});
const trackSchema = z.object({ children: z.array(clipSchema) });
const otioSchema = z.object({ tracks: z.object({ children: z.array(trackSchema) }) });

function tracksOfOtio(text: string): Clip[][] {
	const { tracks } = otioSchema.parse(JSON.parse(text));
	return tracks.children.map(({ children }) =>
		children.map(({ OTIO_SCHEMA, name, source_range: { start_time, duration } }) => {
			const start = start_time.value / start_time.rate;
			const end = start + duration.value / duration.rate;
			return { name: OTIO_SCHEMA === 'Clip.2' ? name : null, start, end };
		}),
	);
}

/** Whether what stays lies between the cuts, with each border at most a frame away. */
function assertStays(clips: readonly Clip[], { cuts }: CutRecording, frame: number): void {
	const starts = cuts.map(({ endSeconds }) => endSeconds);
	const ends = [...cuts.slice(1).map(({ startSeconds }) => startSeconds), SECONDS];
	assert.equal(clips.length, cuts.length);
	clips.forEach(({ start, end }, index) => {
		assert.ok(Math.abs(start - starts[index]) <= frame, `clip ${index} starts at ${start} s`);
		assert.ok(Math.abs(end - ends[index]) <= frame, `clip ${index} ends at ${end} s`);
	});
}

for (const rate of ['24/1', '25/1', '30000/1001', '30/1', null]) {
	await test(`each border is within a frame of its cut at ${rate ?? 'no picture'}`, () => {
		const whole = recording(rate);
		const frame = 1 / framesPerSecond(rate ?? '60/1');
		const timeline = cutTimeline(whole, VIDEO_SOUND_RATE);
		assertStays(clipsOfXml(finalCutXml(timeline)), whole, frame);
		const tracks = tracksOfOtio(openTimeline(timeline));
		assert.equal(tracks.length, rate === null ? 1 : 2);
		for (const track of tracks) assertStays(track, whole, frame);
	});
}

await test('attaches the other tracks, each as far as it goes', () => {
	const [video] = recording('25/1').tracks;
	const media = { sampleRateHz: 44_100, channels: 1, picture: null };
	const tracks = [
		{ name: 'guest.wav', seconds: 40, media },
		{ ...video, seconds: 30 },
	];
	const cuts = [{ startSeconds: 10, endSeconds: 12 }];
	const timeline = cutTimeline({ tracks, mode: 'cut', cuts }, VIDEO_SOUND_RATE);
	const xml = finalCutXml(timeline);
	const leading = clipsOfXml(xml).map(({ name, start, end }) => [name, start, end]);
	assert.deepEqual(leading, [
		[video.name, 0, 10],
		[video.name, 12, 30],
		['guest.wav', 30, 40],
	]);
	assert.equal(xml.match(/lane="-1" offset="300\/25s"/g)?.length, 1);
	const ends = tracksOfOtio(openTimeline(timeline)).map((clips) => clips.at(-1)?.end);
	assert.deepEqual(ends, [30, 30, 40]);
});

await test('leaves a gap in the sound where it is silenced, and the picture as it is', () => {
	for (const [rate, silenced] of [
		['25/1', /srcEnable="video"/],
		[null, /<gap offset="120\/60s"/],
	] as const) {
		const cuts = [{ startSeconds: 2, endSeconds: 3 }];
		const timeline = cutTimeline(recording(rate, { mode: 'mute', cuts }), VIDEO_SOUND_RATE);
		assert.match(finalCutXml(timeline), silenced);
		const gaps = tracksOfOtio(openTimeline(timeline))
			.at(-1)
			?.map(({ name }) => name === null);
		assert.deepEqual(gaps, [false, true, false]);
	}
});

/** Two files, of which the second ends early, with a cut in the middle and one up to the end. */
function twoFiles(frameRate: string | null, mode: CutRecording['mode']): CutRecording {
	const picture = frameRate === null ? null : { frameRate, width: 1_280, height: 720 };
	const first = frameRate === null ? 'a "b" `c`\n.wav' : "a 'b'.mov";
	const tracks = [
		{ name: first, seconds: 20, media: { sampleRateHz: 44_100, channels: 2, picture } },
		{ name: 'guest.flac', seconds: 8, media: { sampleRateHz: 48_000, channels: 1, picture: null } },
	];
	const cuts = [
		{ startSeconds: 4.04, endSeconds: 6.04 },
		{ startSeconds: 18, endSeconds: 20 },
	];
	return { tracks, mode, cuts };
}

await test('an EDL lists the cuts of picture and sounds, with its frame rate', () => {
	assert.equal(
		editDecisionList(cutTimeline(twoFiles('25/1', 'cut'), EDL_SOUND_RATE)),
		`TITLE: a 'b' (cut)
FCM: NON-DROP FRAME

001  AX       B     C        00:00:00:00 00:00:04:01 00:00:00:00 00:00:04:01
* FROM CLIP NAME: a 'b'.mov
* FRAME RATE: 25
002  AX       A2    C        00:00:00:00 00:00:04:01 00:00:00:00 00:00:04:01
* FROM CLIP NAME: guest.flac
003  AX       B     C        00:00:06:01 00:00:08:00 00:00:04:01 00:00:06:00
* FROM CLIP NAME: a 'b'.mov
004  AX       A2    C        00:00:06:01 00:00:08:00 00:00:04:01 00:00:06:00
* FROM CLIP NAME: guest.flac
005  AX       B     C        00:00:08:00 00:00:18:00 00:00:06:00 00:00:16:00
* FROM CLIP NAME: a 'b'.mov
`,
	);
	const muted = editDecisionList(cutTimeline(twoFiles('25/1', 'mute'), EDL_SOUND_RATE));
	assert.match(muted, /AX {7}V {5}C {8}00:00:04:01 00:00:06:01 00:00:04:01/);
	const sound = editDecisionList(cutTimeline(twoFiles(null, 'cut'), EDL_SOUND_RATE));
	assert.match(sound, /AX {7}A {5}C [^]*\* FROM CLIP NAME: a "b" `c` \.wav\n\* FRAME RATE: 30\n/);
});

await test('a REAPER project has each stretch on the sample', () => {
	const items = reaperProject(cutTimeline(twoFiles(null, 'cut'), '44100/1'));
	const places = [...items.matchAll(/POSITION (\S+)\s+LENGTH (\S+)\s+SOFFS (\S+)/g)];
	const samples = places.map(([, ...times]) => times.map((time) => Number(time) * 44_100));
	const expected = [
		[0, 178_164, 0],
		[178_164, 86_436, 266_364],
		[264_600, 441_000, 352_800],
		[0, 178_164, 0],
		[178_164, 86_436, 266_364],
	];
	assert.equal(samples.length, expected.length);
	samples.flat().forEach((sample, index) => {
		assert.ok(Math.abs(sample - expected.flat()[index]) < 0.001, `${index}: ${sample}`);
	});
	assert.match(items, /<SOURCE WAVE\s+FILE 'a "b" `c` .wav'/);
	assert.match(items, /<SOURCE FLAC\s+FILE "guest.flac"/);
	const muted = reaperProject(cutTimeline(twoFiles(null, 'mute'), '44100/1'));
	assert.equal(muted.match(/<ITEM/g)?.length, 5);
});

await test("Premiere's XML has a track for each channel, and describes each file once", () => {
	for (const [rate, tracks, ntsc] of [
		['30000/1001', 4, 'TRUE'],
		[null, 3, 'FALSE'],
	] as const) {
		const text = premiereXml(cutTimeline(twoFiles(rate, 'cut'), VIDEO_SOUND_RATE));
		const onError = (_level: string, message: string) => assert.fail(message);
		const document = new DOMParser({ onError }).parseFromString(text, 'text/xml');
		assert.equal(document.getElementsByTagName('track').length, tracks);
		assert.equal(document.getElementsByTagName('pathurl').length, 2);
		assert.match(text, new RegExp(`<ntsc>${ntsc}</ntsc>`));
		assert.ok(text.includes(rate === null ? '&#34;b&#34; `c`' : 'a &#39;b&#39;.mov'), text);
	}
});

await using service = await startService(...QUICK);
const { ann, bob } = service;

await test('serves the timelines of a finished edit, and to its own key only', async () => {
	const edit = await ann.run(await codedVideo(MP4), CUT, 'my talk.mp4');
	const path = `/local/edits/${edit.task_id}/timelines`;
	const text = async (kind: string) => (await ann.call('GET', `${path}/${kind}`)).text;
	const xml = await text('fcpxml');
	assert.equal(clipsOfXml(xml).length, PHRASES);
	assert.match(xml, /<format id="r1" frameDuration="1\/25s" width="256" height="64"\/>/);
	assert.match(xml, /src="\.\/my%20talk\.mp4"/);
	assert.equal(tracksOfOtio(await text('otio'))[1].length, PHRASES);
	assert.equal((await text('premiere')).match(/<clipitem>/g)?.length, 2 * PHRASES);
	assert.equal((await text('edl')).match(/ B {5}C /g)?.length, PHRASES);
	assert.equal((await text('reaper')).match(/<ITEM/g)?.length, PHRASES);
	const labels = (await text('audacity')).match(/^\d+\.\d+\t\d+\.\d+\tLong silence$/gm);
	assert.equal(labels?.length, PHRASES);
	assert.equal((await bob.call('GET', `${path}/otio`)).status, 404);
	assert.equal((await ann.call('GET', `${path}/toString`)).status, 404);
});
