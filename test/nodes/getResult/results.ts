import type { INodeParameters } from 'n8n-workflow';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { fullResult } from '../../../testkit/service/fullResult';
import { status, type useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import { runOne } from '../../../testkit/service/useService';

/** Returns a function that runs Get Result on an edit, and returns its item, its formats and its hints. */
export function resultsFrom(edits: ReturnType<typeof useScriptedEdits>) {
	return async (
		formats: string[],
		parameters: INodeParameters = {},
		result: object = fullResult(edits.service.url),
		sourceFileNames = ['a.wav'],
		file: Buffer | string = 'bytes of a file',
	) => {
		edits.script = {
			'/v2/edits/a': [status('a', 'SUCCESS', result)],
			'/download/full': [{ body: file, headers: { 'Content-Type': 'audio/mpeg' } }],
		};
		const items = [
			{ json: { editId: 'a', sourceFileName: sourceFileNames.join(', '), sourceFileNames } },
		];
		const all = { download: [], ...groupedFormats(formats), ...parameters };
		const { out, error, hints } = await runOne(edits.service, 'getResult', all, items);
		if (error) throw error;
		return {
			item: out[0],
			formats: out[0].json.formats as Record<string, string>,
			hints,
		};
	};
}

/** The speakers of a form. */
export function speakers(
	...rows: Array<[label: string, name: string, role?: string]>
): INodeParameters {
	return {
		speakers: { speaker: rows.map(([label, name, role = '']) => ({ label, name, role })) },
	};
}
