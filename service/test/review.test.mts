import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import type { EditConfig } from '../shared/contract.mts';
import type { Cut } from '../shared/cuts.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { finishedFile, send } from '../../testkit/service/client.mts';
import { changedCuts } from '../../testkit/service/putBack.mts';
import { SILENCES as config, talk } from '../../testkit/service/recordings.mts';
import { onlyFirstKept, reviewed } from '../../testkit/service/reviews.mts';
import { answering, startOutsideServer } from '../../testkit/service/servers.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

const HOUR_MS = 3_600_000;

await using service = await startService(...QUICK, '--review');
const { ann, bob } = service;

async function reviewOfTalk(more: EditConfig = {}) {
	const files = [await ann.upload(talk, 'talk.wav')];
	return await reviewed(ann, { files, config: { ...config, ...more } });
}

async function areGone(id: string) {
	await eventually('its files are gone', async () => !(await service.folder('edits')).includes(id));
}

await test('makes the draft the result at once when nothing changes, and says who approved', async () => {
	const review = await reviewOfTalk();
	const { cuts, ...state } = await review.state();
	assert.deepEqual([state.state, state.title, state.result_url], ['waiting', 'talk.wav', null]);
	// Saved and taken back: still the draft.
	await review.decide({ revision: 0, cuts: [] });
	assert.equal((await review.put({ revision: 0, cuts })).status, 409, 'somebody decided meanwhile');
	const name = 'Ann\n<script>alert(1)</script>';
	// A list in another order is the same list.
	const done = await review.decide({ revision: 1, cuts: cuts.toReversed(), approve: true, name });
	assert.deepEqual([done.state, done.approved_by], ['finished', 'Ann <script>alert(1)</script>']);
	const { result } = await finishedFile(await ann.edit(review.id));
	assert.equal(result.statistics?.DEADAIR, 2);
	assert.equal(result.approved_by, done.approved_by);
	const lines = service.logOf(review.id);
	assert.equal(lines.filter((line) => line.includes('EDITING')).length, 1, lines.join('\n'));
	assert.ok(!lines.join('').includes('signature'));
	const path = join(service.storage, 'edits', review.id, 'result', 'decisions.json');
	const decisions = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
	assert.deepEqual(decisions['approved_by'], done.approved_by);
	assert.deepEqual(decisions['cuts'], done.cuts);
	const timeline = await send('GET', review.at('/timelines/audacity'));
	assert.equal(timeline.text.split('\n').filter((line) => line.includes('\t')).length, 2);
	assert.equal((await review.put({ revision: 2, approve: true })).status, 409, 'it is over');
});

await test('refuses other links, expired ones, and lists that cannot be', async () => {
	const review = await reviewOfTalk();
	const foreign = await reviewOfTalk();
	const { cuts, samples } = await review.state();
	const other = review.at('/state').replace(review.id, foreign.id);
	assert.equal((await send('GET', other)).status, 403);
	assert.equal((await send('GET', review.at('/state').split('?')[0])).status, 403);
	const [cut] = cuts;
	const refused: ReadonlyArray<readonly [unknown, ReadonlyArray<string | number>]> = [
		[{ ...cut, start: cut.end }, ['body', 'cuts', 0, 'end']],
		[{ ...cut, end: samples + 1 }, ['body', 'cuts', 0, 'end']],
		[{ ...cut, start: -1 }, ['body', 'cuts', 0, 'start']],
		[{ ...cut, start: 0.5 }, ['body', 'cuts', 0, 'start']],
		[{ ...cut, start: null }, ['body', 'cuts', 0, 'start']],
		[{ ...cut, kind: 'word' }, ['body', 'cuts', 0, 'kind']],
		[{ ...cut, more: 1 }, ['body', 'cuts', 0, 'more']],
	];
	for (const [wrong, loc] of refused) {
		const body = { revision: 0, cuts: [wrong] };
		const { status, json } = await send('PUT', review.at('/cuts'), { body });
		assert.equal(status, 422);
		assert.deepEqual((json as { detail: Array<{ loc: unknown }> }).detail[0].loc, loc);
	}
	const overlapping = [...cuts, { ...cut, start: cut.start + 1, kind: 'added' }];
	const overlap = await review.put({ revision: 0, cuts: overlapping });
	assert.equal(overlap.status, 422);
	assert.match(overlap.text, /"loc":\["body","cuts",2,"start"\]/);
	const whole = await review.put({ revision: 0, cuts: [{ ...cut, start: 0, end: samples }] });
	assert.match(whole.text, /At least 0.1 s/);
	const many = Array.from({ length: 10_001 }, (_, start) => ({ ...cut, start, end: start + 1 }));
	assert.match((await review.put({ revision: 0, cuts: many })).text, /at most 10000 items/);
	assert.equal((await review.put({ revision: 0, cuts: many.slice(1) })).status, 200);
	const nan = '{"revision":1,"cuts":[{"kind":"added","start":NaN,"end":5,"keep":false}]}';
	assert.equal((await send('PUT', review.at('/cuts'), { body: nan })).status, 422);
	assert.equal((await review.put({ revision: 1, name: 'a'.repeat(101) })).status, 422);
});

await test('lets programs decide with the key, and fails the edit when nobody came', async () => {
	const review = await reviewOfTalk();
	const { cuts } = await review.state();
	const [cut] = cuts;
	const local = `/local/edits/${review.id}/cuts`;
	const body = { revision: 0, approve: true };
	assert.equal((await bob.call('GET', local)).status, 404);
	assert.equal((await bob.call('PUT', local, { body })).status, 404);
	assert.equal((await send('GET', service.url + local)).status, 401);
	const state = await ann.call('GET', local);
	assert.deepEqual([state.status, /tracks|words/.test(state.text)], [200, false]);
	const decided = await ann.call('PUT', local, { body: { revision: 0, cuts: [], name: 'agent' } });
	assert.equal(decided.status, 200, decided.text);
	// A cut that the service knows stays the engine's; only moved and new ones are the person's.
	const moved = { ...cut, start: cut.start + 5, by: 'engine', sure: 1 };
	const { cuts: after } = await review.decide({ revision: 1, cuts: [moved, cuts[1]], name: 'Bo' });
	assert.deepEqual([after[0].by, after[0].sure, after[1].by], ['Bo', null, 'engine']);
	const late = await reviewOfTalk();
	service.clock.advance(24 * HOUR_MS + 1_000);
	assert.equal((await late.put({ revision: 0, approve: true })).status, 409);
	service.clock.advance(2 * HOUR_MS);
	assert.equal((await send('GET', review.at('/state'))).status, 403);
	assert.match((await send('GET', review.at('/state'))).text, /expired/);
	// Nobody came.
	const failed = await ann.ended(review.id);
	assert.match(JSON.stringify(failed), /Nobody approved the cuts within 24 hours/);
	await areGone(review.id);
});

await test('lets one of several people decide, and loses no result', async () => {
	for (const isChanged of [true, false]) {
		const review = await reviewOfTalk();
		const { cuts } = await review.state();
		const decided = isChanged ? cuts.map((cut) => ({ ...cut, keep: true })) : cuts;
		const names = Array.from({ length: 6 }, (_, index) => `person ${index}`);
		const answers = await Promise.all(
			names.map((name) => review.put({ revision: 0, cuts: decided, approve: true, name })),
		);
		const won = answers.filter(({ status }) => status === 200);
		assert.deepEqual([won.length, answers.filter(({ status }) => status === 409).length], [1, 5]);
		await finishedFile(await ann.ended(review.id));
		const { approved_by: by } = await review.state();
		assert.equal(by, names[answers.indexOf(won[0])]);
	}
	const review = await reviewOfTalk();
	const [answer] = await Promise.all([
		review.put({ revision: 0, approve: true, name: 'Ann' }),
		ann.call('DELETE', `/v2/edits/${review.id}`),
	]);
	assert.ok([200, 404, 409].includes(answer.status), answer.text);
	assert.equal((await ann.edit(review.id)).status, 'PENDING', 'it is deleted');
	await areGone(review.id);
});

await test('delivers after the approval only, and changes the cuts of a finished edit in a new one', async () => {
	await using storage = await startOutsideServer(answering(200));
	const received = storage.visits;
	const review = await reviewOfTalk({ signed_url: `${storage.url}/put` });
	const { cuts } = await review.state();
	assert.equal(received.length, 0);
	const decided = onlyFirstKept(cuts);
	assert.equal((await send('POST', review.at('/again'))).status, 409, 'it is not finished');
	await review.decide({ revision: 0, cuts: decided, approve: true, name: 'Ann' });
	assert.equal((await ann.ended(review.id)).status, 'SUCCESS');
	assert.equal(changedCuts(received[0].body, talk, decided), 0);
	const second = await review.again(ann);
	const { cuts: before, ...state } = await second.state();
	const placesOf = (list: readonly Cut[]) => list.map(({ start, keep }) => [start, keep]);
	assert.deepEqual([state.state, placesOf(before)], ['waiting', placesOf(decided)]);
	await ann.call('DELETE', `/v2/edits/${review.id}`);
	const changed = before.map((cut) => ({ ...cut, keep: true }));
	await second.decide({ revision: 0, cuts: changed, approve: true });
	const { file } = await finishedFile(await ann.ended(second.id));
	assert.equal(changedCuts(file, talk, changed), 0);
	assert.equal(received.length, 1);
	assert.equal((await second.again(ann)).id.length, 36);
});

await test('keeps the decisions of an edit that fails after its approval', async () => {
	await using storage = await startOutsideServer(answering(403));
	const review = await reviewOfTalk({ signed_url: `${storage.url}/put` });
	const { cuts } = await review.state();
	const decided = onlyFirstKept(cuts);
	await review.decide({ revision: 0, cuts: decided });
	const approval = { revision: 1, approve: true, cuts: decided, name: 'Ann' };
	const { cuts: own } = await review.decide(approval);
	assert.deepEqual([own[0].by, own[1].by], ['Ann', 'engine']);
	assert.equal((await ann.ended(review.id)).status, 'FAILURE');
	const { state, failure_reason: reason } = await review.state();
	assert.deepEqual([state, reason?.includes('403')], ['failed', true], reason ?? '');
	const second = await review.again(ann);
	await second.decide({ revision: 0, approve: true });
	const { file } = await finishedFile(await ann.ended(second.id));
	assert.equal(changedCuts(file, talk, decided), 0);
	await ann.call('DELETE', `/v2/edits/${review.id}`);
	assert.ok(!(await service.folder('edits')).includes(review.id), 'its files are gone');
});
