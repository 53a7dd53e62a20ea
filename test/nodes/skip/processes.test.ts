import type { IExecuteFunctions } from 'n8n-workflow';

import type { Hold } from '../../../nodes/core/skip/memory/hold';
import { begin } from '../../../nodes/core/skip/memory/recordingMemory';
import { nodeContext } from '../../../testkit/n8n/nodeContext';
import { systemTime } from '../../../testkit/time/leapingTime';

/*
 * Several processes of n8n with one memory of a node: without a hold, they would lose each other's entries, and
 * charge a recording twice.
 */

/** How long an access to the database takes. */
const ACCESS_MS = 50;

/** n8n's memory of a node, which all processes share. @param onAccess is called before entries are recorded */
function newMemory(onAccess = () => {}): IExecuteFunctions['helpers'] {
	const entries = new Set<unknown>();
	const helpers: Partial<IExecuteFunctions['helpers']> = {
		checkProcessedAndRecord: async (items) => {
			onAccess();
			await systemTime.sleep(ACCESS_MS);
			const processed = items.filter((item) => entries.has(item));
			for (const item of items) entries.add(item);
			return { new: [], processed };
		},
		removeProcessed: async (items) => {
			await systemTime.sleep(ACCESS_MS);
			for (const item of items) entries.delete(item);
		},
	};
	return helpers as IExecuteFunctions['helpers'];
}

const ends: Array<() => Promise<void>> = [];

// A process that lives on would keep the clock leaping after a test that failed.
afterEach(async () => void (await Promise.all(ends.splice(0).map(async (end) => await end()))));

/** An execution in a process of its own. */
function execution(id: string, helpers: IExecuteFunctions['helpers']) {
	jest.resetModules();
	jest.doMock('../../../api/time', () => ({ systemTime, NO_LONGER_NEEDED: new Error('over') }));
	const path = '../../../nodes/core/skip/memory/hold';
	const own = jest.requireActual<{ Hold: { take: typeof Hold.take } }>(path);
	const context = nodeContext({ helpers, getExecutionId: () => id });
	let hold: Hold | undefined;
	const end = async () => {
		const ended = hold;
		hold = undefined;
		await ended?.release(context);
	};
	ends.push(end);
	return {
		begin: async () => (hold = await own.Hold.take(context)) !== undefined,
		end,
		get hasLost() {
			return hold?.isLost;
		},
	};
}

/** Two executions in two processes. */
function twoProcesses() {
	const memory = newMemory();
	return ['1', '2'].map((id) => execution(id, memory));
}

it('a submission before which the execution was stopped is not begun', async () => {
	let accesses = 0;
	const helpers = newMemory(() => (accesses += 1));
	const context = nodeContext({ helpers, getExecutionCancelSignal: () => AbortSignal.abort() });
	await expect(begin(context, 'key')).rejects.toThrow('the execution was stopped');
	expect(accesses).toBe(0);
});

describe('of two processes', () => {
	it.each([0, 50, 120, 300, 700])(
		'that begin within %d ms, one works with the memory',
		async (laterMs) => {
			const [one, other] = twoProcesses();
			const begins = [one.begin(), systemTime.sleep(laterMs).then(async () => await other.begin())];
			expect((await Promise.all(begins)).filter(Boolean)).toHaveLength(1);
			await Promise.all([one.end(), other.end()]);
		},
	);

	it.each([2, 5, 9, 14])(
		'the second does not take it from one that lives, a minute and %d s later',
		async (s) => {
			const [one, other] = twoProcesses();
			expect(await one.begin()).toBe(true);
			await systemTime.sleep(60_000 + s * 1_000);
			expect(await other.begin()).toBe(false);
			expect(one.hasLost).toBe(false);
			await one.end();
		},
	);

	it.each([-75, -50, -25, 0, 25, 50, 75])(
		'the second does not take it, even if it asks %d ms after the first begins to record that it lives',
		async (sinceMs) => {
			const beganAtMs = systemTime.now();
			const accessesAfterMs: number[] = [];
			const note = () => accessesAfterMs.push(systemTime.now() - beganAtMs);
			const alone = execution('1', newMemory(note));
			await alone.begin();
			await systemTime.sleep(50_000);
			await alone.end();
			const signAfterMs = accessesAfterMs.find((afterMs) => afterMs > 30_000)!;

			const [one, other] = twoProcesses();
			const untilMs = systemTime.now() + signAfterMs + sinceMs;
			expect(await one.begin()).toBe(true);
			await systemTime.sleep(untilMs - systemTime.now());
			expect(await other.begin()).toBe(false);
			await one.end();
		},
	);

	it('the second takes the memory at once when the first has ended', async () => {
		const [one, other] = twoProcesses();
		await one.begin();
		await systemTime.sleep(40_000);
		await one.end();
		const beganAtMs = systemTime.now();
		expect(await other.begin()).toBe(true);
		expect(systemTime.now() - beganAtMs).toBeLessThan(5_000);
		await other.end();
	});
});

/** n8n's memory for a process, whose database does not answer for a while when asked for that. */
function silentMemory(memory: IExecuteFunctions['helpers']) {
	let silentMs = 0;
	const helpers: IExecuteFunctions['helpers'] = {
		...memory,
		checkProcessedAndRecord: async (...entries) => {
			const waitMs = silentMs;
			silentMs = 0;
			await systemTime.sleep(waitMs);
			return await memory.checkProcessedAndRecord(...entries);
		},
	};
	return { helpers, silenceFor: (ms: number) => (silentMs = ms) };
}

it('the second does not take the memory from one whose database did not answer for 45 s', async () => {
	const memory = newMemory();
	const { helpers, silenceFor } = silentMemory(memory);
	const [one, other] = [execution('1', helpers), execution('2', memory)];
	// Signs of life are counted in quarters of a minute.
	await systemTime.sleep(15_500 - (systemTime.now() % 15_000));
	expect(await one.begin()).toBe(true);
	silenceFor(45_000);
	await systemTime.sleep(46_000);
	expect(await other.begin()).toBe(false);
	await one.end();
});

it('a process finds that it has lost the memory, if the database did not answer it for minutes', async () => {
	const memory = newMemory();
	const { helpers, silenceFor } = silentMemory(memory);
	const [one, other] = [execution('1', helpers), execution('2', memory)];
	expect(await one.begin()).toBe(true);
	silenceFor(180_000);
	await systemTime.sleep(120_000);
	expect(await other.begin()).toBe(true);
	await systemTime.sleep(120_000);
	expect([one.hasLost, other.hasLost]).toEqual([true, false]);
	await one.end();
	await systemTime.sleep(60_000);
	expect(other.hasLost).toBe(false);
	await other.end();
});
