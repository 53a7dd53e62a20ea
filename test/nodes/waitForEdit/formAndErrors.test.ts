import { type IExecuteFunctions, type INodeExecutionData, NodeApiError } from 'n8n-workflow';

import { systemTime } from '../../../api/time';
import { failureBehind } from '../../../nodes/core/errors/errors';
import {
	readDeletesWhenStopped,
	readPollRules,
	readWhenTimeIsUp,
} from '../../../nodes/core/wait/editWait';
import { noteOnOthers, waitError } from '../../../nodes/core/wait/waitError';
import { waitWork } from '../../../nodes/WaitForEdit/execute';
import type { WaitReport } from '../../../waiting/waitReport';
import { NODE, runOf, withFields } from '../../../testkit/n8n/nodeContext';

const FORM = { maximumWaitMinutes: 30, editId: 'a' };

const DAY_MS = 86_400_000;

/** What makes a node a tool of an agent. */
const TOOL = { isToolExecution: () => true };

const readRules = (fields: Record<string, unknown> = {}) =>
	readPollRules(runOf(withFields({ ...FORM, ...fields })));

describe('the form of Wait For Edit', () => {
	it('has the rhythm of the API by default', () => {
		expect(readRules()).toEqual({
			firstPollDelayMs: 30_000,
			isFirstPollSet: false,
			pollIntervalMs: 10_000,
			maxWaitMs: 1_800_000,
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
			isFirstPollSet: true,
			pollIntervalMs: 20_000,
			maxWaitMs: 90_000,
			pendingNoticeMs: 120_000,
		});
	});

	it.each([
		[0, 0],
		[7 * 1_440, 7 * DAY_MS],
		[1e12, 365 * DAY_MS],
	])('has a Maximum Wait of %d minutes, at most a year', (maximumWaitMinutes, maxWaitMs) => {
		expect(readRules({ maximumWaitMinutes })).toMatchObject({ maxWaitMs });
	});

	it.each<[object, string, object?]>([
		[{ whenTimeIsUp: 'secondOutput' }, 'secondOutput'],
		[{ whenTimeIsUp: 'passOn' }, 'passOn'],
		[{ whenTimeIsUp: 'fail' }, 'fail'],
		[{}, 'fail'],
		[{ whenTimeIsUp: 'fail' }, 'fail', TOOL],
		[{}, 'passOn', TOOL],
	])('%j: an unfinished edit, when time is up: %s %j', (fields, way, node = {}) => {
		const run = runOf({ ...withFields({ ...FORM, ...fields }), ...node });
		expect(readWhenTimeIsUp(run)).toBe(way);
	});

	it.each([
		['Maximum Wait (Minutes)', { maximumWaitMinutes: 'soon' }],
		['First Poll After (Seconds)', { options: { firstPollDelaySeconds: 'soon' } }],
		['Poll Interval (Seconds)', { options: { pollIntervalSeconds: null } }],
		['Warn After Pending (Minutes)', { options: { pendingNoticeMinutes: -1 } }],
	])("with a '%s' that is not an amount is refused", (label, fields) => {
		expect(() => readRules(fields)).toThrow(`'${label}' must be a number of 0 or more`);
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
		const fields: Record<string, unknown> = { ...FORM, editId: [' a ', 7, 'c'][itemIndex] };
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
			{ itemIndex: 2, editId: 'c' },
		]);
	});

	it('never count as submitted in the future, even if a clock is wrong', () => {
		const given = [{ json: { submittedAt: submittedAt(-90_000) } }];
		expect(watched(given)).toEqual([expect.objectContaining({ submittedAtMs: nowMs })]);
	});
});

const report = (more: Partial<WaitReport> = {}): WaitReport => ({
	editId: 'a',
	end: 'stillRunning',
	troubles: {},
	history: [{ status: 'EDITING', atSeconds: 30 }],
	polls: 1,
	waitedSeconds: 61.5,
	...more,
});

const error = (more: Partial<WaitReport> = {}) => waitError(NODE, report(more), 2);
const LOOK_UP = 'The edit keeps running on the service.';

describe('the error of an edit that', () => {
	it('failed says so, and what to do', () => {
		const history = [{ status: 'FAILURE', atSeconds: 30 }];
		const { message, description, context } = error({ end: 'failed', history });
		expect(message).toBe(
			'The recording could not be edited: the service gives no reason (edit a) [item 2]',
		);
		expect(description).toMatch(/^Check .* create a new edit\.$/);
		expect(context.itemIndex).toBe(2);
	});

	it('was left says that it continues, and by which ID to look it up', () => {
		const { message, description } = error({ end: 'abandoned' });
		expect(message).toBe(
			'The execution was stopped while the edit had status EDITING (edit a) [item 2]',
		);
		expect(description).toBe(`${LOOK_UP} Fetch it later with a Get Result node and its ID.`);
		expect(error({ end: 'abandoned', history: [] }).message).toContain('had status unknown');
	});

	it('did not finish says what to raise, and by which ID to look it up', () => {
		const { message, description } = error();
		expect(message).toBe(
			'The edit did not finish in time: its status was still EDITING after 61.5 s of waiting (edit a) [item 2]',
		);
		expect(description).toMatch(
			/^The edit keeps running on the service\. Raise 'Maximum Wait \(Minutes\)'.* its ID\.$/,
		);
		expect(error({ history: [] }).message).toContain('its status was still unknown after');
		expect(error({ history: [] }).description).toMatch(/ its ID\.$/);
	});

	it('counts as stopped only if the wait was abandoned', () => {
		expect(failureBehind(error({ end: 'abandoned' }))).toEqual({ kind: 'stopped', request: '' });
		expect(failureBehind(error())).toBeUndefined();
		expect(error().description).not.toMatch(/PENDING| {2}/);
	});

	it('is still PENDING says what else that may mean', () => {
		const history = [{ status: 'PENDING', atSeconds: 30 }];
		expect(error({ history }).description).toMatch(
			/its ID\. The service also reports PENDING for .* edit that belongs to another API key\. Check the ID and the credential\.$/,
		);
	});

	it('was refused is that of the request', () => {
		const failure = { kind: 'status', status: 401, request: 'GET /v2/edits/a' } as const;
		const refused = error({ end: 'refused', failure });
		expect(refused).toBeInstanceOf(NodeApiError);
		expect(refused.message).toMatch(/^Could not wait for the edit: .* \(edit a\) \[item 2\]$/);
	});

	it('was refused without a reason is reported as unfinished', () => {
		expect(error({ end: 'refused' }).message).toMatch(/^The edit did not finish in time/);
	});

	it('did not finish differs from that of a failed request', () => {
		const failure = { kind: 'broken', request: 'GET /v2/edits/a' } as const;
		expect(error({ failure }).message).toMatch(/^The edit did not finish in time/);
	});
});

describe('the description', () => {
	it('counts the status calls that failed', () => {
		const troubles = { '429': 2, broken: 1 };
		const note = 'Failed status calls: 429 (×2), broken (×1).';
		expect(error({ troubles }).description).toMatch(new RegExp(`its ID\\. ${escaped(note)}$`));
		const failure = { kind: 'status', status: 401, request: 'GET /v2/edits/a' } as const;
		expect(error({ end: 'refused', failure, troubles }).description).toContain(note);
	});
});

describe('the note on the other edits', () => {
	const run = runOf({});
	const manyReports = (count: number) =>
		Array.from({ length: count }, (_, n) => report({ editId: `e${n}` }));

	it('names three of them, and all in the details, a hundred a line', () => {
		const three = noteOnOthers(run, manyReports(3));
		expect(three.text).toMatch(/e2 \(EDITING\)\.$/);
		expect(three.details).toEqual([]);
		const many = noteOnOthers(run, manyReports(200));
		expect(many.text).toMatch(/e2 \(EDITING\) and 197 more\.$/);
		expect(many.details.map((text) => text.match(/e\d+ /g)?.length)).toEqual([100, 100]);
		expect(many.details[1]).toContain('e100 (EDITING), e101');
	});

	it('names their recordings and states', () => {
		run.noteRecording('b', 'talk.wav');
		const others = [report({ editId: 'b' }), report({ editId: 'c', history: [] })];
		const { text } = noteOnOthers(run, others);
		expect(text).toBe("The other edits: b ('talk.wav', EDITING), c (not polled yet).");
		expect(noteOnOthers(run, []).text).toBe('');
	});
});

function escaped(text: string): string {
	return text.replace(/[.()]/g, '\\$&');
}
