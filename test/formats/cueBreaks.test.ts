import { measureWords, setLines } from '../../formats/transcript/cueLines';
import { subtitleCues } from '../../formats/transcript/subtitles';
import { resultOf, sayWords, transcribed } from '../../testkit/service/results';

/** Words of which none is a better place to break than another. */
const alike = (count: number) => Array<string>(count).fill('yellow');

it.each([8, 9, 10, 11, 12])('a cue ends at a pause of half a second, after %d words', (count) => {
	const before = sayWords(alike(count).join(' '));
	const after = sayWords(alike(20 - count).join(' '), before.at(-1)!.end + 0.6);
	const [first, ...others] = subtitleCues(resultOf(transcribed([...before, ...after])));
	expect(first.lines.join(' ')).toBe(alike(count).join(' '));
	expect(others).toHaveLength(1);
});

it.each([8, 10, 12])('the lines of a cue of %d like words are of one length', (count) => {
	const row = measureWords(alike(count));
	expect(setLines(row, 0, count - 1)?.secondLineAt).toBe(count / 2);
});

it('where four people begin to speak at once, none has a cue that nobody can see', () => {
	const ends = [5.6, 5.8, 6.2, 7];
	const said = ends.map((end, id) => ({ id, start: 5, end, text: `No ${id}.` }));
	const turns = [0, 5.35, 5.5, 5.8, 9].map((start, id, starts) => ({
		start,
		end: starts[id + 1] ?? start,
		speaker: `Speaker ${id}`,
	}));
	const cues = subtitleCues(resultOf(transcribed(said, turns)));
	expect(cues.map(({ startMs, lines: [line] }) => [startMs, line])).toEqual([
		[5_000, 'No 0.'],
		[6_000, 'No 3.'],
	]);
});

it('a drawn-out word that would end after seven seconds is not in the cue of those before it', () => {
	const said = [0, 1, 2, 3, 4].map((start, id) => ({ id, start, end: start + 1, text: 'well' }));
	const drawn = { id: 5, start: 5, end: 7.5, text: 'then' };
	const cues = subtitleCues(resultOf(transcribed([...said, drawn])));
	expect(cues.map(({ lines }) => lines.join(' '))).toEqual(['well well well', 'well well then']);
});
