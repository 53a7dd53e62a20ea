import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import { maximumWaitMs } from '../../nodes/WaitForEdit/readPollRules';
import { readWaitOptions } from '../../nodes/WaitForEdit/readWaitOptions';
import { nodeContext, withFields } from '../support/nodeContext';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const FORM = { whileWaiting: 'keepRunning', maximumWaitMinutes: 30, editId: 'a' };

const read = async (
	fields: Record<string, unknown> = {},
	more: Partial<IExecuteFunctions> = {},
	items?: INodeExecutionData[],
) => await readWaitOptions(nodeContext({ ...withFields({ ...FORM, ...fields }), ...more }, items));

describe('the form of Wait For Edit', () => {
	it('has the rhythm of the spec by default', async () => {
		expect(await read()).toEqual({
			watched: [{ itemIndex: 0, editId: 'a' }],
			unreadable: new Map(),
			rules: {
				firstPollDelayMs: 30_000,
				pollIntervalMs: 10_000,
				maximumWaitMs: 1_800_000,
				pendingNoticeMs: 600_000,
			},
			passesOn: false,
			deletesWhenStopped: false,
		});
	});

	it('is read in its units', async () => {
		const options = {
			firstPollDelaySeconds: 5,
			pollIntervalSeconds: '20',
			pendingNoticeMinutes: 2,
			whenStopped: 'delete',
		};
		expect(await read({ options, maximumWaitMinutes: 1.5 })).toMatchObject({
			rules: {
				firstPollDelayMs: 5_000,
				pollIntervalMs: 20_000,
				maximumWaitMs: 90_000,
				pendingNoticeMs: 120_000,
			},
			deletesWhenStopped: true,
		});
		const { deletesWhenStopped } = await read({ options: { whenStopped: 'leave' } });
		expect(deletesWhenStopped).toBe(false);
	});

	it.each([
		[{ whileWaiting: 'handOver' }, true],
		[{ whileWaiting: 'handOver', whenTimeIsUp: 'fail' }, true],
		[{ whenTimeIsUp: 'passOn' }, true],
		[{ whenTimeIsUp: 'fail' }, false],
	])('%j passes unfinished edits on: %s', async (fields, passesOn) => {
		expect(await read(fields)).toMatchObject({ passesOn });
	});

	it.each([
		['Maximum Wait (Minutes)', { maximumWaitMinutes: 'soon' }],
		['First Poll After (Seconds)', { options: { firstPollDelaySeconds: 'soon' } }],
		['Poll Interval (Seconds)', { options: { pollIntervalSeconds: null } }],
		['Warn After Pending (Minutes)', { options: { pendingNoticeMinutes: -1 } }],
	])("with a '%s' that is not an amount is refused", async (label, fields) => {
		await expect(read(fields)).rejects.toThrow(`'${label}' must be a number of 0 or more`);
	});

	it('says how long to wait at most', () => {
		expect(maximumWaitMs(nodeContext(withFields(FORM)))).toBe(1_800_000);
	});
});

describe('the edits to wait for', () => {
	const nowMs = systemTime.now();
	const submittedAt = (agoMs: number) => new Date(systemTime.timeOfDay() - agoMs).toISOString();
	const items = [
		{ json: { submittedAt: submittedAt(90_000) } },
		{ json: { submittedAt: 'yesterday' } },
		{ json: {} },
	];
	const byItem = (name: string, itemIndex: number, fallback?: unknown) => {
		const fields: Record<string, unknown> = { ...FORM, editId: [' a ', 7, null][itemIndex] };
		return name in fields ? fields[name] : fallback;
	};
	const getNodeParameter = byItem as IExecuteFunctions['getNodeParameter'];

	it('are those of the items, with their submission times if known', async () => {
		const { watched } = await read({}, { getNodeParameter }, items);
		expect(watched).toEqual([
			{ itemIndex: 0, editId: 'a', submittedAtMs: nowMs - 90_000 },
			{ itemIndex: 1, editId: '7' },
			{ itemIndex: 2, editId: '' },
		]);
	});

	it('never count as submitted in the future, even if a clock is wrong', async () => {
		const { watched } = await read({}, {}, [{ json: { submittedAt: submittedAt(-90_000) } }]);
		expect(watched).toEqual([expect.objectContaining({ submittedAtMs: nowMs })]);
	});

	it('have an empty ID if the field is missing', async () => {
		const more = withFields({ whileWaiting: 'keepRunning', maximumWaitMinutes: 1 });
		expect(await read({}, more)).toMatchObject({ watched: [{ itemIndex: 0, editId: '' }] });
	});

	const broken = ((name: string, itemIndex: number, fallback?: unknown) => {
		if (name === 'editId' && itemIndex === 1) throw new Error('no such node');
		return byItem(name, itemIndex, fallback);
	}) as IExecuteFunctions['getNodeParameter'];

	it('include the rest if one cannot be read and the node continues', async () => {
		const more = { getNodeParameter: broken, continueOnFail: () => true };
		const { watched, unreadable } = await read({}, more, items);
		expect(watched.map(({ itemIndex }) => itemIndex)).toEqual([0, 2]);
		expect([...unreadable.keys()]).toEqual([1]);
		expect(unreadable.get(1)).toMatchObject({ message: 'no such node', context: { itemIndex: 1 } });
	});

	it('are missing if one cannot be read and the node does not continue', async () => {
		const reading = read({}, { getNodeParameter: broken }, items);
		await expect(reading).rejects.toThrow('no such node');
	});
});
