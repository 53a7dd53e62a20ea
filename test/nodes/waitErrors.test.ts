import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { othersInLog, othersText, waitError } from '../../nodes/WaitForEdit/waitError';
import type { WaitReport } from '../../waiting/waitReport';
import { NODE } from '../support/nodeContext';

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

const LOOK_UP = 'The edit keeps running at the service.';

describe('the error of an edit that', () => {
	it('failed says so, and what to do', () => {
		const history = [{ status: 'FAILURE', atSeconds: 30 }];
		const { message, description, context } = error({ end: 'failed', history });
		expect(message).toBe('Edit a ended with status FAILURE after 61.5 s of waiting [item 2]');
		expect(description).toMatch(/^The service gives no reason\. Check .* create a new edit\.$/);
		expect(context.itemIndex).toBe(2);
	});

	it('was left says that it continues, and by which ID to look it up', () => {
		const { message, description } = error({ end: 'abandoned' });
		expect(message).toBe(
			'Edit a had status EDITING when the execution was stopped after 61.5 s of waiting [item 2]',
		);
		expect(description).toBe(`${LOOK_UP} Fetch it later with a Get Result node and the ID a.`);
		expect(error({ end: 'abandoned', history: [] }).message).toContain('had status unknown when');
	});

	it('did not finish says what to raise, and by which ID to look it up', () => {
		const { message, description } = error();
		expect(message).toBe(
			'Edit a did not finish in time: its status was still EDITING after 61.5 s of waiting [item 2]',
		);
		expect(description).toMatch(
			/^The edit keeps running at the service\. Raise 'Maximum Wait \(Minutes\)'.* the ID a\.$/,
		);
		expect(error({ history: [] }).message).toContain('its status was still unknown after');
		expect(error({ history: [] }).description).toMatch(/ the ID a\.$/);
	});

	it('is still PENDING says what else that may mean', () => {
		const history = [{ status: 'PENDING', atSeconds: 30 }];
		expect(error({ history }).description).toMatch(
			/the ID a\. The service also reports PENDING for .* edit of another API key: check the ID and the credential\.$/,
		);
	});

	it('was refused is that of the request', () => {
		const failure = { kind: 'status', status: 401, request: 'GET /v2/edits/a' } as const;
		const refused = error({ end: 'refused', failure });
		expect(refused).toBeInstanceOf(NodeApiError);
		expect(refused.message).toMatch(/^Could not wait for edit a: .* \[item 2\]$/);
	});

	it('has no ID does not name one', () => {
		const failure = { kind: 'invalid', request: 'GET', said: 'it is empty' } as const;
		const refused = error({ editId: '', end: 'refused', failure });
		expect(refused).toBeInstanceOf(NodeOperationError);
		expect(refused.message).toBe('Could not wait for the edit: it is empty [item 2]');
	});

	it('was refused without a reason is reported as unfinished', () => {
		expect(error({ end: 'refused' }).message).toMatch(/^Edit a did not finish in time/);
	});

	it('did not finish differs from that of a failed request', () => {
		const failure = { kind: 'broken', request: 'GET /v2/edits/a' } as const;
		expect(error({ failure }).message).toMatch(/^Edit a did not finish in time/);
	});
});

describe('the description', () => {
	it('counts the status calls that failed', () => {
		const troubles = { '429': 2, broken: 1 };
		const note = 'Failed status calls: 429 (×2), broken (×1).';
		expect(error({ troubles }).description).toMatch(new RegExp(`the ID a\\. ${escaped(note)}$`));
		const failure = { kind: 'status', status: 401, request: 'GET /v2/edits/a' } as const;
		expect(error({ end: 'refused', failure, troubles }).description).toContain(note);
	});
});

describe('the note on the other edits', () => {
	it('names ten of them, and where to find the rest', () => {
		expect(othersText(manyReports(10))).toMatch(/e9 \(EDITING\)\.$/);
		expect(othersText(manyReports(12))).toMatch(
			/e9 \(EDITING\) and 2 more\. n8n's log names them all\.$/,
		);
	});

	it('names their states', () => {
		const others = [report({ editId: 'b' }), report({ editId: 'c', history: [] })];
		expect(othersText(others)).toBe('The other edits: b (EDITING), c (not polled yet).');
		expect(othersText([])).toBe('');
	});
});

const manyReports = (count: number) =>
	Array.from({ length: count }, (_, n) => report({ editId: `e${n}` }));

describe('the log', () => {
	it('names the other edits if the error does not name them all, a hundred a line', () => {
		expect(othersInLog(manyReports(10))).toEqual([]);
		const [line, ...rest] = othersInLog(manyReports(11));
		expect(line).toMatch(
			/^Audio editing: the wait ended for e0 \(EDITING\), e1 \(EDITING\), .*e10 \(EDITING\)$/,
		);
		expect(rest).toEqual([]);
		const lines = othersInLog(manyReports(200));
		expect(lines.map((text) => text.match(/e\d+ /g)?.length)).toEqual([100, 100]);
		expect(lines[1]).toContain('for e100 (EDITING), e101');
	});
});

function escaped(text: string): string {
	return text.replace(/[.()]/g, '\\$&');
}
