import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditConfig } from '../shared/contract.mts';
import { finishedFile } from '../../testkit/service/client.mts';
import { decodedSeconds, loudnessLufs } from '../../testkit/service/media.mts';
import { startOpenAiServer, transcriptionRequestOf } from '../../testkit/service/openAiServer.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { assertNear } from './support/assertNear.mts';
import { answerOf, DISBELIEVED } from './support/saidWords.mts';
import {
	CHANGING,
	CHANNELS,
	HEARD,
	levelOf,
	offsetsOf,
	onChannels,
	paused,
	PAUSED_SECONDS,
	talk,
	TALK_SECONDS,
	thumping,
	UNHEARD,
	withOffset,
} from './support/realSounds.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';

/** A real recording, what is done to it, and what must hold for the result. */
interface Case {
	title: string;
	sound: Buffer;
	config?: EditConfig;
	/** What the recognizer says. */
	answer?: object;
	/** Its loudness afterwards, LUFS. */
	lufs?: number;
	/** The largest offset that is left, as a share of full scale, and the largest step of it. */
	offset?: Readonly<{ least: number; largest: number; step: number }>;
	/** What the result notes. */
	notes?: readonly string[];
	/** How loud the recognizer hears it at least, dBFS. */
	heardDb?: number;
	/** Length of the edited file. */
	seconds?: number;
	/** All words of the transcript. */
	words?: string;
	/** Where some of them begin and end, in seconds, by their place. */
	times?: Readonly<Record<number, readonly [number, number]>>;
}

/** Words of which each must stay where it is said. */
const BY_WORDS: EditConfig = {
	remove_noise: false,
	normalize: false,
	fillers: true,
	hesitations: true,
	stutters: true,
	transcription: true,
};

/** A talk with an "um" from 2.2 to 3 s that lies between words without a pause. */
const withUm = new SyntheticTalk().sentence().pause(0.05).word('a', 'i').filler(0.8).word('o', 'a');
const umStart = new SyntheticTalk().sentence().pause(0.05).word('a', 'i').seconds;

let answer: object = {};
let heardDb = NaN;
await using server = await startOpenAiServer((visit) => {
	heardDb = levelOf(transcriptionRequestOf(visit).wav.subarray(44));
	return { body: answer };
});
await using service = await startService(...QUICK, '--transcription-url', `${server.url}/v1`);

const words = (...texts: readonly (readonly [string, unknown?, unknown?])[]) => answerOf(texts);

const CASES: readonly Case[] = [
	...Object.entries(DISBELIEVED).map(
		([title, body]): Case => ({
			title: `cuts nothing by ${title}`,
			sound: talk,
			answer: body,
			config: BY_WORDS,
			seconds: TALK_SECONDS,
		}),
	),
	...(await Promise.all(
		Object.entries(CHANNELS).flatMap(([where, pan]) =>
			[false, true].map(
				async (remove_noise): Promise<Case> => ({
					title: `hears and cuts a voice on ${where} as on one, remove_noise ${remove_noise}`,
					sound: await onChannels(paused, pan),
					answer: words(['so', 1, 1.2]),
					config: { remove_noise, normalize: true, long_silences: true, transcription: true },
					heardDb: -26,
					seconds: PAUSED_SECONDS,
				}),
			),
		),
	)),
	...(await Promise.all(
		Object.entries(UNHEARD).flatMap(([what, sound]) =>
			[-16].map(
				async (target_lufs): Promise<Case> => ({
					title: `says that almost nothing is heard in ${what}, and makes it no louder`,
					sound,
					config: { remove_noise: false, normalize: true, target_lufs },
					seconds: 30,
					lufs: await loudnessLufs(sound),
					notes: ["almost nothing is heard in 'take.wav'"],
				}),
			),
		),
	)),
	...(await Promise.all(
		[0.005, -0.05, 0.3].flatMap((offset) =>
			Object.entries(CHANGING).map(
				async ([how, config]): Promise<Case> => ({
					title: `takes an offset of ${offset} out with ${how}`,
					sound: await withOffset(paused, offset),
					config: { remove_noise: false, ...config },
					seconds: 17,
					offset: { least: 0, largest: 0.005, step: 0.005 },
				}),
			),
		),
	)),
	{
		title: 'takes thumps that nobody hears out before it normalizes',
		sound: thumping,
		config: { remove_noise: false, normalize: true },
		lufs: -16,
		offset: { least: 0, largest: 0.02, step: 0.04 },
	},
	...(await Promise.all(
		[{}, { muted: true, long_silences: true }].map(
			async (config): Promise<Case> => ({
				title: `leaves an offset alone, without a step, with ${JSON.stringify(config)}`,
				sound: await withOffset(paused, 0.1),
				config: { remove_noise: false, ...config },
				seconds: 17,
				offset: { least: 0.099, largest: 0.103, step: 0.003 },
			}),
		),
	)),
	{
		title: 'says of silence that almost nothing is heard, whatever is asked for',
		sound: UNHEARD['digital silence'],
		config: { remove_noise: true, normalize: false, long_silences: true },
		notes: ["almost nothing is heard in 'take.wav'"],
	},
	...Object.entries(HEARD).map(
		([what, sound]): Case => ({
			title: `gives ${what} the target loudness`,
			sound,
			config: { remove_noise: false, normalize: true, target_lufs: -24 },
			seconds: 30,
			lufs: -24,
			notes: [],
		}),
	),
	{
		title: 'cuts nothing by an "um" whose times are milliseconds',
		sound: talk,
		answer: words(['um', 1_000, 2_400], ['then', 2_600, 3_000]),
		config: { ...BY_WORDS, transcription: false },
		seconds: TALK_SECONDS,
	},
	{
		title: 'cuts an "um" without pauses around it by the time of a recognizer',
		sound: withUm.wav(),
		answer: words(['so', 0, 1], ['um', umStart, umStart + 0.8], ['then', umStart + 0.9, 2.6]),
		config: BY_WORDS,
		seconds: withUm.seconds - 0.8,
		words: 'so then',
	},
	{
		title: 'gives a number without a time one between its neighbors',
		sound: talk,
		answer: words(['in', 1, 1.2], ['2026', null, null], ['we', 3, 3.2]),
		config: BY_WORDS,
		seconds: TALK_SECONDS,
		words: 'in 2026 we',
		times: { 0: [1, 1.2], 1: [1.2, 3], 2: [3, 3.2] },
	},
	{
		title: 'reads words in "text", times that are text, and drops an entry that is none',
		sound: talk,
		answer: {
			text: 'We talk.',
			words: [null, { text: 'we', start: '1.5', end: '1.7' }, { text: 'talk', start: 2, end: 2.4 }],
		},
		config: BY_WORDS,
		words: 'We talk.',
		times: { 0: [1.5, 1.7], 1: [2, 2.4] },
	},
	{
		title: 'falls back to segments where no word has a time, and repairs one of these',
		sound: talk,
		answer: {
			text: 'One two. Three.',
			words: [{ word: 'one' }, { word: 'two', start: null, end: null }],
			segments: [
				{ text: 'One two.', start: 1, end: 3 },
				{ text: 'Three.', start: null, end: null },
			],
		},
		config: BY_WORDS,
		words: 'One two. Three.',
		times: { 0: [1, 1.86] },
	},
	{
		title: 'keeps a number whose time covers a pause that is cut',
		sound: new SyntheticTalk().sentence().pause(6).sentence().wav(),
		answer: words(['2026', 0.2, 7.6], ['then', 7.7, 8]),
		config: {
			remove_noise: false,
			normalize: false,
			fillers: true,
			long_silences: true,
			transcription: true,
		},
		words: '2026 then',
	},
];

for (const { title, sound, config = {}, ...one } of CASES) {
	await test(title, async () => {
		[answer, heardDb] = [one.answer ?? {}, NaN];
		const edit = await service.ann.run(sound, config, 'take.wav', { filler_words: true });
		const { result, file } = await finishedFile(edit);
		if (one.seconds !== undefined) {
			assertNear(await decodedSeconds(file), one.seconds, 0.05, 'seconds');
		}
		if (one.lufs !== undefined) assertNear(await loudnessLufs(file), one.lufs, 0.5, 'LUFS');
		if (one.offset !== undefined) {
			const { largest, step } = await offsetsOf(file);
			const { offset } = one;
			assert.ok(largest >= offset.least && largest <= offset.largest, `an offset of ${largest}`);
			assert.ok(step <= offset.step, `a step of ${step}`);
		}
		if (one.notes !== undefined) assert.deepEqual(result.notes ?? [], one.notes);
		if (one.heardDb !== undefined) assert.ok(heardDb >= one.heardDb, `heard at ${heardDb} dBFS`);
		const heard = result.transcription?.transcription?.words ?? [];
		if (one.words !== undefined) assert.equal(heard.map((it) => it.text).join(' '), one.words);
		for (const [place, [start, end]] of Object.entries(one.times ?? {})) {
			const word = heard[Number(place)];
			assertNear(word.start ?? NaN, start, 0.05, `start of ${word.text}`);
			assertNear(word.end ?? NaN, end, 0.05, `end of ${word.text}`);
		}
	});
}
