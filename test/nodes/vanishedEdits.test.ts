import { finished, status, useScriptedEdits } from '../support/scriptedEdits';
import { itemsOf } from '../support/n8nEngine';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const edits = useScriptedEdits();

describe('Wait For Edit, when an edit is deleted while it is processed', () => {
	beforeEach(() => {
		edits.script = {
			'/v2/edits/a': [status('a', 'EDITING'), status('a', 'PENDING')],
			'/v2/edits/b': [
				...Array.from({ length: 30 }, () => status('b', 'EDITING')),
				finished('b', edits.service.url),
			],
		};
	});

	it('reports it with its ID, for how long, and what to do', async () => {
		const { error } = await edits.run('waitForEdit', ['a']);
		expect(error?.message).toBe(
			"Edit a may have been deleted or may have expired: it was EDITING, and has been PENDING again for 120 s (source file 'a.wav') [item 0]",
		);
		expect(error?.description).toBe(
			'The service also reports PENDING for an ID it does not know. Look for the ID a at the service. If the edit is there, it may be queued again: wait for it again. If not, create the edit again, which is charged again.',
		);
	});

	it('fails only that item if the node is set to continue', async () => {
		const settings = { onError: 'continueErrorOutput' } as const;
		const { run, out } = await edits.run('waitForEdit', ['a', 'b'], {}, settings);
		expect(out.map(({ json }) => json.editId)).toEqual(['b']);
		const failures = itemsOf(run, 'waitForEdit', 1);
		expect(failures).toHaveLength(1);
		expect(JSON.stringify(failures[0].json)).toContain('Edit a may have been deleted');
	});

	it('fails that item even if unfinished edits are handed over', async () => {
		const settings = { onError: 'continueRegularOutput' } as const;
		const parameters = { whileWaiting: 'handOver' };
		const { run } = await edits.run('waitForEdit', ['a'], parameters, settings);
		expect(itemsOf(run, 'waitForEdit', 1)).toEqual([]);
		const [item] = itemsOf(run, 'waitForEdit', 0);
		expect(JSON.stringify(item.json)).toContain('may have been deleted');
	});
});
