import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { editCreationSchema, type EditConfig, type LocalSettings } from '../shared/contract.mts';
import { probe } from '../media/probe.mts';
import { readMetadata } from '../media/tags/metadata.mts';
import { assertNear } from './support/assertNear.mts';
import { taggedSource } from '../eval/metadata/taggedSources.mts';
import { atSpeed } from '../../testkit/media/signals.mts';
import { finishedFile, resultOf, send } from '../../testkit/service/client.mts';
import { reviewed, reviewOf } from '../../testkit/service/reviews.mts';
import {
	convertedTo,
	decodedSeconds,
	levelDb,
	loudnessLufs,
	samplesOf,
	withFile,
} from '../../testkit/service/media.mts';
import { startOutsideServer } from '../../testkit/service/servers.mts';
import { startOpenAiServer } from '../../testkit/service/openAiServer.mts';
import { inTurn, scaled, speech, SPEECH_RATE_HZ, wavOf } from '../../testkit/service/signals.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

const WORDS = [
	{ word: 'one', start: 0.5, end: 1 },
	{ word: 'two', start: 5.5, end: 6 },
];
await using server = await startOpenAiServer(() => ({ body: { text: 'one two', words: WORDS } }));
await using temporary = await temporaryFolder();
await using service = await startService(
	...QUICK,
	'--allow-private-sources',
	'--transcription-url',
	`${server.url}/v1`,
);
const { ann } = service;

const voice = await speech(4);
const silence = new Float32Array(SPEECH_RATE_HZ);
/** Speech of 4 s, a second of silence, and speech of 4 s. */
const talk = wavOf(inTurn(voice, silence, voice));
const TALK_SECONDS = 9;

function tone(hz: number, seconds: number, level = 0.1): Float32Array {
	return Float32Array.from({ length: seconds * SPEECH_RATE_HZ }, (_, i) => {
		return level * Math.sin((2 * Math.PI * hz * i) / SPEECH_RATE_HZ);
	});
}
const [intro, jingle, outro] = [tone(500, 2), tone(900, 3, 0.4), tone(300, 2, 0.01)].map((sound) =>
	wavOf(sound),
);

async function kitOf(local: LocalSettings = {}): Promise<LocalSettings> {
	return {
		intro: await ann.upload(intro, 'intro.wav'),
		inserts: [{ url: await ann.upload(jingle, 'jingle.wav'), at_seconds: 4.2 }],
		outro: await ann.upload(outro, 'outro.wav'),
		...local,
	};
}

const PLAIN: EditConfig = { remove_noise: false, export_format: 'wav' };

async function failureOf(local: LocalSettings, config: EditConfig = PLAIN): Promise<string> {
	const edit = await ann.run(talk, config, 'talk.wav', local);
	assert.equal(edit.status, 'FAILURE');
	return JSON.stringify(edit.result);
}

/** The share of a tone in some seconds of a sound. */
function shareOf(hz: number, samples: Float32Array, from: number, to: number): number {
	let [sine, cosine, energy] = [0, 0, 1e-9];
	const [start, end] = [from, to].map((seconds) => Math.round(seconds * SPEECH_RATE_HZ));
	for (let i = start; i < end; i++) {
		const angle = (2 * Math.PI * hz * i) / SPEECH_RATE_HZ;
		sine += samples[i] * Math.sin(angle);
		cosine += samples[i] * Math.cos(angle);
		energy += samples[i] ** 2;
	}
	return (2 * (sine ** 2 + cosine ** 2)) / (end - start) / energy;
}

await test('puts an intro before a recording, an insert into its pause, and an outro after it, as loud as it is', async () => {
	const config = { ...PLAIN, transcription: true };
	const edit = await ann.run(talk, config, 'talk.wav', await kitOf({ kit_fade_seconds: 0.1 }));
	const { file, result } = await finishedFile(edit);
	const samples = await samplesOf(file);
	const seconds = samples.length / SPEECH_RATE_HZ;
	assertNear(result.duration_after_seconds ?? 0, seconds, 0.001, 'the length');
	assertNear(result.duration_before_seconds ?? 0, TALK_SECONDS, 0.001, 'the length before');
	assert.ok(seconds > TALK_SECONDS + 7 - 0.41 && seconds < TALK_SECONDS + 7, String(seconds));
	assert.ok(shareOf(500, samples, 0, 1.85) > 0.99, 'the intro');
	assert.ok(shareOf(300, samples, seconds - 1.85, seconds) > 0.99, 'the outro');
	const inserted = [6, 6.5, 7, 7.5, 8].filter((at) => shareOf(900, samples, at, at + 0.4) > 0.99);
	assert.ok(inserted.length >= 4, 'the insert');
	const second = result.transcription?.paragraphs.at(1);
	assert.ok(second?.start, 'an insert of three seconds divides paragraphs');
	const speechLevel = levelDb(samples, second.start, second.start + 0.5);
	const before = levelDb(await samplesOf(talk), WORDS[1].start, WORDS[1].start + 0.5);
	assertNear(speechLevel, before, 0.1, 'the level of the second word');
	const parts = [samples.slice(0, 1.8 * SPEECH_RATE_HZ), samples.slice(-1.8 * SPEECH_RATE_HZ)];
	const own = await loudnessLufs(talk);
	for (const part of parts) assertNear(await loudnessLufs(wavOf(part)), own, 1, 'LUFS');
});

await test('listens to the recording only', async () => {
	server.visits.length = 0;
	const edit = await ann.run(talk, { ...PLAIN, transcription: true }, 'talk.wav', await kitOf());
	const { words } = resultOf(edit).transcription?.transcription ?? {};
	assert.equal(server.visits.length, 1);
	assert.deepEqual(
		words?.map(({ text }) => text),
		['one', 'two'],
	);
});

await test('keeps the format of the recording, whatever that of a part is', async () => {
	const stereo = await convertedTo(talk, 'flac', '-ac', '2', '-ar', '44100');
	const mp3 = await convertedTo(intro, 'mp3', '-ar', '22050');
	const opus = await convertedTo(jingle, 'opus', '-ac', '2');
	const local = {
		intro: await ann.upload(mp3, 'intro.mp3'),
		inserts: [{ url: await ann.upload(opus, 'jingle.opus'), at_seconds: 0 }],
	};
	const { file } = await finishedFile(
		await ann.run(stereo, { remove_noise: false }, 'talk.flac', local),
	);
	const { codec, sampleRateHz, channels } = await withFile(file, (path) => probe(path));
	assert.deepEqual([codec, sampleRateHz, channels], ['flac', 44_100, 2]);
	assertNear(await decodedSeconds(file), TALK_SECONDS + 5, 1.1, 'seconds');
});

await test('moves chapters, and puts an insert before one of them', async () => {
	const path = await taggedSource('talk.mp3', temporary.path);
	const url = await ann.upload(jingle, 'jingle.wav');
	for (const at_chapter of [4, 'ende']) {
		const local = { inserts: [{ url, at_chapter }] };
		const edit = await ann.run(await readFile(path), { remove_noise: false }, 'talk.mp3', local);
		const { file } = await finishedFile(edit);
		const chapters = await chaptersIn(file);
		assert.equal(chapters.length, 4);
		const [, second, , last] = chapters;
		assertNear(second, 2.75, 0.01, 'the second');
		assert.ok(last > 9.4 && last < 10.6, String(last));
	}
	const wrong = { inserts: [{ url, at_chapter: 9 }] };
	const edit = await ann.run(await readFile(path), { remove_noise: false }, 'talk.mp3', wrong);
	assert.match(JSON.stringify(edit.result), /The recording has 4 chapters, and none is 9/);
});

/** When the chapters of a file begin. */
async function chaptersIn(file: Buffer): Promise<number[]> {
	return await withFile(file, async (path) => {
		const folder = await mkdtemp(join(temporary.path, 'read'));
		const { metadata } = await readMetadata(path, folder);
		return metadata.chapters.map(({ startSeconds }) => startSeconds);
	});
}

await test('fetches a part from its URL, and does not repeat its signature', async () => {
	await using server = await startOutsideServer(({ url }, response) => {
		response.end(url === '/intro.wav?signature=secret' ? intro : '<html>');
	});
	const local = { intro: `${server.url}/intro.wav?signature=secret` };
	const edit = await ann.run(talk, PLAIN, 'talk.wav', local);
	assert.deepEqual(edit.local, { intro: `${server.url}/intro.wav` });
	assertNear(await decodedSeconds((await finishedFile(edit)).file), TALK_SECONDS + 2, 0.6, 's');
	const text = await failureOf({ outro: `${server.url}/page.html` });
	assert.match(text, /sent a web page instead of the file/);
});

await test('says of a part that cannot be used which one it is, and why', async () => {
	const part = async (bytes: Buffer) => ({ intro: await ann.upload(bytes, 'my intro.wav') });
	const cases = [
		[Buffer.from('no sound'), /The intro 'my intro.wav': /],
		[wavOf(silence), /The intro 'my intro.wav': Nothing is heard in it/],
		[wavOf(tone(500, 0.2)), /The intro 'my intro.wav': It is shorter than 0.4 s/],
	] as const;
	for (const [bytes, reason] of cases) assert.match(await failureOf(await part(bytes)), reason);
	const url = await ann.upload(jingle, 'jingle.wav');
	assert.match(
		await failureOf({ inserts: [{ url, at_chapter: 1 }] }),
		/The insert 'jingle.wav': The recording's file has no chapters/,
	);
	const gone = url.replace(/[\da-f]{4}\/jingle/, '0000/jingle');
	assert.match(await failureOf({ outro: gone }), /no such uploaded file/);
});

await test('refuses what it cannot do before the edit', async () => {
	const url = await ann.upload(jingle, 'jingle.wav');
	const files = [await ann.upload(talk), await ann.upload(talk)];
	const refused = async (input: object) => {
		const answer = await ann.call('POST', '/v2/edits', { body: { input: { files, ...input } } });
		assert.equal(answer.status, 422, answer.text);
		return answer.text;
	};
	const one = [files[0]];
	assert.match(await refused({ local: { intro: url } }), /Several tracks need 'config.merge'/);
	assert.match(
		await refused({ files: one, config: { video: true }, local: { outro: url } }),
		/Cannot be used with 'config.video'/,
	);
	for (const at of [{}, { at_seconds: 1, at_chapter: 1 }, { at_seconds: -1 }, { at_chapter: 0 }]) {
		await refused({ files: one, local: { inserts: [{ url, ...at }] } });
	}
	await refused({ files: one, local: { inserts: [] } });
	await refused({ files: one, local: { intro: 'file:///etc/passwd' } });
	const long = `https://example.com/${'a'.repeat(17_000)}`;
	assert.match(await refused({ files: one, local: { intro: long } }), /at most 16384 characters/);
});

await test('puts it into merged tracks, of which each is heard by itself', async () => {
	const other = wavOf(atSpeed(inTurn(silence, voice, silence, scaled(voice, 0.5)), 1.1));
	const config = { ...PLAIN, merge: true, normalize: true, target_lufs: -18 };
	const edit = await ann.runTracks({ 'a.wav': talk, 'b.wav': other }, config, await kitOf());
	const { file, result } = await finishedFile(edit);
	assert.equal(result.merged_audio_url.length, 1);
	const samples = await samplesOf(file);
	assert.ok(shareOf(500, samples, 0, 1.4) > 0.99);
	assertNear(await loudnessLufs(wavOf(samples.slice(0, 1.4 * SPEECH_RATE_HZ))), -18, 1, 'LUFS');
});

await test('stays with a recording whose cuts somebody changes', async () => {
	const pause = new Float32Array(3 * SPEECH_RATE_HZ);
	const files = [await ann.upload(wavOf(inTurn(voice, pause, voice)), 'talk.wav')];
	const local = { ...(await kitOf()), review: true };
	const config = { ...PLAIN, long_silences: true };
	const review = await reviewed(ann, { files, config, local });
	const { cuts, samples } = await review.state();
	assert.equal(samples, 11 * SPEECH_RATE_HZ);
	assert.equal(cuts.length, 1);
	const kept = cuts.map((cut) => ({ ...cut, keep: true }));
	await review.decide({ revision: 0, cuts: kept, approve: true });
	const whole = await finishedFile(await ann.ended(review.id));
	const seconds = await decodedSeconds(whole.file);
	assert.ok(seconds > 11 + 7 - 2 && seconds < 11 + 7, String(seconds));
	const again = await send('POST', review.at('/again'));
	const { id } = editCreationSchema.parse(again.json);
	const second = await reviewOf(ann, id);
	await second.decide({ revision: 0, cuts, approve: true });
	const { file } = await finishedFile(await ann.ended(id));
	const [{ start, end }] = cuts;
	assertNear(seconds - (await decodedSeconds(file)), (end - start) / SPEECH_RATE_HZ, 0.3, 'cut');
	const sound = await samplesOf(file);
	assert.ok(shareOf(500, sound, 0, 1.4) > 0.99, 'the intro');
});
