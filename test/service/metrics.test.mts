import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isDiskFull, failureKindOf, EditFailure } from '../../service/shared/failures.mts';
import { send } from './support/client.mts';
import { talk } from './support/recordings.mts';
import { ANNS_KEY, QUICK, startService, startServiceForOthers } from './support/testService.mts';

const config = { long_silences: true, remove_noise: false } as const;

/** Returns the value of each series, such as `a_total{status="SUCCESS"}`. */
function seriesOf(text: string): Map<string, number> {
	const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
	return new Map(
		lines.map((line) => {
			const at = line.lastIndexOf(' ');
			return [line.slice(0, at), Number(line.slice(at + 1))];
		}),
	);
}

await test('counts edits by how they ended, also those that are gone', async () => {
	await using service = await startService(...QUICK);
	const { ann } = service;
	const none = seriesOf((await send('GET', `${service.url}/metrics`)).text);
	assert.equal(none.get('audio_editing_finished_edits_total{status="SUCCESS"}'), 0);
	assert.equal(none.get('audio_editing_oldest_waiting_seconds'), 0);
	const { id } = await ann.finish(talk, config);
	assert.equal((await ann.run(Buffer.alloc(0), config)).status, 'FAILURE');
	await ann.call('DELETE', `/v2/edits/${id}`);
	const answer = await send('GET', `${service.url}/metrics`);
	assert.match(answer.contentType, /^text\/plain; version=0\.0\.4/);
	const series = seriesOf(answer.text);
	const value = (name: string) => series.get(name) ?? NaN;
	assert.equal(value('audio_editing_finished_edits_total{status="SUCCESS"}'), 1);
	assert.equal(value('audio_editing_finished_edits_total{status="FAILURE"}'), 1);
	const failures = [...series].filter(([name]) => name.startsWith('audio_editing_failures_total'));
	assert.deepEqual(failures, [
		['audio_editing_failures_total{status="PREPROCESSING",reason="known"}', 1],
	]);
	assert.equal(value('audio_editing_edits{status="FAILURE"}'), 1);
	assert.ok(!series.has('audio_editing_edits{status="SUCCESS"}'), 'the edit is deleted');
	assert.equal(value('audio_editing_recording_seconds_total'), 12.5);
	assert.ok(value('audio_editing_run_seconds_total') > 0);
	assert.ok(value('audio_editing_disk_free_bytes') <= value('audio_editing_disk_bytes'));
	assert.ok(value('audio_editing_memory_bytes') > 10_000_000);
});

await test('says nothing about whose edits they are, and only to those who may see the page', async () => {
	await using service = await startServiceForOthers(...QUICK);
	const url = service.url.replace('0.0.0.0', '127.0.0.1');
	await service.ann.run(talk, config, 'private interview.wav');
	await service.ann.run(Buffer.alloc(0), config, 'another secret.wav');
	for (const key of ['', 'wrong']) {
		const refused = await send('GET', `${url}/metrics`, { headers: { 'X-API-Key': key } });
		assert.equal(refused.status, 401);
		assert.doesNotMatch(refused.text, /audio_editing/);
	}
	const { text } = await send('GET', `${url}/metrics`, { headers: { 'X-API-Key': ANNS_KEY } });
	assert.match(text, /audio_editing_finished_edits_total\{status="SUCCESS"\} 1/);
	assert.doesNotMatch(text, /interview|secret|\.wav|:\/\/|[0-9a-f]{8}-[0-9a-f]{4}/);
	assert.ok(!text.includes(ANNS_KEY));
});

await test('names a full disk, too little memory, what the page names, and all else', () => {
	const full = new EditFailure('ENOSPC: no space left on device, write');
	assert.ok(isDiskFull(full));
	assert.equal(failureKindOf(full), 'disk');
	assert.equal(failureKindOf(new Error('Cannot allocate memory')), 'memory');
	assert.equal(failureKindOf(new EditFailure('no such file')), 'known');
	assert.equal(failureKindOf(new TypeError('undefined is not a function')), 'unknown');
});
