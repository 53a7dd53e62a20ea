import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { fileArgument } from '../media/ffmpeg/guardedInput.mts';
import { runFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import type { EditConfig } from '../shared/contract.mts';
import { finishedFile } from '../../testkit/service/client.mts';
import {
	type ScriptedAnswer,
	startOpenAiServer,
	transcriptionRequestOf,
} from '../../testkit/service/openAiServer.mts';
import { decodedSeconds } from '../../testkit/service/media.mts';
import { reviewed } from '../../testkit/service/reviews.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { videoInfo } from '../../testkit/service/video.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';

/** Two sentences, and between them a sound that the engine takes for a filler. */
const soundSeconds = new SyntheticTalk().sentence().pause(0.4).seconds;
const recording = new SyntheticTalk().sentence().pause(0.4).filler(0.5).pause(0.4).sentence().wav();
const sound = { start: soundSeconds, end: soundSeconds + 0.5 };

interface Said {
	word: string;
	start: number;
	end: number;
}

const before = [
	{ word: 'we', start: 0.1, end: 0.4 },
	{ word: 'know', start: 0.6, end: 1.2 },
];
const after = [
	{ word: 'that', start: sound.end + 0.5, end: sound.end + 0.8 },
	{ word: 'well', start: sound.end + 1, end: sound.end + 1.6 },
];
const later = ({ word, start, end }: Said, seconds: number) => ({
	word,
	start: start - seconds,
	end: end - seconds,
});

/** What is heard in the whole recording, then around the cuts of the source, then there in the result. */
let answers: ScriptedAnswer[] = [];
await using server = await startOpenAiServer(() => answers.shift() ?? { status: 400, body: {} });
await using service = await startService(
	...QUICK,
	'--review-hours',
	'2',
	'--transcription-url',
	`${server.url}/v1`,
);
const { ann } = service;

const heard = (words: readonly Said[], language = 'english') => ({
	body: { text: words.map(({ word }) => word).join(' '), words, language },
});

const config: EditConfig = { remove_noise: false, fillers: true, export_timestamps: true };
const local = { word_check: true };

/** Edits the recording: a recognizer misses the sound at first, and hears a word there when asked again. */
async function checked(word: string, inResult: readonly Said[], more: EditConfig = {}) {
	const all = [...before, { word, ...sound }, ...after];
	answers = [heard([...before, ...after]), heard(all), heard(inResult)];
	return await ann.run(recording, { ...config, ...more }, undefined, local);
}

const moved = after.map((word) => later(word, 0.5));

await test('puts a cut back that took a word: the result is as if it had never been made', async () => {
	answers = [heard([...before, { word: 'whoa', ...sound }, ...after]), heard([]), heard([])];
	const never = await finishedFile(await ann.run(recording, config, undefined, local));
	assert.equal(never.result.statistics?.FILLER_SOUND, 0);
	assert.deepEqual(never.result.word_check, { cuts: 0, checked: 0, restored: [], doubtful: [] });
	const edit = await checked('whoa', [...before, ...moved]);
	const { result, file } = await finishedFile(edit);
	assert.equal(answers.length, 0);
	const { restored, ...counts } = result.word_check ?? {};
	assert.deepEqual(counts, { cuts: 1, checked: 1, doubtful: [] });
	const [{ start = 0, end = 0, ...cut }] = restored ?? [];
	assert.deepEqual(cut, { kind: 'filler', words: ['whoa'] });
	assert.ok(Math.abs(start - sound.start) < 0.1 && Math.abs(end - sound.end) < 0.1);
	assert.ok(file.equals(never.file));
	assert.deepEqual(result.statistics, never.result.statistics);
	assert.equal(result.duration_after_seconds, never.result.duration_after_seconds);
	assert.deepEqual(result.notes, undefined);
});

await test('puts a muted cut back, which moves no word', async () => {
	const muted = { muted: true };
	const { result } = await finishedFile(await checked('whoa', [...before, ...after], muted));
	assert.equal(result.word_check?.restored.length, 1);
	assert.equal(result.statistics?.FILLER_SOUND, 0);
	const same = [...before, { word: 'whoa', ...sound }, ...after];
	const edit = await finishedFile(await checked('whoa', same, muted));
	assert.deepEqual(edit.result.word_check?.restored, []);
	assert.equal(edit.result.word_check.doubtful.length, 1);
});

await test('puts nothing back that was to go, that is still heard, or that cannot be told', async () => {
	const filler = await checked('uh', [...before, ...moved]);
	assert.deepEqual(filler.result?.word_check, { cuts: 1, checked: 1, restored: [], doubtful: [] });
	const still = [...before, { word: 'whoa', start: sound.start, end: sound.start }, ...moved];
	answers = [heard([...before, ...after])];
	for (const inResult of [heard(still), heard([...before, ...moved], 'french'), heard([])]) {
		const inSource = heard([...before, { word: 'whoa', ...sound }, ...after]);
		answers = [heard([...before, ...after]), inSource, inResult];
		const { result } = await ann.run(recording, config, undefined, local);
		assert.equal(result?.statistics?.FILLER_SOUND, 1);
		const { restored, doubtful } = result.word_check ?? {};
		assert.deepEqual([restored, doubtful?.map(({ words }) => words)], [[], [['whoa']]]);
	}
});

await test('delivers the result as it is where the recognizer fails, and says so', async () => {
	answers = [heard([...before, ...after])];
	const { result } = await finishedFile(await ann.run(recording, config, undefined, local));
	assert.equal(result.statistics?.FILLER_SOUND, 1);
	assert.equal(result.word_check, undefined);
	assert.match(String(result.notes), /^'local\.word_check' put no cut back: /);
});

await test('shows a cut that took a word to those who review it, and leaves it to them', async () => {
	const files = [await ann.upload(recording)];
	answers = [
		heard([...before, ...after]),
		heard([...before, { word: 'whoa', ...sound }, ...after]),
		heard([...before, ...moved]),
	];
	const review = await reviewed(ann, { files, config, local: { ...local, review: true } });
	const { cuts } = await review.state();
	assert.deepEqual(
		cuts.map(({ kind, keep }) => [kind, keep]),
		[['filler', true]],
	);
	const wanted = cuts.map((cut) => ({ ...cut, keep: false }));
	await review.decide({ revision: 0, cuts: wanted, approve: true, name: 'Ann' });
	const { result } = await finishedFile(await ann.ended(review.id));
	assert.equal(result.statistics?.FILLER_SOUND, 1);
	assert.equal(result.word_check, undefined);
	assert.match(String(result.notes), /'local\.word_check' checked no cut of this result/);
	assert.equal(answers.length, 0);
});

await test('hears the recording where it is behind the intro of a show', async () => {
	/** What is heard last: the result. */
	const heardLast = () => {
		const visit = server.visits.at(-1);
		assert.ok(visit);
		const { wav } = transcriptionRequestOf(visit);
		return new Int16Array(wav.buffer.slice(wav.byteOffset + 44));
	};
	const files = [await ann.upload(recording)];
	const sounds: Int16Array[] = [];
	for (const more of [{}, { intro: await ann.upload(new SyntheticTalk().filler(3, 'o').wav()) }]) {
		const all = heard([...before, { word: 'uh', ...sound }, ...after]);
		answers = [heard([...before, ...after]), all, heard([...before, ...moved])];
		const edit = await ann.ended(await ann.create({ files, config, local: { ...local, ...more } }));
		assert.equal(edit.result?.word_check?.checked, 1);
		sounds.push(heardLast());
	}
	const [alone, behind] = sounds;
	assert.ok(Math.abs(alone.length - behind.length) < 800, `${alone.length}, ${behind.length}`);
	// The intro fades into the beginning.
	const from = 8_000;
	const sizeOf = (values: Int16Array) => values.reduce((sum, value) => sum + Math.abs(value), 0);
	const difference = alone.slice(from).map((value, at) => value - behind[from + at]);
	assert.ok(sizeOf(difference) < 0.2 * sizeOf(alone.slice(from)));
});

await test('checks a video, too, and keeps its picture in time', async () => {
	await using folder = await temporaryFolder();
	const [wavPath, path] = [join(folder.path, 'talk.wav'), join(folder.path, 'talk.mov')];
	await writeFile(wavPath, recording);
	const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=25', '-i', fileArgument(wavPath)];
	await runFfmpeg([
		...picture,
		'-shortest',
		'-c:v',
		'libx264',
		'-c:a',
		'pcm_s16le',
		fileArgument(path),
	]);
	answers = [
		heard([...before, ...after]),
		heard([...before, { word: 'whoa', ...sound }, ...after]),
		heard([...before, ...moved]),
	];
	const video = await readFile(path);
	const edit = await ann.run(video, { ...config, video: true }, 'talk.mov', local);
	const { result, file } = await finishedFile(edit);
	assert.equal(result.word_check?.restored.length, 1);
	const { container } = await videoInfo(file);
	assert.match(container, /mov/);
	assert.ok(Math.abs((await decodedSeconds(file)) - (await decodedSeconds(video))) < 0.05);
});
