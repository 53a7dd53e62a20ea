import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { isDiskFull, failureKindOf, EditFailure } from '../shared/failures.mts';
import { send } from '../../testkit/service/client.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { SILENCES as config, talk } from '../../testkit/service/recordings.mts';
import { startOutsideServer } from '../../testkit/service/servers.mts';
import {
	ANNS_KEY,
	QUICK,
	startServiceForOthers,
	startServiceOn,
} from '../../testkit/service/testService.mts';
import { briefSleeps, sleepsUntilAdvanced } from '../../testkit/time/serviceTime.mts';

/** Returns the value of each series, such as `a_total{status="SUCCESS"}`. */
function seriesOf(text: string): Map<string, number> {
	const lines = text.matchAll(/^([^#\n].*) (\S+)$/gm);
	return new Map(Array.from(lines, ([, name, value]) => [name, Number(value)]));
}

await test('counts edits by how they ended, also those that are gone', async () => {
	await using service = await startServiceOn(briefSleeps(), ...QUICK);
	const { ann } = service;
	const none = seriesOf((await send('GET', `${service.url}/metrics`)).text);
	assert.equal(none.get('audio_editing_finished_edits_total{status="SUCCESS"}'), 0);
	assert.equal(none.get('audio_editing_oldest_waiting_seconds'), 0);
	const { id } = await ann.finish(talk, config);
	assert.equal((await ann.run(Buffer.alloc(0), config)).status, 'FAILURE');
	await ann.call('DELETE', `/v2/edits/${id}`);
	service.clock.advance(5_000);
	const answer = await send('GET', `${service.url}/metrics`);
	assert.match(answer.contentType, /^text\/plain; version=0\.0\.4/);
	const series = seriesOf(answer.text);
	const value = (name: string) => series.get(name) ?? NaN;
	assert.equal(value('audio_editing_finished_edits_total{status="SUCCESS"}'), 1);
	assert.equal(value('audio_editing_finished_edits_total{status="FAILURE"}'), 1);
	const failures = [...series].filter(([name]) => name.startsWith('audio_editing_failures_total'));
	const known = 'audio_editing_failures_total{status="PREPROCESSING",reason="known"}';
	assert.deepEqual(failures, [[known, 1]]);
	assert.equal(value('audio_editing_edits{status="FAILURE"}'), 1);
	assert.equal(value('audio_editing_edits{status="SUCCESS"}'), 0, 'the edit is deleted');
	assert.equal(value('audio_editing_recording_seconds_total'), 12.5);
	assert.ok(value('audio_editing_run_seconds_total') > 0);
	assert.ok(value('audio_editing_disk_free_bytes') <= value('audio_editing_disk_bytes'));
	assert.ok(value('audio_editing_memory_bytes') > 10_000_000);
});

await test('an edit waits while its source is fetched, and one measurement serves all for 5 s', async () => {
	await using silent = await startOutsideServer(() => undefined);
	await using service = await startServiceOn(sleepsUntilAdvanced(), ...QUICK);
	const ask = async () => (await send('GET', `${service.url}/metrics`)).text;
	const before = new Set(await Promise.all([ask(), ask()]));
	await service.ann.create({ files: [`${silent.url}/talk.wav`], config });
	await eventually('the source is fetched', () => silent.visits.length > 0);
	before.add(await ask());
	assert.equal(before.size, 1);
	service.clock.advance(60_000);
	const text = await ask();
	const series = seriesOf(text);
	assert.equal(series.get('audio_editing_edits{status="PREPROCESSING"}'), 1);
	for (const name of ['oldest_waiting_seconds', 'oldest_unfinished_seconds'])
		assert.ok((series.get(`audio_editing_${name}`) ?? 0) >= 60, name);
	const page = readFileSync('docs/service/for-others.md', 'utf8').split('```promql')[1];
	for (const name of page.match(/\b\w+_(seconds|total|bytes)\b/g) ?? [])
		assert.ok(text.includes(`# TYPE ${name} `), `${name}, which the docs query`);
});

await test('answers only those who may see the page', async () => {
	await using service = await startServiceForOthers(...QUICK);
	const url = service.url.replace('0.0.0.0', '127.0.0.1');
	for (const key of ['', 'wrong']) {
		const refused = await send('GET', `${url}/metrics`, { headers: { 'X-API-Key': key } });
		assert.equal(refused.status, 401);
		assert.doesNotMatch(refused.text, /audio_editing/);
	}
	const { text } = await send('GET', `${url}/metrics`, { headers: { 'X-API-Key': ANNS_KEY } });
	assert.match(text, /audio_editing_finished_edits_total/);
});

await test('names a full disk, too little memory, what the page names, and all else', () => {
	const full = new EditFailure('ENOSPC: no space left on device, write');
	assert.ok(isDiskFull(full));
	assert.equal(failureKindOf(full), 'disk');
	assert.equal(failureKindOf(new Error('Cannot allocate memory')), 'memory');
	assert.equal(failureKindOf(new EditFailure('no such file')), 'known');
	assert.equal(failureKindOf(new TypeError('undefined is not a function')), 'unknown');
});
