import { type MaybeTimed, repairTimestamps } from '../../formats/transcript/repairTimestamps';

/** Each as its text with its start and its end. */
const repaired = (entries: readonly MaybeTimed[]) =>
	repairTimestamps(entries).map(({ text, startMs, endMs }) => [text, startMs, endMs]);

it('what has no end lasts as long as it takes to say, but not into what is said next', () => {
	expect(
		repaired([
			{ text: 'unendingly', start: 0 },
			{ text: 'long', start: 0.2, end: 0.5 },
			{ text: 'talk', start: 1 },
		]),
	).toEqual([
		['unendingly', 0, 200],
		['long', 200, 500],
		['talk', 1_000, 1_330],
	]);
});

it('an end before its start counts as missing', () => {
	expect(repaired([{ text: 'bread', start: 2, end: 1 }])).toEqual([['bread', 2_000, 2_396]]);
});

it('what begins at the same time is in order', () => {
	expect(
		repaired([
			{ text: 'a', start: 1, end: 2 },
			{ text: 'b', start: 1, end: 3 },
			{ text: 'c', start: 1, end: 4 },
		]),
	).toEqual([
		['a', 1_000, 2_000],
		['b', 1_000, 3_000],
		['c', 1_000, 4_000],
	]);
});

it.each([
	['less than half of it is in order', [5, 4, 3, 6, 2, 1], [1, 2, 3, 4, 5, 6]],
	['half of it is in order', [1, 2, 3, 0], [1, 2, 3]],
])('is sorted by time only where %s', (_where, starts, kept) => {
	const all = repaired(starts.map((start) => ({ text: `at ${start}`, start, end: start + 0.5 })));
	const places = all.map(([text]) => Number(String(text).slice(3)));
	expect(places.filter((place) => kept.includes(place))).toEqual(kept);
	expect(places[0]).toBe(kept[0]);
});
