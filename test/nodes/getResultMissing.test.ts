import type { INodeParameters } from 'n8n-workflow';

import { failureOf } from '../support/failures';
import { groupedFormats } from '../support/grouped';
import { itemsOf } from '../support/n8nEngine';
import { finished, status, useScriptedEdits } from '../support/scriptedEdits';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const edits = useScriptedEdits();

it.each<[INodeParameters]>([
	[{ download: [] }],
	[{ download: ['merged', 'markers'] }],
	[{ download: [], ...groupedFormats(['transcriptText']) }],
])(
	'SUCCESS without a result does not count as a result, and is not deleted: %j',
	async (parameters) => {
		edits.script = { '/v2/edits/a': [status('a', 'SUCCESS')] };
		const settings = { onError: 'continueErrorOutput' } as const;
		const specs = [{ type: 'getResult', parameters, settings }, { type: 'delete' }];
		const run = await runChain(edits.service, chain(...specs), [{ json: { editId: 'a' } }]);
		expect(itemsOf(run, 'getResult', 0)).toEqual([]);
		const [failed] = itemsOf(run, 'getResult', 1);
		expect(failureOf(failed)?.message).toBe('Edit a has no result yet [item 0]');
		expect(edits.service.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
	},
);

it('a hint names the key for requested files that are missing', async () => {
	edits.script = { '/v2/edits/a': [finished('a', edits.service.url)] };
	const { run, error } = await edits.run('getResult', ['a'], { download: ['merged', 'markers'] });
	expect(error).toBeUndefined();
	const hints = run.data.resultData.runData.getResult.at(-1)?.hints ?? [];
	expect(hints.map(({ message }) => message)).toEqual([
		"edit a: Merged Audio left out, since the result has none. To get it, switch on 'Merge Tracks' when you create the edit, or 'Audio for EDL' for a video.",
		"edit a: Markers left out, since the result has none. To get them, switch on 'Export Timestamps' when you create the edit.",
	]);
});

describe('an expression for a list of files', () => {
	it.each<[string, INodeParameters, string[]]>([
		['null means links only', { download: '={{ null }}' }, []],
		['an empty string means links only', { download: '={{ "" }}' }, []],
		['one name means that file', { download: '={{ "edited" }}' }, ['data']],
		['null means no format', { download: [], alsoReturn: '={{ null }}' }, []],
	])('%s', async (_name, parameters, fields) => {
		edits.script = {
			'/v2/edits/a': [finished('a', edits.service.url)],
			'/download/a': [{ body: 'RIFF', headers: { 'Content-Type': 'audio/wav' } }],
		};
		const { out, error } = await edits.run('getResult', ['a'], parameters);
		expect(error).toBeUndefined();
		expect(Object.keys(out[0].binary ?? {})).toEqual(fields);
		expect(out[0].json.downloadUrl).toContain('/download/a');
	});

	it.each<[INodeParameters, string]>([
		[
			{ download: '={{ "edted" }}' },
			`'Download' has no option "edted" (source file 'a.wav') [item 0]`,
		],
		[
			{ download: [], alsoReturn: '={{ {} }}' },
			"'Also Return' has no option {} (source file 'a.wav') [item 0]",
		],
		[
			{ download: [], alsoReturn: ['chapters'], chapters: '={{ ["marks"] }}' },
			`'Chapters' has no option "marks" (source file 'a.wav') [item 0]`,
		],
	])('refuses a value that the field does not offer: %j', async (parameters, message) => {
		edits.script = { '/v2/edits/a': [finished('a', edits.service.url)] };
		const { error } = await edits.run('getResult', ['a'], parameters);
		expect(error?.message).toBe(message);
		expect(edits.service.seen).toEqual([]);
	});
});
