import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';

import { startRecognizer } from '../../testkit/service/openAiServer.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { answering, startOutsideServer } from '../../testkit/service/servers.mts';
import { ANNS_KEY, QUICK, startService } from '../../testkit/service/testService.mts';
import { speaking } from './support/speakingService.mts';

const QUICKLY = ['--first-poll-seconds', '0', '--poll-seconds', '0.05'];

interface Report {
	steps: Array<{ call: string; isGood: boolean; note?: string }>;
	findings: Array<{ what: string }>;
}

await using folder = await temporaryFolder();
await using recognizer = await startRecognizer();

/** Runs the tool. Returns its exit code, what it printed, and its report's text. */
async function run(url: string, ...flags: string[]) {
	const path = join(folder.path, `${Math.random()}.json`);
	const program = ['--import', 'tsx', 'test/hosted/main.mts', '--report', path];
	const env = { AUDIO_EDITING_URL: url, AUDIO_EDITING_KEY: ANNS_KEY };
	const options = { env, all: true, reject: false } as const;
	const args = [...program, ...flags];
	const { exitCode: code, all: printed } = await execa(process.execPath, args, options);
	const text = await readFile(path, 'utf8').catch(() => '');
	return { code, printed, text, report: (text === '' ? {} : JSON.parse(text)) as Report };
}

function assertNoSecret(text: string): void {
	assert.ok(!text.includes(ANNS_KEY), 'the key is shown');
	assert.doesNotMatch(text, /signature=|expires=/i);
}

await test('without --yes it says what it would do and cost, and sends nothing', async () => {
	await using server = await startOutsideServer(answering(200));
	const { code, printed, text } = await run(server.url);
	assert.equal(code, 0);
	assert.match(printed, /costs: one edit of 6 seconds/);
	assert.match(printed, /Nothing was sent\. Add --yes/);
	assert.equal(server.visits.length, 0);
	assert.equal(text, '');
});

await test('reports what a service answers beyond the documented API', async () => {
	// A second each: the check reads an edit every 0.05 s, and must see the first status.
	const slow = [...QUICK, ...recognizer.flags, '--min-state-seconds', '100'];
	await using service = await speaking(
		['progress', 'late-result', 'markers-object', 'waveform-object', 'queued'],
		await startService(...slow),
	);
	const { code, printed, text, report } = await run(service.url, '--yes', ...QUICKLY);
	assert.equal(code, 0, printed);
	const found = report.findings.map(({ what }) => what).join('\n');
	for (const what of [
		/unknown status QUEUED/,
		/progress in 'result' with status SUCCESS/,
		/SUCCESS without a result/,
		/unknown key 'result\.state'/,
		/object of names and links/,
		/'waveform_result' is an object/,
	]) {
		assert.match(found, what);
	}
	assertNoSecret(printed + text);
});

await test('deletes the edit also after a failure, and says why it failed', async () => {
	const failing = [...QUICK, '--max-source-hours', '0.0001'];
	await using service = await speaking(['failure-error'], await startService(...failing));
	const { code, report, printed } = await run(service.url, '--yes', ...QUICKLY);
	assert.equal(code, 1, printed);
	const failed = report.steps.filter(({ isGood }) => !isGood);
	assert.match(failed.map(({ note }) => note).join(), /FAILURE: .+/);
	assert.ok(report.steps.some(({ call, isGood }) => call === 'DELETE of the edit' && isGood));
});
