import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { eventually } from '../../testkit/time/eventually.mts';
import { makeRecording } from '../../testkit/media/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { startChildService } from '../../testkit/service/childService.mts';
import { finishedFile, resultOf, send } from '../../testkit/service/client.mts';
import { loudnessLufs } from '../../testkit/service/media.mts';
import { startRecognizer } from '../../testkit/service/openAiServer.mts';
import { changedCuts } from '../../testkit/service/putBack.mts';
import { SILENCES as config, talk } from '../../testkit/service/recordings.mts';
import { onlyFirstKept, Review, reviewed, reviewOf } from '../../testkit/service/reviews.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, QUICK_PROCESS, startService } from '../../testkit/service/testService.mts';
import { codedVideo, MP4, PHRASES, readingOf } from '../../testkit/service/video.mts';

const HOUR_MS = 3_600_000;
await using folder = await temporaryFolder();

await test('reviews only the edits of a template that says so, and only those that cut', async () => {
	const path = join(folder.path, 'templates.json');
	const template = { id: 7, name: 'Ours', upload_type: 'singletrack' };
	await writeFile(path, JSON.stringify([{ ...template, settings: { ...config, review: true } }]));
	await using service = await startService(...QUICK, '--templates', path);
	const { ann } = service;
	const files = [await ann.upload(talk)];
	const shown = await ann.call('GET', '/v2/configuration/7');
	assert.deepEqual(shown.json, { ...template, settings: config });
	const review = await reviewed(ann, { files, template_id: 7 });
	assert.equal((await send('GET', review.at('/state'))).status, 200);
	for (const input of [
		{ files, config },
		{ files, template_id: 7, config: { long_silences: false } },
	]) {
		const { json } = await ann.call('POST', '/v2/edits', { body: { input } });
		assert.deepEqual(Object.keys(json as object), ['id']);
		assert.equal((await ann.ended((json as { id: string }).id)).status, 'SUCCESS');
	}
	const uncut = await ann.upload(makeRecording({ partsSeconds: [2] }));
	const input = { files: [uncut], template_id: 7 };
	const { json } = await ann.call('POST', '/v2/edits', { body: { input } });
	const { id, review_url: link, review_until: until } = json as Record<string, string>;
	assert.match(until, /^\d{4}-\d{2}-\d{2}T.*Z$/);
	await finishedFile(await ann.ended(id));
	const state = await send('GET', new Review(id, link).at('/state'));
	assert.match(`${state.status} ${state.text}`, /^404 .*Nothing was found to cut/);
});

await test('approves as it is when the time is over, counts what waits, and deletes what is kept', async () => {
	await using service = await startService(
		...QUICK,
		'--review',
		'--review-ends',
		'approve',
		'--review-hours',
		'2',
	);
	const { ann, clock } = service;
	const files = [await ann.upload(talk)];
	const reviews = [await reviewed(ann, { files, config }), await reviewed(ann, { files, config })];
	const health = async () => (await send('GET', `${service.url}/health`)).json;
	assert.deepEqual(await health(), { status: 'ok', reviews_waiting: 2 });
	const metrics = async () => (await send('GET', `${service.url}/metrics`)).text;
	assert.match(await metrics(), /audio_editing_reviews_waiting 2\n/);
	assert.match(await metrics(), /audio_editing_oldest_unfinished_seconds 0\n/);
	const { cuts } = await reviews[0].state();
	const saved = onlyFirstKept(cuts);
	await reviews[0].decide({ revision: 0, cuts: saved, name: 'Ann' });
	clock.advance(2 * HOUR_MS + 1_000);
	const { file } = await finishedFile(await ann.ended(reviews[0].id));
	assert.equal(changedCuts(file, talk, saved), 0, 'as Ann had left them');
	assert.equal((await ann.ended(reviews[1].id)).status, 'SUCCESS');
	const local = await ann.call('GET', `/local/edits/${reviews[1].id}/cuts`);
	assert.match(local.text, /"state":"finished".*"approved_by":null/);
	assert.deepEqual(await health(), { status: 'ok', reviews_waiting: 0 });
	// The time of people is no work.
	const seconds = /audio_editing_run_seconds_total ([\d.]+)/.exec(await metrics())?.[1];
	assert.ok(Number(seconds) < 3_600, `${seconds} s`);
	const metered = /audio_editing_kept_bytes\{files="results"\} (\d+)/.exec(await metrics())?.[1];
	assert.ok(Number(metered) > 2 * talk.length, metered);
	clock.advance(7 * 24 * HOUR_MS + 1_000);
	await eventually('retention takes all', async () => {
		const left = [...(await service.folder('edits')), ...(await service.folder('uploads'))];
		return left.length === 0;
	});
});

await test('keeps a draft within the quota of its key', async () => {
	await using service = await startService(...QUICK, '--review', '--quota-bytes', '1500000');
	const { ann } = service;
	const files = [await ann.upload(talk)];
	const review = await reviewed(ann, { files, config });
	const answer = await ann.call('POST', '/v2/edits', { body: { input: { files, config } } });
	const { id } = answer.json as { id: string };
	assert.match(JSON.stringify(await ann.ended(id)), /storage quota/);
	const cuts = await ann.call('GET', `/local/edits/${id}/cuts`);
	assert.match(`${cuts.status} ${cuts.text}`, /^404 .*The edit failed.*storage quota/);
	await ann.call('DELETE', `/v2/edits/${review.id}`);
	// The failed edit still names the upload.
	await reviewed(ann, { files, config });
});

await test('a review shows the transcript of the source, and its result has only what stays', async () => {
	await using recognizer = await startRecognizer();
	await using service = await startService(...QUICK, ...recognizer.flags, '--review');
	const { ann } = service;
	const files = [await ann.upload(talk)];
	const input = { files, config: { ...config, normalize: true, transcription: true } };
	const review = await reviewed(ann, input);
	const { words, cuts, loudness } = await review.state();
	assert.ok((words?.length ?? 0) > 0 && (loudness?.after_lufs ?? 0) < -15);
	const all = [{ kind: 'added', start: 0, end: 32_000, keep: false }, ...cuts];
	await review.decide({ revision: 0, cuts: all, approve: true });
	const edit = await ann.ended(review.id);
	const { file } = await finishedFile(edit);
	assert.ok(Math.abs((await loudnessLufs(file)) + 16) < 0.5);
	const transcript = resultOf(edit).transcription?.transcription?.words ?? [];
	assert.ok(transcript.length < (words?.length ?? 0), `${transcript.length} words`);
});

await test('renders mixes, muted cuts and videos from decisions', async () => {
	await using service = await startService(...QUICK, '--review');
	const { ann } = service;
	const [a, b] = [await ann.upload(talk, 'a.wav'), await ann.upload(talk, 'b.wav')];
	for (const input of [
		{ files: [a, b], upload_type: 'multitrack' as const, config: { ...config, merge: true } },
		{ files: [a], config: { ...config, muted: true } },
	]) {
		const review = await reviewed(ann, input);
		const { cuts, mode, samples } = await review.state();
		const decided = onlyFirstKept(cuts);
		await review.decide({ revision: 0, cuts: decided, approve: true });
		const { file, result } = await finishedFile(await ann.ended(review.id));
		assert.equal(result.statistics?.DEADAIR, 1);
		const [{ start, end }] = mode === 'mute' ? [{ start: 0, end: 0 }] : decided.slice(1);
		assert.equal((file.length - file.indexOf('data') - 8) / 2, samples - (end - start));
	}
	const video = await codedVideo(MP4);
	const files = [await ann.upload(video, 'talk.mp4')];
	const review = await reviewed(ann, { files, config: { ...config, video: true } });
	const { cuts } = await review.state();
	const decided = cuts.map((cut) => ({ ...cut, keep: true }));
	await review.decide({ revision: 0, cuts: decided.slice(0, -1), approve: true });
	const { file } = await finishedFile(await ann.ended(review.id));
	const [before, after] = [await readingOf(video), await readingOf(file)];
	assert.equal(after.onsetsSeconds.length, PHRASES);
	before.onsetsSeconds.forEach((onset, index) => {
		assertNear(after.onsetsSeconds[index], onset, 1 / 25, `phrase ${index}`);
	});
});

await test('waits on after kill -9, and renders again after one between approval and result', async () => {
	const storage = join(folder.path, 'killed');
	const flags = [...QUICK_PROCESS, '--review', '--review-hours', '1000'];
	const ids = await (async () => {
		await using service = await startChildService(storage, ...flags);
		const files = [await service.client.upload(talk)];
		const first = await reviewed(service.client, { files, config });
		const second = await reviewed(service.client, { files, config });
		await second.decide({ revision: 0, cuts: [], approve: true, name: 'Ann' });
		await service.kill('SIGKILL');
		return [first.id, second.id];
	})();
	await using service = await startChildService(storage, ...flags);
	const { file } = await finishedFile(await service.client.ended(ids[1]));
	assert.equal(changedCuts(file, talk, []), 0);
	const review = await reviewOf(service.client, ids[0]);
	const { cuts } = await review.state();
	await review.decide({ revision: 0, cuts, approve: true });
	assert.equal((await service.client.ended(ids[0])).status, 'SUCCESS');
});

await test('renders what somebody approved, even when the quota is full', async () => {
	await using service = await startService(...QUICK, '--review', '--quota-bytes', '20000000');
	const { ann } = service;
	const review = await reviewed(ann, { files: [await ann.upload(talk)], config });
	for (let bytes = 8_000_000; bytes > 100; ) {
		const link = await ann.uploadLink('filler.wav');
		const { status } = await send('PUT', link, { body: Buffer.alloc(bytes) });
		if (status !== 200) bytes = Math.floor(bytes / 2);
	}
	const { cuts, revision } = await review.state();
	const approval = { revision, cuts: onlyFirstKept(cuts), approve: true, name: 'Engine' };
	const decided = await review.decide(approval);
	assert.equal(decided.approved_by, 'somebody');
	assert.equal((await ann.ended(review.id)).status, 'SUCCESS');
});
