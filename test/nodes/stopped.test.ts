import type { IRun } from 'n8n-workflow';

import { systemTime } from '../support/leapingTime';
import { type LogLine } from '../support/n8nEngine';
import type { Answer } from '../support/scriptedService';
import { useService } from '../support/useService';
import { type NodeSpec, chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

let deletion: Answer;
let deletedAtMs: number[] = [];

const service = useService(({ method, path }, number) => {
	if (method === 'POST') return { body: { id: `edit-${number}` } };
	if (method === 'GET') return { body: { task_id: path, status: 'EDITING' } };
	deletedAtMs.push(systemTime.now());
	return deletion;
});

beforeEach(() => {
	deletedAtMs = [];
});

interface Stopped {
	readonly run: IRun;
	readonly log: readonly LogLine[];
	readonly stoppedAtMs: number;
}

/** Runs a node, stops the execution after this many requests, and waits for what continues. */
async function runAndStop(spec: NodeSpec, items: number, requests: number): Promise<Stopped> {
	const log: LogLine[] = [];
	let stoppedAtMs = 0;
	const given = Array.from({ length: items }, (_, index) => ({
		json: { editId: `edit-${index}`, fileUrl: `https://files.example.com/${index}.wav` },
	}));
	const access = { url: service.url, apiKey: `${spec.type}-${items}-${requests}` };
	const stopLater = async (stop: () => void) => {
		while (service.seen.length < requests) await systemTime.sleep(100);
		await systemTime.sleep(1_000);
		stoppedAtMs = systemTime.now();
		stop();
	};
	const running = runChain(access, chain(spec), given, {
		onLog: (line) => log.push(line),
		onStart: (stop) => void stopLater(stop),
	});
	const run = await running;
	await systemTime.sleep(300_000);
	return { run, log, stoppedAtMs };
}

describe('Delete Edits, when an execution is stopped', () => {
	const parameters = { options: { whenStopped: 'delete', firstPollDelaySeconds: 0 } };
	const wait = { type: 'waitForEdit', parameters };

	it('deletes them in parallel', async () => {
		deletion = { body: { deleted: true } };
		const { run, log, stoppedAtMs } = await runAndStop(wait, 30, 30);
		expect(run.status).toBe('canceled');
		expect(deletedAtMs).toHaveLength(30);
		for (const { headers } of service.seen) expect(headers['x-api-key']).toBe('waitForEdit-30-30');
		expect(Math.max(...deletedAtMs) - stoppedAtMs).toBeLessThan(5_000);
		const lines = log.filter(({ message }) =>
			/deleted after the execution was stopped/.test(message),
		);
		expect(lines).toHaveLength(30);
	});

	it('gives up after a minute and names what is left', async () => {
		deletion = { status: 503 };
		const { log, stoppedAtMs } = await runAndStop(wait, 130, 131);
		expect(deletedAtMs.length).toBeGreaterThanOrEqual(8);
		expect(Math.max(...deletedAtMs) - stoppedAtMs).toBeLessThanOrEqual(60_000);
		const left = log.filter(({ message }) =>
			/could not be deleted and are still at the service/.test(message),
		);
		expect(left.map(({ level }) => level)).toEqual(['warn', 'warn']);
		expect(Math.max(...left.map(({ message }) => message.length))).toBeLessThan(8_000);
		const named = left.map(({ message }) => message).join(', ');
		expect(named).toMatch(/edit-\d+ \(503\)/);
		for (let index = 0; index < 130; index++) expect(named).toContain(`edit-${index} (`);
	});
});

it('names every edit that was created before Create Edit was stopped', async () => {
	const spec = { type: 'createEdit', settings: { onError: 'continueErrorOutput' } } as const;
	const { run, log } = await runAndStop(spec, 40, 30);
	expect(run.status).toBe('canceled');
	expect(service.seen).toHaveLength(30);
	const description = run.data.resultData.error?.description ?? '';
	const logged = log.map(({ message }) => message).join('\n');
	for (let number = 1; number <= 30; number++) {
		expect(logged).toContain(`edit edit-${number} was created`);
		expect(description).toContain(`edit-${number}`);
	}
});
