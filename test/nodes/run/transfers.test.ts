/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they wait for turns */
import type { INode, INodeParameters, IRun } from 'n8n-workflow';
import { setImmediate as nextTurn } from 'timers/promises';

import { systemTime } from '../../support/leapingTime';
import { itemsOf, type LogLine, storeFile } from '../../support/n8nEngine';
import type { Answer } from '../../support/scriptedService';
import { type UsedService, useService } from '../../support/useService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

/** Transfers under way with their files' names; released by hand. */
let open: { name: string; answer: (status?: number) => void }[] = [];
let mostOpen = 0;

const service: UsedService = useService(({ path }) => {
	const { pathname, searchParams } = new URL(path, 'http://x');
	const name = searchParams.get('filename') ?? pathname.split('/').at(-1) ?? '';
	const link = `${service.url}/file/${name}`;
	if (pathname === '/v2/upload') return { body: { signedUrl: link } };
	if (pathname.startsWith('/v2/edits/')) {
		const result = { filename: name, download_url: link };
		return { body: { task_id: name, status: 'SUCCESS', result } };
	}
	return (response) => {
		const answer = (status = 200) => {
			open = open.filter((transfer) => transfer.name !== name);
			response.writeHead(status, { 'Content-Type': 'audio/wav' }).end('RIFF');
		};
		open.push({ name, answer });
		mostOpen = Math.max(mostOpen, open.length);
	};
});

beforeEach(() => {
	open = [];
	mostOpen = 0;
});

const NAMES = ['a', 'b', 'c', 'd', 'e'];

async function run(
	type: 'upload' | 'getResult',
	options: INodeParameters,
	settings?: Partial<INode>,
) {
	const items = await Promise.all(
		NAMES.map(async (name) => ({
			json: { editId: name },
			binary: { data: await storeFile(Buffer.from('RIFF'), name, 'audio/wav') },
		})),
	);
	const workflow = chain({ type, parameters: { options }, settings });
	return await runChain({ url: service.url, apiKey: 'k' }, workflow, items);
}

/** Waits until `count` transfers are under way. */
async function untilOpen(count: number): Promise<void> {
	while (open.length < count) await nextTurn();
}

/** Releases transfers, youngest first, so that they end in a different order than they began. */
async function releaseAll(atOnce: number, status?: (name: string) => number): Promise<void> {
	for (let left = NAMES.length; left > 0; left--) {
		await untilOpen(Math.min(atOnce, left));
		const youngest = open.at(-1);
		youngest?.answer(status?.(youngest.name));
	}
}

describe.each(['upload', 'getResult'] as const)('%s', (type) => {
	it.each([
		['2 by default', {}, 2],
		['the number in the option', { transfersAtOnce: 3 }, 3],
		['one after another', { transfersAtOnce: 1 }, 1],
		['at least one', { transfersAtOnce: 0 }, 1],
		['at most ten', { transfersAtOnce: 500 }, 5],
	])('runs transfers in parallel: %s', async (_name, options, atOnce) => {
		const running = run(type, options);
		await releaseAll(atOnce);
		const out = itemsOf(await running, type);
		expect(mostOpen).toBe(atOnce);
		const names = out.map(({ json }) => json.fileName ?? json.editId);
		expect(names).toEqual(NAMES);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(NAMES.map((_, item) => ({ item })));
	});
});

describe('Stop', () => {
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
			for (const { headers } of service.seen)
				expect(headers['x-api-key']).toBe('waitForEdit-30-30');
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
});
