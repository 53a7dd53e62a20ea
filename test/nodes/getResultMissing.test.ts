import type { INodeParameters } from 'n8n-workflow';

import { itemsOf } from '../support/n8nEngine';
import { finished, status, useScriptedEdits } from '../support/scriptedEdits';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/scaledTime'));

const edits = useScriptedEdits();

it.each<[INodeParameters]>([
	[{ download: [] }],
	[{ download: ['merged', 'markers'] }],
	[{ download: [], alsoReturn: ['transcriptText'] }],
])('SUCCESS without a result is no result, and is not deleted: %j', async (parameters) => {
	edits.script = { '/v2/edits/a': [status('a', 'SUCCESS')] };
	const settings = { onError: 'continueErrorOutput' } as const;
	const specs = [{ type: 'getResult', parameters, settings }, { type: 'delete' }];
	const run = await runChain(edits.service, chain(...specs), [{ json: { editId: 'a' } }]);
	expect(itemsOf(run, 'getResult', 0)).toEqual([]);
	const [failed] = itemsOf(run, 'getResult', 1);
	expect(failed.error?.message).toBe('Edit a has no result yet [item 0]');
	expect(edits.service.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

it('files that are asked for and not there are hinted at, with the key that brings them', async () => {
	edits.script = { '/v2/edits/a': [finished('a', edits.service.url)] };
	const { run, error } = await edits.run('getResult', ['a'], { download: ['merged', 'markers'] });
	expect(error).toBeUndefined();
	const hints = run.data.resultData.runData.getResult.at(-1)?.hints ?? [];
	expect(hints.map(({ message }) => message)).toEqual([
		"edit a: Merged Audio left out, since the result has none. Set 'merge' to true when you create the edit.",
		"edit a: Markers left out, since the result has none. Set 'export_timestamps' to true when you create the edit.",
	]);
});
