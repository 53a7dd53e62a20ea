import type { IExecuteFunctions } from 'n8n-workflow';

import { pointTo } from '../../nodes/CreateEdit/submission/submitEdit';
import { runOf } from '../support/nodeContext';
import { useScriptedSubmissions } from '../support/scriptedSubmissions';
import type { NodeRun } from '../../nodes/shared/run/nodeRun';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const KEY = 'audioEditingEdits';

/** Returns a run whose execution keeps these values. */
function runWith(kept: Record<string, string>): NodeRun {
	const customData = {
		get: (key: string) => kept[key],
		set: (key: string, value: string) => void (kept[key] = value),
	};
	const proxy = { $execution: { customData } };
	const getWorkflowDataProxy = (() => proxy) as object as IExecuteFunctions['getWorkflowDataProxy'];
	return runOf({ getWorkflowDataProxy });
}

describe("the pointer in the execution's custom data", () => {
	it('is the first edit and a count', () => {
		const kept: Record<string, string> = {};
		const run = runWith(kept);
		pointTo(run, 'a');
		expect(kept).toEqual({ [KEY]: '1 edit, the first: a' });
		pointTo(run, 'b');
		pointTo(run, 'c');
		expect(kept).toEqual({ [KEY]: '3 edits, the first: a' });
	});

	it("leaves a value of the workflow's author alone", () => {
		const kept = { [KEY]: 'mine' };
		pointTo(runWith(kept), 'a');
		expect(kept).toEqual({ [KEY]: 'mine' });
	});

	it('is short for any ID', () => {
		const kept: Record<string, string> = {};
		pointTo(runWith(kept), 'x'.repeat(1_000));
		pointTo(runWith(kept), 'b');
		expect(kept[KEY]).toMatch(/^2 edits, the first: x+$/);
		expect(kept[KEY].length).toBeLessThanOrEqual(255);
	});

	it('is omitted if the host has no custom data', () => {
		expect(() => pointTo(runOf({}), 'a')).not.toThrow();
	});
});

describe('in n8n', () => {
	const submissions = useScriptedSubmissions();

	it('stays with the execution', async () => {
		const items = ['a', 'b', 'c'].map((name) => ({
			fileUrl: `https://files.example.com/${name}.wav`,
		}));
		const { run } = await submissions.create({}, items);
		expect(run.data.resultData.metadata).toEqual({ [KEY]: '3 edits, the first: edit-1' });
	});
});
