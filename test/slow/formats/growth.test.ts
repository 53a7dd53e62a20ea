import type { EditResult } from '../../../api/contract';
import { episodeDescription } from '../../../formats/notes/episodeDescription';
import { soundbitesOf } from '../../../formats/feed/soundbites';
import { timedWords } from '../../../formats/transcript/timedWords';
import { speakersOf } from '../../../formats/transcript/speakers';
import { subtitleCues } from '../../../formats/transcript/subtitles';
import { readItemForm } from '../../../nodes/core/items/readItemForm';
import { millisecondsOf, PIECES, slowdown, MAX_SLOWDOWN } from '../../../testkit/text/growth';
import { runOf } from '../../../testkit/n8n/nodeContext';
import { TALK, resultOf, sayWords, transcribed } from '../../../testkit/service/results';

/** How much slower a text of `count` units is than 32 texts of a part of them. */
function slowdownOf(makeFor: (count: number) => () => unknown, count: number): number {
	return slowdown(makeFor(count), makeFor(count / PIECES));
}

function saying(said: readonly string[], count: number): EditResult | undefined {
	const text = Array.from({ length: count }, (_, index) => said[index % said.length]).join(' ');
	return resultOf(transcribed(sayWords(text)));
}

describe.each<[string, readonly string[]]>([
	['words', TALK.split(' ')],
	['words without a sentence', ['walking', 'slowly', 'behind', 'yellow', 'houses']],
	['characters of a script without spaces', [...'我们今天谈面包']],
	['words of one letter', ['a']],
])('the time for subtitles of %s', (_name, said) => {
	it('grows with their count, not with its square', () => {
		const cuesFor = (count: number) => {
			const result = saying(said, count);
			return () => subtitleCues(result);
		};
		expect(slowdownOf(cuesFor, 16_000)).toBeLessThan(MAX_SLOWDOWN);
	});

	it('is close to the time to read them', () => {
		const result = saying(said, 4_000);
		const best = (make: () => unknown) => Math.min(...[1, 2, 3, 4].map(() => millisecondsOf(make)));
		const readingMs = best(() => timedWords(result?.transcription));
		// Now 2 to 5 times; more than 40 times when each cue was tried on its text.
		expect(best(() => subtitleCues(result)) / readingMs).toBeLessThan(20);
	});
});

/** The work on a text of `count` units, by what it does. */
const WORK: Readonly<Record<string, (count: number) => () => unknown>> = {
	'to pick soundbites from sentences at one time': (count) => {
		const words = sayWords('is. '.repeat(count).trim());
		const result = resultOf(transcribed(words.map((one) => ({ ...one, start: 0, end: 1 }))));
		return () => soundbitesOf(result);
	},
	'to pick soundbites from one endless sentence': (count) => {
		const result = resultOf(transcribed(sayWords('patiently '.repeat(count).trim())));
		return () => soundbitesOf(result);
	},
	'to find the speakers of short turns inside one long turn': (count) => {
		const short = Array.from({ length: count }, (_, start) => ({
			start,
			end: start + 0.5,
			speaker: 'Guest',
		}));
		const long = { start: 0, end: count, speaker: 'Host' };
		const speakerAt = speakersOf(resultOf(transcribed([], [long, ...short]))?.transcription);
		const find = () => short.map(({ start }) => speakerAt((start + 0.7) * 1_000));
		expect(new Set(find())).toEqual(new Set(['Host']));
		return find;
	},
	'to find the failure that an item carries': (count) => {
		const message = 'Could not [item 1]x'.repeat(count / 2);
		const run = runOf({}, [{ json: { failure: { message } } }]);
		return () => readItemForm(run, [], [0]);
	},
	'for a description': (count) => {
		const chapters = Array.from({ length: count }, (_, start) => ({
			start: start * 10,
			title: 'a',
		}));
		const episode_description = '[a](https://b.example) <'.repeat(count);
		const result = resultOf({ summarization: { chapters, episode_description } });
		return () => episodeDescription(result);
	},
};

it.each(Object.entries(WORK))('the time %s grows with the count', (_what, workFor) => {
	expect(slowdownOf(workFor, 12_800)).toBeLessThan(MAX_SLOWDOWN);
});

it('fills in the times of more words than a call can have arguments', () => {
	const words = sayWords(Array.from({ length: 200_000 }, () => 'a').join(' '));
	const oneTimed = words.map(({ id, text, ...times }, index) =>
		index === 0 ? { id, text, ...times } : { id, text },
	);
	const cues = subtitleCues(resultOf(transcribed(oneTimed)));
	const shown = cues.flatMap(({ lines }) => lines).join(' ');
	expect(shown.split(' ')).toHaveLength(200_000);
});
