import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { makeRecording } from '../../testkit/media/recording.ts';
import { finishedFile, send, type Client } from '../../testkit/service/client.mts';
import { probe, samplesOf } from '../../testkit/service/media.mts';
import { changedCuts, framesOf } from '../../testkit/service/putBack.mts';
import { SILENCES as config, talk } from '../../testkit/service/recordings.mts';
import { reviewed, type Review } from '../../testkit/service/reviews.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { codedVideo, MP4 } from '../../testkit/service/video.mts';

const HOUR_MS = 3_600_000;
/** Of the recording, and of decoded samples. */
const RATE_HZ = 16_000;

// No flag: each edit asks for its own review.
await using service = await startService(...QUICK, '--status-calls-per-minute', '100000');
const { ann, bob } = service;
const local = { review: true };

const doubtfulSchema = z.object({
	state: z.string(),
	revision: z.number(),
	approved_by: z.string().nullable(),
	cuts_in_all: z.number(),
	doubtful: z.array(
		z
			.object({
				kind: z.string(),
				start: z.number(),
				end: z.number(),
				start_seconds: z.number(),
				end_seconds: z.number(),
				sure: z.number(),
				doubt: z.number().min(0).max(1),
				reason: z.string(),
				before_url: z.string().url(),
				after_url: z.string().url(),
			})
			.strict(),
	),
});

async function doubtful(id: string, most: unknown = 5, client: Client = ann) {
	const answer = await client.call('GET', `/local/edits/${id}/cuts?doubtful=${String(most)}`);
	assert.equal(answer.status, 200, answer.text);
	return doubtfulSchema.parse(answer.json);
}

async function clip(url: string, client: Client = ann) {
	return await client.call('GET', url.slice(client.url.length));
}

async function reviewOfTalk(): Promise<Review> {
	return await reviewed(ann, { files: [await ann.upload(talk, 'talk.wav')], config, local });
}

async function put(id: string, body: object) {
	return await ann.call('PUT', `/local/edits/${id}/cuts`, { body });
}

/** How loud what differs between a clip and what it should play is against the latter, dB, at the best shift. */
function differenceDb(clip: Float32Array, expected: readonly number[]): number {
	const energy = expected.reduce((sum, sample) => sum + sample ** 2, 0);
	let least = Infinity;
	for (let shift = 0; shift < 2_500; shift++) {
		let sum = 0;
		for (let at = 0; at < expected.length; at += 5) {
			sum += 5 * ((clip[at + shift] ?? 0) - expected[at]) ** 2;
		}
		least = Math.min(least, sum);
	}
	return 10 * Math.log10(least / energy);
}

await test('an edit asks for its own review, and lists its least certain cuts with both clips', async () => {
	const { id } = await reviewOfTalk();
	const { state, revision, cuts_in_all: all, doubtful: cuts } = await doubtful(id);
	assert.deepEqual([state, revision, all, cuts.length], ['waiting', 0, 2, 2]);
	assert.ok(cuts[0].doubt >= cuts[1].doubt);
	assert.equal((await doubtful(id, 1)).doubtful.length, 1);
	const source = framesOf(talk).map((frame) => frame.readInt16LE(0) / 32_768);
	const { start, end, start_seconds: seconds, before_url, after_url } = cuts[0];
	assert.equal(start / RATE_HZ, seconds);
	const before = await clip(before_url);
	assert.deepEqual([before.status, before.contentType], [200, 'audio/mpeg']);
	assert.equal(before.headers.get('cache-control'), 'private, no-store');
	assert.equal((await probe(before.bytes)).codec, 'mp3');
	const uncut = await samplesOf(before.bytes);
	assert.ok(Math.abs(uncut.length / RATE_HZ - 6) < 0.2, `${uncut.length / RATE_HZ} s`);
	const middle = (start + end) / 2;
	const from = Math.max(0, Math.min(source.length - 6 * RATE_HZ, middle - 3 * RATE_HZ));
	assert.ok(differenceDb(uncut, source.slice(from, from + 6 * RATE_HZ)) < -20);
	const after = await samplesOf((await clip(after_url)).bytes);
	// As the result will sound: the sound of the other cut is gone, too.
	const gone = cuts.toSorted((a, b) => b.start - a.start);
	for (const cut of gone) source.splice(cut.start, cut.end - cut.start);
	const earlier = gone.filter((cut) => cut.start < start);
	const join = start - earlier.reduce((sum, cut) => sum + cut.end - cut.start, 0);
	const left = Math.max(join - 3 * RATE_HZ, 0);
	const first = Math.min(left, Math.max(0, source.length - 6 * RATE_HZ));
	assert.ok(differenceDb(after, source.slice(first, first + 6 * RATE_HZ)) < -20);
});

await test('answers only the key of the edit, and never the link that may approve', async () => {
	const review = await reviewOfTalk();
	const { before_url: url } = (await doubtful(review.id)).doubtful[0];
	const path = url.slice(ann.url.length);
	const list = `/local/edits/${review.id}/cuts?doubtful=5`;
	const [, signature] = review.link.split('?');
	assert.equal((await send('GET', `${url}?${signature}`)).status, 401);
	assert.equal((await send('GET', `${service.url}${list}&${signature}`)).status, 401);
	assert.equal((await send('GET', review.at(`/cuts/${path.split('/cuts/')[1]}`))).status, 404);
	assert.equal((await bob.call('GET', list)).status, 404);
	assert.equal((await bob.call('GET', path)).status, 404);
	for (const wrong of ['1-2/before.mp3', '..%2f/before.mp3', path.split('/')[5] + '/x.mp3']) {
		const answer = await ann.call('GET', `/local/edits/${review.id}/cuts/${wrong}`);
		assert.equal(answer.status, 404, wrong);
	}
	for (const wrong of ['0', '-1', '1e9', '51', '5.5', 'five', '', '5&doubtful=6', '%00']) {
		const answer = await ann.call('GET', `/local/edits/${review.id}/cuts?doubtful=${wrong}`);
		assert.equal(answer.status, 422, `${wrong}: ${answer.text}`);
		assert.match(answer.text, /"loc":\["query","doubtful"/);
	}
	assert.equal((await ann.call('GET', '/local/edits/none/cuts?doubtful=5')).status, 404);
	await ann.call('DELETE', `/v2/edits/${review.id}`);
	assert.equal((await ann.call('GET', list)).status, 404);
	assert.equal((await ann.call('GET', path)).status, 404);
	const { json } = await ann.call('POST', '/v2/edits', {
		body: { input: { files: [await ann.upload(talk)], config } },
	});
	const { id } = json as { id: string };
	await ann.ended(id);
	const without = await ann.call('GET', `/local/edits/${id}/cuts?doubtful=5`);
	assert.match(`${without.status} ${without.text}`, /^404 .*has no review/);
});

await test('decides about single cuts, sample by sample, and approves them once', async () => {
	const { id } = await reviewOfTalk();
	const { doubtful: cuts } = await doubtful(id);
	const [one, other] = cuts.map(({ start, end }) => ({ start, end }));
	const loc = (index: number) => `"loc":["body","decisions",${index},"start"]`;
	for (const [decisions, said] of [
		[
			[
				{ ...one, keep: true },
				{ ...one, keep: false },
			],
			loc(1),
		],
		[[{ start: one.start + 1, end: one.end, keep: true }], loc(0)],
		[[{ ...one, keep: 'yes' }], '"keep"'],
		[[{ ...one }], '"keep"'],
		[[{ ...one, keep: true, kind: 'breath' }], '"kind"'],
	] as const) {
		const answer = await put(id, { revision: 0, decisions, approve: true });
		assert.ok(answer.status === 422 && answer.text.includes(said), answer.text);
	}
	const both = await put(id, { revision: 0, decisions: [], cuts: [] });
	assert.match(`${both.status} ${both.text}`, /^422 .*either/);
	const decisions = [{ ...one, keep: true }];
	assert.equal((await put(id, { revision: 1, decisions, approve: true })).status, 409);
	assert.equal((await put(id, { revision: 0, decisions: [] })).status, 200, 'saved, not approved');
	const approval = { revision: 1, decisions, approve: true, name: 'Ann' };
	// Sent twice at once, and once more later: one approval.
	const answers = await Promise.all([put(id, approval), put(id, approval)]);
	answers.push(await put(id, approval));
	assert.deepEqual(
		answers.map(({ status }) => status),
		[200, 200, 200],
	);
	assert.equal(service.logOf(id).filter((line) => line.includes('approved by')).length, 1);
	for (const changed of [
		{ ...approval, name: 'Bo' },
		{ ...approval, decisions: [{ ...one, keep: false }] },
		{ ...approval, decisions: [{ ...other, keep: true }] },
		{ ...approval, revision: 2 },
		{ ...approval, approve: false },
	]) {
		assert.equal((await put(id, changed)).status, 409, JSON.stringify(changed));
	}
	const { file } = await finishedFile(await ann.ended(id));
	const state = await ann.call('GET', `/local/edits/${id}/cuts`);
	const { cuts: all } = state.json as { cuts: Array<Parameters<typeof changedCuts>[2][number]> };
	assert.deepEqual(
		all.filter(({ keep }) => keep).map(({ start }) => start),
		[one.start],
	);
	assert.equal(changedCuts(file, talk, all), 0);
	const after = await doubtful(id);
	assert.deepEqual([after.state, after.approved_by], ['finished', 'Ann']);
	assert.deepEqual(
		after.doubtful.map(({ start }) => start),
		[other.start],
		'what stays is no question',
	);
});

await test('of two people who decide at once, one does; and nobody after the end', async () => {
	const { id } = await reviewOfTalk();
	const [{ start, end }] = (await doubtful(id)).doubtful;
	const people = ['Ann', 'Bo'].map((name, at) => {
		const decisions = [{ start, end, keep: at === 0 }];
		return { revision: 0, decisions, approve: true, name };
	});
	const answers = await Promise.all(people.map(async (body) => await put(id, body)));
	assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
	const won = answers.findIndex(({ status }) => status === 200);
	await ann.ended(id);
	assert.equal((await doubtful(id)).approved_by, people[won].name);
	const late = await reviewOfTalk();
	service.clock.advance(25 * HOUR_MS);
	assert.equal((await put(late.id, { revision: 0, decisions: [], approve: true })).status, 409);
});

await test('plays tracks together, videos, and a cut at the very beginning', async () => {
	const early = makeRecording({ partsSeconds: [0, 3, 2, 0.4, 2] });
	const tracks = [await ann.upload(talk, 'a.wav'), await ann.upload(talk, 'b.wav')];
	const video = await ann.upload(await codedVideo(MP4), 'talk.mp4');
	for (const input of [
		{ files: [await ann.upload(early)], config },
		{ files: tracks, config, upload_type: 'multitrack' as const },
		{ files: tracks.slice(0, 1), config: { ...config, muted: true } },
		{ files: [video], config: { ...config, video: true } },
	]) {
		const { id } = await reviewed(ann, { ...input, local });
		const { doubtful: cuts } = await doubtful(id, 50);
		assert.ok(cuts.length > 0);
		for (const { before_url: before, after_url: after } of cuts) {
			for (const url of [before, after]) {
				const answer = await clip(url);
				assert.equal(answer.status, 200, answer.text);
				const seconds = (await samplesOf(answer.bytes)).length / RATE_HZ;
				assert.ok(seconds > 3 && seconds < 6.3, `${seconds} s of ${url}`);
			}
		}
	}
});
