import { NodeApiError } from 'n8n-workflow';

import { systemTime } from '../../../api/time';
import { failureBehind } from '../../../nodes/core/errors/errors';
import { EditWait, readPollRules, submittedAtMsOf } from '../../../nodes/core/wait/editWait';
import { noteOnOthers, waitError } from '../../../nodes/core/wait/waitError';
import type { WaitReport } from '../../../waiting/waitReport';
import { NODE, formOf, runOf } from '../../../testkit/n8n/nodeContext';

const DAY_MS = 86_400_000;

/** What makes a node a tool of an agent. */
const TOOL = { isToolExecution: () => true };

const readRules = (options: Record<string, unknown> = {}) =>
	readPollRules(runOf({}), formOf({ maximumWaitMinutes: 30, ...options }));

describe('the form of Wait For Edit', () => {
	it('has the rhythm of the API by default', () => {
		expect(readRules()).toEqual({
			firstPollDelayMs: 30_000,
			isMaxWaitSet: true,
			isFirstPollSet: false,
			pollIntervalMs: 10_000,
			maxWaitMs: 1_800_000,
			pendingNoticeMs: 600_000,
		});
	});

	it('is read in its units', () => {
		const options = {
			firstPollDelaySeconds: 5,
			pollIntervalSeconds: '20',
			pendingNoticeMinutes: 2,
		};
		expect(readRules({ ...options, maximumWaitMinutes: 1.5 })).toEqual({
			firstPollDelayMs: 5_000,
			isMaxWaitSet: true,
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

	it.each<[Record<string, unknown>, boolean, object?]>([
		[{ whenTimeIsUp: 'secondOutput' }, true],
		[{ whenTimeIsUp: 'passOn' }, true],
		[{ whenTimeIsUp: 'fail' }, false],
		[{}, false],
		[{ whenTimeIsUp: 'fail' }, false, TOOL],
		[{}, true, TOOL],
	])(
		'%j: an unfinished edit is passed on when time is up: %s %j',
		(options, isPassedOn, node = {}) => {
			const wait = new EditWait(runOf(node), formOf(options));
			expect(wait.isPassedOn(report())).toBe(isPassedOn);
		},
	);

	it.each([
		['Maximum Wait (Minutes)', { maximumWaitMinutes: 'soon' }],
		['First Poll After (Seconds)', { firstPollDelaySeconds: 'soon' }],
		['Poll Interval (Seconds)', { pollIntervalSeconds: null }],
		['Warn After Pending (Minutes)', { pendingNoticeMinutes: -1 }],
	])("with a '%s' that is not an amount is refused", (label, fields) => {
		expect(() => readRules(fields)).toThrow(`'${label}' must be a number of 0 or more`);
	});
});

describe('the submission of an edit to wait for', () => {
	const nowMs = systemTime.now();
	const submittedAt = (agoMs: number) => new Date(systemTime.timeOfDay() - agoMs).toISOString();

	it.each([
		[submittedAt(90_000), nowMs - 90_000],
		['yesterday', undefined],
		[undefined, undefined],
		// A clock may be wrong.
		[submittedAt(-90_000), nowMs],
	])('at %s was at %s', (given, atMs) => {
		expect(submittedAtMsOf(given)).toBe(atMs);
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
		expect(description).toBe(
			`${LOOK_UP} Fetch it later with an Audio Editing Get Result node and its ID.`,
		);
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
