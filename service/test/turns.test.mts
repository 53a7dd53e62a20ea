import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Attempts } from '../store/attempts.mts';
import { DatabaseTrouble } from '../store/database.mts';
import { Turn } from '../work/turn.mts';
import { fileUrlOf } from '../../testkit/service/client.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { PLAIN as config, shortRecording } from '../../testkit/service/recordings.mts';
import { reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { startOpenAiServer } from '../../testkit/service/openAiServer.mts';
import { openParts } from './support/openedParts.mts';
import { newEdit } from './support/rows.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { sleepsUntilAdvanced } from '../../testkit/time/serviceTime.mts';
import { QUICK, startServiceOn, type TestService } from '../../testkit/service/testService.mts';

// One edit at a time. Nothing is retried until the test advances the clock.
const start = (...flags: string[]) =>
	startServiceOn(sleepsUntilAdvanced(), ...QUICK, '--concurrency', '1', ...flags);

/** Never answers below /silent/; answers 503 otherwise. */
await using web = await startOutsideServer(({ url }, response) => {
	if (!url.startsWith('/silent/')) reply(response, 503);
});

/** Waits until an edit has a status. */
async function inStatus(service: TestService, id: string, status: string): Promise<void> {
	const isIn = async () => (await service.ann.edit(id)).status === status;
	await eventually(`edit ${id} is in ${status}`, isIn);
}

await test('runs an edit while others wait for sources or storage that hang or fail', async () => {
	await using service = await start();
	const { ann } = service;
	const upload = fileUrlOf(await ann.uploadLink('talk.wav'));
	const sources = ['/silent/a.wav', '/503/b.wav', '/503/c.wav', '/silent/d.wav'];
	const bad = await Promise.all(
		sources.map((path) => ann.create({ files: [web.url + path, upload], config })),
	);
	const signed_url = `${web.url}/503/bucket?sig=a&se=2099-01-01T00%3A00%3A00Z`;
	const files = [await ann.upload(shortRecording)];
	const undelivered = await ann.create({ files, config: { ...config, signed_url } });
	await inStatus(service, undelivered, 'RETRY');
	assert.equal((await ann.run(shortRecording, config)).status, 'SUCCESS');
	for (const id of [...bad, undelivered]) {
		assert.match((await ann.edit(id)).status, /RETRY|PREPROCESSING|EXPORT/);
	}
});

await test('runs an edit while others wait for their transcription', async () => {
	let isHeld = true;
	await using server = await startOpenAiServer((_visit, before) =>
		before === 0 || isHeld ? { status: 503, body: {} } : { body: { text: '', words: [] } },
	);
	await using service = await start('--transcription-url', `${server.url}/v1`);
	const { ann } = service;
	const files = [await ann.upload(shortRecording)];
	const local = { word_check: true };
	const heard = await ann.create({ files, config: { ...config, fillers: true }, local });
	const transcribed = await ann.create({ files, config: { ...config, transcription: true } });
	for (const id of [heard, transcribed]) await inStatus(service, id, 'RETRY');
	assert.equal((await ann.run(shortRecording, config)).status, 'SUCCESS');
	isHeld = false;
	// The sweep sleeps, too.
	await eventually('both wait for a retry', () => service.clock.sleeping === 3);
	service.clock.advance(60_000);
	for (const id of [transcribed, heard]) assert.equal((await ann.ended(id)).status, 'SUCCESS');
});

await test('takes back no attempt that the database did not count', async () => {
	await using folder = await temporaryFolder();
	await using parts = await openParts(folder.path, '--concurrency', '1');
	const { tools, database } = parts;
	await tools.store.add(newEdit('a'));
	const attempts = new Attempts(database);
	const failing = { count: () => Promise.reject(new DatabaseTrouble('away')) };
	const failingTools = { ...tools, attempts: Object.assign(new Attempts(database), failing) };
	const turn = new Turn(
		{ id: 'a', ownerId: 'ann' },
		failingTools,
		new AbortController().signal,
		() => undefined,
	);
	await assert.rejects(turn.acquire(), DatabaseTrouble);
	await turn.end();
	assert.equal(await attempts.count('a', 1, 0), 1);
});
