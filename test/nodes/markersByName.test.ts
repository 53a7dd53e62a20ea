import { itemsOf } from '../support/n8nEngine';
import { status, useScriptedEdits } from '../support/scriptedEdits';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const edits = useScriptedEdits();

it.each<[string, (url: string) => unknown, string[]]>([
	['a list', (url) => [`${url}/m/1.edl`, `${url}/m/2.txt`], ['1.edl', '2.txt']],
	['one link', (url) => `${url}/m/1.edl`, ['1.edl']],
	[
		'an object of names and links',
		(url) => ({ 'cuts.edl': `${url}/m/1.edl`, audacity: `${url}/m/2.txt?s=1` }),
		['cuts.edl', 'audacity.txt'],
	],
])('downloads markers that come as %s', async (_shape, markers, names) => {
	edits.script = {
		'/v2/edits/a': [
			status('a', 'SUCCESS', { timestamps_markers_urls: markers(edits.service.url) }),
		],
		'/m/1.edl': [{ body: 'cut 1' }],
		'/m/2.txt': [{ body: 'cut 2' }],
	};
	const { run, error } = await edits.run('getResult', ['a'], { download: ['markers'] });
	if (error) throw error;
	const files = Object.values(itemsOf(run, 'getResult')[0].binary ?? {});
	expect(files.map(({ fileName }) => fileName)).toEqual(names);
});
