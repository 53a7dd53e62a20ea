import assert from 'node:assert/strict';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';

import { Calls } from '../testkit/hosted/calls.mts';
import { reportOf } from '../testkit/hosted/report.mts';
import { runSteps } from '../testkit/hosted/steps.mts';
import { Client } from '../testkit/service/client.mts';
import { startRecognizer } from '../testkit/service/openAiServer.mts';
import { crowdOf, speech, together, wavOf } from '../testkit/service/signals.mts';
import { addressOf, startUntilReady } from '../testkit/service/localService.ts';
import { ROOT } from './support/places.mts';
import { openSandbox } from './support/sandbox.mts';

const RHYTHM = { firstPollMs: 500, pollMs: 500, maxWaitMs: 120_000 };

const sandbox = await openSandbox('packaged-service');

/** Packs the service, starts it with npx in an empty folder, and waits for its URL and key. */
async function startWithNpx(more: readonly string[]): Promise<{ url: string; apiKey: string }> {
	const pack = ['pack', '-w', 'service', '--json', '--pack-destination', sandbox.folder];
	await execa('npm', pack, { cwd: ROOT });
	const name = (await readdir(sandbox.folder)).find((file) => file.endsWith('.tgz')) ?? '';
	const folder = join(sandbox.folder, 'empty');
	await mkdir(folder);
	// The service needs the Node that runs this test, which is not the one on the PATH.
	const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
	// The client polls every 20 ms: a busy machine edits longer than the limit of status calls allows.
	const own = ['--port', '0', '--json-ready', '--status-calls-per-minute', '100000'];
	const flags = [...own, ...more];
	const args = ['--yes', `file:${join(sandbox.folder, name)}`, ...flags];
	const env = { ...process.env, PATH };
	const child = await startUntilReady('npx', args, { cwd: folder, env });
	sandbox.onEnd(async () => await child.end('SIGTERM'));
	return addressOf(child);
}

await test('npx starts the packed service in an empty folder, and it keeps the contract', async () => {
	await using recognizer = await startRecognizer();
	const { url, apiKey } = await startWithNpx(recognizer.flags);
	const calls = new Calls(url, apiKey);
	const report = reportOf(calls, await runSteps(calls, RHYTHM, () => undefined));
	assert.equal(report.failed, 0, JSON.stringify(report.steps, null, '\t'));
	assert.deepEqual(report.findings, []);

	const client = new Client(url, apiKey);
	const { json: described } = await client.call('GET', '/openapi.json');
	assert.deepEqual(described, JSON.parse(await readFile(join(ROOT, 'docs/openapi.json'), 'utf8')));
	// Long enough for several threads, and noisy, so that each of them reads the packed weights.
	const voice = await speech(70);
	const recording = wavOf(together(voice, crowdOf(voice, 0.03)));
	const edit = await client.run(recording, { remove_noise: true, long_silences: true });
	assert.equal(edit.status, 'SUCCESS');
});
