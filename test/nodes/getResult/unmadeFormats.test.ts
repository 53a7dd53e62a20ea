import { fullResult } from '../../support/fullResult';
import { groupedFormats } from '../../support/grouped';
import { status, useScriptedEdits } from '../../support/scriptedEdits';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

jest.mock('../../../formats/transcript/subtitles', () => ({
	...jest.requireActual<object>('../../../formats/transcript/subtitles'),
	subtitleCues: (result: unknown): unknown => mockSubtitleCues(result),
}));

/* No known result makes a format fail, so these tests force two to. */
const mockSubtitleCues = jest.fn();

const edits = useScriptedEdits();

async function getResult(alsoReturn: string[], returnAs: 'json' | 'files') {
	edits.script = {
		'/v2/edits/a': [status('a', 'SUCCESS', fullResult(edits.service.url))],
		'/download/full': [{ body: 'bytes of a file', headers: { 'Content-Type': 'audio/mpeg' } }],
	};
	const parameters = { download: ['edited'], ...groupedFormats(alsoReturn), returnAs };
	const { run, out, error } = await edits.run('getResult', ['a'], parameters);
	const hints = run.data.resultData.runData.getResult.at(-1)?.hints ?? [];
	return { item: out[0], error, hints: hints.map(({ message }) => message) };
}

it.each(['json', 'files'] as const)(
	'a text that cannot be made leaves everything else in place (%s)',
	async (returnAs) => {
		mockSubtitleCues.mockImplementation(() => {
			throw new RangeError('Maximum call stack size exceeded');
		});
		const asked = ['subtitlesSrt', 'subtitlesVtt', 'chapterList'];
		const { item, error, hints } = await getResult(asked, returnAs);
		expect(error).toBeUndefined();
		const fields = returnAs === 'json' ? ['data'] : ['data', 'data_chapters_txt'];
		expect(Object.keys(item.binary ?? {})).toEqual(fields);
		if (returnAs === 'json') {
			expect(item.json.formats).toEqual({ chapterList: '00:00 Welcome\n00:12 Patience\n' });
		}
		expect(hints.filter((hint) => hint.startsWith('edit a:'))).toEqual([
			expect.stringMatching(
				/Subtitles \(SRT\), Subtitles \(WebVTT\) left out, .*: Maximum call stack size exceeded\. /,
			),
		]);
	},
);

it('divides the words once for both kinds of subtitles', async () => {
	mockSubtitleCues.mockReset();
	mockSubtitleCues.mockReturnValue([{ startMs: 0, endMs: 1_000, lines: ['Hello'] }]);
	const { item } = await getResult(['subtitlesSrt', 'subtitlesVtt'], 'json');
	expect(item.json.formats).toEqual({
		subtitlesSrt: expect.stringContaining('Hello'),
		subtitlesVtt: expect.stringContaining('Hello'),
	});
	expect(mockSubtitleCues).toHaveBeenCalledTimes(1);
});
