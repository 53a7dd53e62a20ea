import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import {
	maximumWaitMs,
	readDeletesWhenStopped,
	readPassesOn,
	readPollRules,
} from '../../nodes/WaitForEdit/editWait';
import { waitWork } from '../../nodes/WaitForEdit/waitItems';
import { runOf, withFields } from '../support/nodeContext';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const FORM = { whileWaiting: 'keepRunning', maximumWaitMinutes: 30, editId: 'a' };

const readRules = (fields: Record<string, unknown> = {}) =>
	readPollRules(runOf(withFields({ ...FORM, ...fields })));

describe('the form of Wait For Edit', () => {
	it('has the rhythm of the API by default', () => {
		expect(readRules()).toEqual({
			firstPollDelayMs: 30_000,
			pollIntervalMs: 10_000,
			maximumWaitMs: 1_800_000,
			pendingNoticeMs: 600_000,
		});
		expect(readDeletesWhenStopped(runOf(withFields(FORM)))).toBe(false);
	});

	it('is read in its units', () => {
		const options = {
			firstPollDelaySeconds: 5,
			pollIntervalSeconds: '20',
			pendingNoticeMinutes: 2,
		};
		expect(readRules({ options, maximumWaitMinutes: 1.5 })).toEqual({
			firstPollDelayMs: 5_000,
			pollIntervalMs: 20_000,
			maximumWaitMs: 90_000,
			pendingNoticeMs: 120_000,
		});
	});

	it.each([
		['delete', true],
		['leave', false],
	])("with '%s' says whether Stop deletes edits: %s", (whenStopped, deletes) => {
		const fields = withFields({ ...FORM, options: { whenStopped } });
		expect(readDeletesWhenStopped(runOf(fields))).toBe(deletes);
	});

	it.each([
		[{ whileWaiting: 'handOver' }, true],
		[{ whileWaiting: 'handOver', whenTimeIsUp: 'fail' }, true],
		[{ whenTimeIsUp: 'passOn' }, true],
		[{ whenTimeIsUp: 'fail' }, false],
	])('%j passes unfinished edits on: %s', (fields, passesOn) => {
		expect(readPassesOn(runOf(withFields({ ...FORM, ...fields })))).toBe(passesOn);
	});

	it.each([
		['Maximum Wait (Minutes)', { maximumWaitMinutes: 'soon' }],
		['First Poll After (Seconds)', { options: { firstPollDelaySeconds: 'soon' } }],
		['Poll Interval (Seconds)', { options: { pollIntervalSeconds: null } }],
		['Warn After Pending (Minutes)', { options: { pendingNoticeMinutes: -1 } }],
	])("with a '%s' that is not an amount is refused", (label, fields) => {
		expect(() => readRules(fields)).toThrow(`'${label}' must be a number of 0 or more`);
	});

	it('says how long to wait at most', () => {
		expect(maximumWaitMs(runOf(withFields(FORM)))).toBe(1_800_000);
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

	const watched = (given: INodeExecutionData[], more = {}) => {
		const work = waitWork(runOf({ ...withFields(FORM), ...more }, given));
		return given.map((_item, itemIndex) => work.read([itemIndex]));
	};

	it('are those of the items, with their submission times if known', () => {
		expect(watched(items, { getNodeParameter })).toEqual([
			{ itemIndex: 0, editId: 'a', submittedAtMs: nowMs - 90_000 },
			{ itemIndex: 1, editId: '7' },
			{ itemIndex: 2, editId: '' },
		]);
	});

	it('never count as submitted in the future, even if a clock is wrong', () => {
		const given = [{ json: { submittedAt: submittedAt(-90_000) } }];
		expect(watched(given)).toEqual([expect.objectContaining({ submittedAtMs: nowMs })]);
	});

	it('have an empty ID if the field is missing', () => {
		const more = withFields({ whileWaiting: 'keepRunning', maximumWaitMinutes: 1 });
		expect(watched([{ json: {} }], more)).toMatchObject([{ itemIndex: 0, editId: '' }]);
	});
});
