import fc from 'fast-check';

import { speakersOf } from '../../formats/transcript/speakers';
import { transcriptText } from '../../formats/transcript/transcript';
import { resultOf, transcribed } from '../../testkit/service/results';

function speakerAt(turns: unknown[], seconds: number) {
	return speakersOf(resultOf(transcribed([], turns))?.transcription)(seconds * 1_000);
}

const TURNS = [
	{ start: 20, end: 30, speaker: 'Carl' },
	{ start: 0, end: 10, speaker: 'Anna' },
	{ start: 4, end: 5, speaker: 'Ben' },
];

it.each<[number, string]>([
	[1, 'Anna'],
	[4.5, 'Ben'],
	[7, 'Anna'],
	[12, 'Anna'],
	[18, 'Carl'],
	[25, 'Carl'],
	[99, 'Carl'],
])('at %d s the current or nearest speaker is %s', (seconds, speaker) => {
	expect(speakerAt(TURNS, seconds)).toBe(speaker);
});

it.each<[unknown[], string | undefined]>([
	[[], undefined],
	[[{ start: 2, speaker: 'No end' }], 'No end'],
	[[{ end: 2, speaker: 'No start' }], undefined],
	[[{ start: 0, end: 9, speaker: ' ' }], undefined],
	[[{ start: 9, end: 1, speaker: 'Backwards' }], 'Backwards'],
])('for the turns %j the speaker is %s', (turns, speaker) => {
	expect(speakerAt(turns, 3)).toBe(speaker);
});

it('names who speaks in the middle of a paragraph, which may begin and end in the turn of another', () => {
	const three = [
		{ start: 0, end: 1, speaker: 'Anna' },
		{ start: 1, end: 8, speaker: 'Ben' },
		{ start: 8, end: 9, speaker: 'Cleo' },
	];
	const middle = resultOf(transcribed([], three, [{ start: 0.5, end: 8.5, text: 'Well.' }]));
	expect(transcriptText(middle, { hasSpeakers: true, hasTimes: false })).toBe('Ben: Well.\n');
});

it('finds the same speaker as a search of all turns, however they overlap', () => {
	const turn = fc.record({
		start: fc.integer({ min: 0, max: 12 }),
		length: fc.integer({ min: 0, max: 12 }),
	});
	fc.assert(
		fc.property(fc.array(turn, { maxLength: 8 }), (drawn) => {
			const turns = drawn.map(({ start, length }, index) => ({
				start,
				end: start + length,
				speaker: `S${index}`,
			}));
			const sorted = [...turns].sort((one, other) => one.start - other.start);
			for (let seconds = 0; seconds <= 26; seconds += 0.5) {
				const current = sorted.filter(({ start, end }) => start <= seconds && end >= seconds);
				if (current.length === 0) continue;
				expect(speakerAt(turns, seconds)).toBe(current.at(-1)?.speaker);
			}
		}),
	);
});
