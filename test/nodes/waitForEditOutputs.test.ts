import { finished, status, useScriptedEdits } from '../support/scriptedEdits';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const edits = useScriptedEdits();

/** An expression that n8n cannot evaluate for the item `unreadable`. */
const EDIT_ID = "={{ $json.editId === 'unreadable' ? $('Missing').item.json.x : $json.editId }}";

const CONTINUE = { onError: 'continueRegularOutput' } as const;

it('keeps the order of the items, whichever of them fails and why', async () => {
	edits.script = {
		'/v2/edits/a': [status('a', 'EDITING'), finished('a', edits.service.url)],
		'/v2/edits/b': [status('b', 'FAILURE')],
		'/v2/edits/c': [finished('c', edits.service.url)],
	};
	const ids = ['a', 'unreadable', 'b', 'unreadable', 'c'];
	const { out } = await edits.run('waitForEdit', ids, { editId: EDIT_ID }, CONTINUE);
	expect(out.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_id, item) => ({ item })));
	expect(out.map(({ json }) => json.editId)).toEqual(['a', undefined, undefined, undefined, 'c']);
});
