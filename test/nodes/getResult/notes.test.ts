import { useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import { resultsFrom } from './results';

const edits = useScriptedEdits();
const getResult = resultsFrom(edits);

const hintsFor = async (notes: unknown) => {
	const result = { download_url: `${edits.service.url}/download/full`, notes };
	const { hints, item } = await getResult([], {}, result);
	expect(item.json).toMatchObject({ editId: 'a' });
	return hints;
};

describe("a result's notes", () => {
	it.each<[string, unknown, string[]]>([
		['a list', ['no target', 'no cover'], ['edit a: no target', 'edit a: no cover']],
		['one text', 'no target', ['edit a: no target']],
		['a list with other things', ['', 7, null, { a: 1 }, 'no cover'], ['edit a: no cover']],
		[
			'a text with lines and a signed link',
			'see\n https://f.example/a?sig=1',
			['edit a: see https://f.example/a'],
		],
		['an empty list', [], []],
		['no list', { a: 'b' }, []],
		['null', null, []],
	])('become hints, whatever they are: %s', async (_what, notes, hints) => {
		expect(await hintsFor(notes)).toEqual(hints);
	});

	it('become at most ten hints', async () => {
		const notes = Array.from({ length: 1_000 }, (_, number) => `note ${number}`);
		expect(await hintsFor(notes)).toHaveLength(10);
	});
});
