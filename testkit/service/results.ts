import * as fc from 'fast-check';

import { type EditResult, editSchema } from '../../api/contract';

/** The text of the tests' transcripts. */
export const TALK =
	'Welcome back to the Slow Kitchen, the show about cooking without hurry. Today we talk to Maria Jones, who has run a bakery in Porto for twenty years, and she brought bread! "What is the secret," I asked, "of a good sourdough?" Well, it is mostly patience and the quality of the flour, but also the temperature of the room because yeast is alive. Yes. I see. So how long do you let the dough rest before you put it into the oven?';

/** Returns a result as the nodes see it, read from what a service may have sent. */
export function resultOf(result: unknown): EditResult | undefined {
	return editSchema.parse({ task_id: 'a', status: 'SUCCESS', result }).result;
}

/** A word with its times in seconds. */
interface TimedText {
	id: number;
	start: number;
	end: number;
	text: string;
}

/** Returns words at speaking pace, with a pause after each sentence. */
export function sayWords(text: string, fromSeconds = 0): TimedText[] {
	let seconds = fromSeconds;
	return text.split(' ').map((word, id) => {
		const start = Number(seconds.toFixed(3));
		seconds += 0.06 * word.length + 0.08;
		const end = Number(seconds.toFixed(3));
		if (/[.!?]"?$/.test(word)) seconds += 0.5;
		return { id, start, end, text: word };
	});
}

/** Returns a result with a word-level transcript. */
export function transcribed(words: unknown[], turns: unknown[] = [], paragraphs: unknown[] = []) {
	return { transcription: { paragraphs, transcription: { words, paragraphs: turns } } };
}

const SAID = [
	fc.string({ maxLength: 12 }),
	fc.string({ unit: 'grapheme', maxLength: 60 }),
	fc.constantFrom(
		'a',
		'the',
		'and',
		'end.',
		'so,',
		'<b>',
		'--> ',
		'{\\an8}',
		'&amp;',
		'42',
		'词语',
	),
	fc.stringMatching(/^[a-z]{1,90}$/),
];

/** Valid and invalid times. */
const anyTime = fc.oneof(
	{ weight: 6, arbitrary: fc.double({ min: 0, max: 300_000, noNaN: true }) },
	{ weight: 3, arbitrary: fc.double({ min: 0, max: 30, noNaN: true }) },
	fc.constantFrom(undefined, null, NaN, -1, 1e300, Infinity, '12.5', 'soon', {}, []),
);

const entry = fc.record(
	{ id: fc.nat(), start: anyTime, end: anyTime, text: fc.oneof(...SAID) },
	{ requiredKeys: [] },
);
const turn = fc.record(
	{ start: anyTime, end: anyTime, speaker: fc.oneof(...SAID) },
	{ requiredKeys: [] },
);

/** Words with rising times, at any pace. */
const risingWords = fc
	.array(fc.tuple(fc.oneof(...SAID), fc.double({ min: 0, max: 3, noNaN: true })), { maxLength: 80 })
	.map((steps) => {
		let seconds = 0;
		return steps.map(([text, length], id) => {
			const start = seconds;
			seconds += length;
			return { id, start, end: seconds, text };
		});
	});

function orOdd<T>(arbitrary: fc.Arbitrary<T>) {
	return fc.oneof(
		{ weight: 8, arbitrary },
		{ weight: 1, arbitrary: fc.constantFrom(null, undefined, [], {}, '', 'a text', 7) },
	);
}

const text = orOdd(fc.oneof(...SAID, fc.string({ maxLength: 200 }), fc.lorem()));
const entries = fc.oneof(orOdd(risingWords), orOdd(fc.array(orOdd(entry), { maxLength: 60 })));

/** What a service may send as `result`: whole, in parts, or garbage. */
export const anyResultBody: fc.Arbitrary<unknown> = orOdd(
	fc.record(
		{
			filename: text,
			statistics: orOdd(fc.dictionary(fc.string(), orOdd(fc.nat()))),
			transcription: orOdd(
				fc.record(
					{
						paragraphs: entries,
						transcription: orOdd(
							fc.record(
								{ words: entries, paragraphs: orOdd(fc.array(orOdd(turn))) },
								{ requiredKeys: [] },
							),
						),
					},
					{ requiredKeys: [] },
				),
			),
			transcript: text,
			summary: text,
			summarization: orOdd(
				fc.record(
					{
						title: text,
						summary: text,
						summaries: orOdd(fc.array(text)),
						chapters: orOdd(fc.array(orOdd(fc.record({ start: anyTime, title: text })))),
						key_learnings: text,
						summary_of_summary: text,
						episode_description: text,
					},
					{ requiredKeys: [] },
				),
			),
			social_content: orOdd(
				fc.record({ newsletter: text, twitter_thread: text, linkedin: text }, { requiredKeys: [] }),
			),
		},
		{ requiredKeys: [] },
	),
);
