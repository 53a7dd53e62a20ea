/**
 * Shows the effect of the credential's 'Number of n8n Workers' in a real queue mode. Executions begin
 * together on one key and submit one edit each, to a service that allows 30 in a minute.
 * `npm run bench -- workers`
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';

import { type Answer, startScriptedService } from '../../test/support/scriptedService.ts';
import { Editor } from '../support/pages/editor.mts';
import { mostInAMinute } from '../support/minutes.mts';
import { createEdit, webhook } from '../support/nodes.mts';
import { startQueueMode } from '../support/queueMode.mts';
import { installPackage, openSandbox } from '../support/sandbox.mts';
import { chain } from '../support/workflowFiles.mts';

const WORKERS = Number(process.env['E2E_WORKERS'] ?? 2);

const EDITS = 90;

const SUBMISSIONS_A_MINUTE = 30;

/** Polling costs n8n more than the executions do. */
const LOOK_EVERY_MS = 3_000;

const TOO_MANY = { error: { code: 'E9001', message: 'Rate limit exceeded. Try again later.' } };

const sandbox = await openSandbox('workers');
await installPackage(sandbox);
// All executions of a test begin at once.
const { main } = await startQueueMode(sandbox, WORKERS, EDITS);
const editor = new Editor(main.url);
await editor.enter();

/** Starts a service that counts submissions in fixed minutes and sends no Retry-After. */
async function startCountingService() {
	const accepted: number[] = [];
	const refused: number[] = [];
	const minuteOf = (ms: number) => Math.floor(ms / 60_000);
	const service = await startScriptedService((): Answer => {
		const nowMs = Date.now();
		const inMinute = accepted.filter((ms) => minuteOf(ms) === minuteOf(nowMs)).length;
		const isAllowed = inMinute < SUBMISSIONS_A_MINUTE;
		(isAllowed ? accepted : refused).push(nowMs);
		return isAllowed ? { body: { id: randomUUID() } } : { status: 429, body: TOO_MANY };
	});
	sandbox.onEnd(async () => {
		await service.stop();
	});
	return { service, accepted, refused };
}

async function submitAll(data: Readonly<Record<string, string>>): Promise<string[]> {
	const credential = await editor.createCredential('Counted', data);
	const path = randomUUID();
	const create = createEdit({ fileUrls: 'https://files.example.com/a.wav' });
	const workflow = chain('One edit each', credential, [webhook(path), create]);
	const id = await editor.createWorkflow(workflow);
	await editor.publish(id);
	const calls = Array.from({ length: EDITS }, async () => {
		const { status } = await fetch(`${main.url}/webhook/${path}`, { method: 'POST' });
		assert.equal(status, 200);
	});
	await Promise.all(calls);
	return (await editor.allEnded(id, EDITS, LOOK_EVERY_MS)).map(({ status }) => status);
}

/** The number of 429 responses for each value of the field. */
const refusals = new Map<number, number>();

describe(`${EDITS} edits by ${WORKERS} workers on one key`, () => {
	for (const numberOfWorkers of [1, WORKERS]) {
		test(`Number of n8n Workers: ${numberOfWorkers}`, async () => {
			const { service, accepted, refused } = await startCountingService();
			const { url: baseUrl, apiKey } = service;
			const said = { baseUrl, apiKey, numberOfWorkers: String(numberOfWorkers) };
			const statuses = await submitAll(said);
			const begun = [...accepted, ...refused].toSorted((a, b) => a - b);
			const seconds = (Math.max(...accepted) - (begun[0] ?? 0)) / 1_000;
			const failed = statuses.filter((status) => status !== 'success').length;
			console.log(
				`${WORKERS} workers, field ${numberOfWorkers}: ${refused.length} × 429, at most ${mostInAMinute(begun)} begun and ${mostInAMinute(accepted)} accepted in any minute, all accepted after ${seconds.toFixed(0)} s, ${failed} executions failed`,
			);
			refusals.set(numberOfWorkers, refused.length);
			assert.equal(failed, 0);
			assert.equal(accepted.length, EDITS);
		});
	}

	// A busy machine sends late, so that a few requests may still exceed the limit.
	test('fewer requests are refused when the workers share the limit', () => {
		assert.ok((refusals.get(WORKERS) ?? Infinity) < (refusals.get(1) ?? 0));
	});
});
