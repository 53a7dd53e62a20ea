import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditConfig } from '../shared/contract.mts';
import { decodedSeconds } from '../../testkit/service/media.mts';
import { startOpenAiServer, transcriptionRequestOf } from '../../testkit/service/openAiServer.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { assertNear } from './support/assertNear.mts';
import { answerOf } from './support/saidWords.mts';
import { onChannels, paused, PAUSED_SECONDS, talk, TALK_SECONDS } from './support/realSounds.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';

/** A real recording, what is done to it, and what must hold for the result. */
interface Case {
	title: string;
	sound: Buffer;
	config?: EditConfig;
	/** What the recognizer says. */
	answer?: object;
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

/** The RMS level of 16-bit samples, dBFS. */
function levelOf(pcm: Buffer): number {
	let energy = 0;
	for (let at = 0; at < pcm.length; at += 2) energy += (pcm.readInt16LE(at) / 32_768) ** 2;
	return 10 * Math.log10(energy / (pcm.length / 2));
}

/** Ways in which a voice may lie on the channels, by ffmpeg's `pan`. */
const CHANNELS: Readonly<Record<string, string>> = {
	'one channel': 'mono|c0=c0',
	'a second channel with reversed poles': 'stereo|c0=c0|c1=-1*c0',
	'a softer second channel with reversed poles': 'stereo|c0=-0.8*c0|c1=c0',
	'one of two channels': 'stereo|c0=0*c0|c1=c0',
	'four channels, two of them with reversed poles': '4.0|c0=c0|c1=-1*c0|c2=c0|c3=-1*c0',
	'the center of six channels': '5.1|FL=0*c0|FR=0*c0|FC=c0|LFE=0*c0|BL=0*c0|BR=0*c0',
};

/** Recognizers' answers for the talk, by which nothing may be cut. */
const DISBELIEVED: Readonly<Record<string, object>> = {
	'an "Um" of 11 s': answerOf([['Um', 1.5, 12.5]]),
	'an "uh" of 2.5 s': answerOf([['uh', 1, 3.5]]),
	'a filler of another language that lasts 6 s': answerOf([['ähm', 2, 8]], { language: 'german' }),
	'an "um" of 1.9 s over several words': answerOf([['um', 8.4, 10.3]]),
	'an "um" of 1.9 s over words and a pause': answerOf([['um', 3.6, 5.5]]),
	'an "um" of 2 s after the other': answerOf(
		[0, 2, 4, 6, 8, 10].map((start) => ['um', start + 0.3, start + 2.3]),
	),
	'a "the" of 11 s before another': answerOf([
		['the', 1.5, 12.4],
		['the', 12.5, 12.7],
	]),
	'a "the" before another of 9 s': answerOf([
		['the', 2, 2.6],
		['the', 2.65, 11.5],
	]),
	'a broken-off word of 10 s': answerOf([
		['b-', 2, 12],
		['but', 12.1, 12.4],
	]),
	'"the the" with other words between': answerOf([
		['the', 8.3, 8.5],
		['the', 9.1, 9.3],
	]),
	'fillers without times': answerOf([
		['so', 1, 1.3],
		['um', null, null],
		['uh', null, undefined],
		['then', 4, 4.3],
	]),
	'an "um" without an end': answerOf([
		['um', 2, null],
		['then', 3.8, 4],
	]),
	'an "um" without a start': answerOf([
		['so', 1, 1.2],
		['um', null, 3.2],
	]),
	'an "um" that ends before it begins': answerOf([['um', 9.5, 8.5]]),
	'times that begin anew': answerOf([
		['so', 8.4, 8.6],
		['um', 0.4, 0.9],
	]),
	'an "um" in a segment without word times': {
		text: 'Um, the the show.',
		segments: [{ text: 'Um, the the show.', start: 0.4, end: 3 }],
	},
	'an "um" of 11 s in the words of a segment': {
		text: 'Um.',
		segments: [{ text: 'Um.', start: 1, end: 12, words: [{ text: 'Um', start: 1, end: 12 }] }],
	},
};

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
		const { result, file } = await service.ann.finish(sound, config);
		if (one.seconds !== undefined) {
			assertNear(await decodedSeconds(file), one.seconds, 0.05, 'seconds');
		}
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
