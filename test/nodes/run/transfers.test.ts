/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they wait for turns */
import type { INodeParameters } from 'n8n-workflow';
import { setImmediate as nextTurn } from 'timers/promises';

import { systemTime } from '../../../testkit/time/leapingTime';
import { fileItem } from '../../../testkit/service/recordingService';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { runOne, type UsedService, useService } from '../../../testkit/service/useService';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

describe.each(['upload', 'getResult'] as const)('%s', (type) => {
	/** Ends each transfer that is under way. */
	let open: Array<() => void> = [];

	const service: UsedService = useService(({ path }) => {
		const { pathname, searchParams } = new URL(path, 'http://x');
		const name = searchParams.get('filename') ?? pathname.split('/').at(-1) ?? '';
		const link = `${service.url}/file/${name}`;
		if (pathname === '/v2/upload') return { body: { signedUrl: link } };
		if (pathname.startsWith('/v2/edits/')) {
			const result = { filename: name, download_url: link };
			return { body: { task_id: name, status: 'SUCCESS', result } };
		}
		return (response) =>
			open.push(() => response.writeHead(200, { 'Content-Type': 'audio/wav' }).end('RIFF'));
	});

	it.each<[string, INodeParameters, number]>([
		['2 by default', {}, 2],
		['the number in the option', { transfersAtOnce: 3 }, 3],
	])('runs transfers in parallel: %s', async (_name, options, atOnce) => {
		open = [];
		let mostOpen = 0;
		const items = await Promise.all(
			NAMES.map(async (editId) => await fileItem(editId, { editId })),
		);
		const running = runOne(service, type, options, items);
		// The youngest ends first, so that they end in another order than they began.
		for (let left = NAMES.length; left > 0; left--) {
			while (open.length < Math.min(atOnce, left)) await nextTurn();
			mostOpen = Math.max(mostOpen, open.length);
			open.pop()!();
		}
		const { out } = await running;
		expect(mostOpen).toBe(atOnce);
		expect(out.map(({ json }) => json.sourceFileName ?? json.editId)).toEqual(NAMES);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(NAMES.map((_, item) => ({ item })));
	});
});

describe('Delete Edits, when an execution is stopped', () => {
	let deletion: Answer;
	let deletedAtMs: number[] = [];

	const service = useService(({ method, path }) => {
		if (method === 'GET') return { body: { task_id: path, status: 'EDITING' } };
		deletedAtMs.push(systemTime.now());
		return deletion;
	});

	/** Waits for edits, stops the execution when each was polled, and waits for what continues. */
	async function waitAndStop(count: number) {
		deletedAtMs = [];
		let stoppedAtMs = 0;
		const items = Array.from({ length: count }, (_, n) => ({ json: { editId: `edit-${n}` } }));
		const stopLater = async (stop: () => void) => {
			while (service.seen.length < count) await systemTime.sleep(100);
			await systemTime.sleep(1_000);
			stoppedAtMs = systemTime.now();
			stop();
		};
		const options = { whenStopped: 'delete', firstPollDelaySeconds: 0 };
		const warnings: string[] = [];
		const lines: string[] = [];
		const { run } = await runOne(service, 'waitForEdit', options, items, {
			onLog: ({ level, message }) => (level === 'warn' ? warnings : lines).push(message),
			onStart: (stop) => void stopLater(stop),
		});
		await systemTime.sleep(300_000);
		return { run, lines, warnings, seconds: (Math.max(...deletedAtMs) - stoppedAtMs) / 1_000 };
	}

	it('deletes them in parallel', async () => {
		deletion = { body: { deleted: true } };
		const { run, lines, seconds } = await waitAndStop(30);
		expect(run.status).toBe('canceled');
		expect(deletedAtMs).toHaveLength(30);
		expect(new Set(service.seen.map(({ headers }) => headers['x-api-key'])).size).toBe(1);
		expect(seconds).toBeLessThan(5);
		const deleted = lines.filter((line) => /deleted after the execution was stopped/.test(line));
		expect(deleted).toHaveLength(30);
	});

	it('gives up after a minute and names what is left', async () => {
		deletion = { status: 503 };
		const { warnings, seconds } = await waitAndStop(130);
		expect(deletedAtMs.length).toBeGreaterThanOrEqual(8);
		expect(seconds).toBeLessThanOrEqual(60);
		const left = warnings.filter((line) => /could not be deleted and are still on/.test(line));
		expect(left).toHaveLength(2);
		for (const line of left) expect(line.length).toBeLessThan(8_000);
		const named = left.join(', ');
		expect(named).toMatch(/edit-\d+ \(503\)/);
		for (let index = 0; index < 130; index++) expect(named).toContain(`edit-${index} (`);
	});
});
