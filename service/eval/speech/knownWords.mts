import { type Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import {
	activeRms,
	framesOf,
	fromDb,
	scaled,
	whiteNoise,
} from '../../../testkit/media/signals.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { pinkNoise, roomTone } from '../conditions.mts';
import type { Half } from '../recorded/speakers.mts';
import { MUSIC, soundFiles, soundOf } from '../recorded/soundFiles.mts';
import { SPEECH_RMS } from '../scene.mts';
import { noiseSound } from '../sounds.mts';
import { whispered } from '../whisper.mts';
import { fillerBars } from './spokenFillers.mts';
import { heardWords, type Judgement, judged, sumOf } from './heardTalk.mts';
import { ROOM_DB, sentenceTalks, wordTalks } from './knownTalks.mts';
import { trackBars } from './twoTracks.mts';

/** Words of sentences, a voice. */
const TALK_SECONDS = 75;

/** Words that are recordings of their own. */
const WORDS_SECONDS = 150;

/** Sounds without words. */
const WORDLESS_SECONDS = 150;

const OFF_SECONDS = 0.3;

const CONDITIONS: Record<string, (samples: Float32Array) => Promise<Float32Array>> = {
	plain: async (samples) => await Promise.resolve(samples),
	'10 dB': async (samples) => {
		const noise = pinkNoise(samples.length, new Chance(2));
		const gain = SPEECH_RMS * fromDb(-10);
		return await Promise.resolve(samples.map((sample, at) => sample + gain * noise[at]));
	},
	whispered: async (samples) => {
		const room = roomTone(samples.length, ROOM_DB, new Chance(4));
		const whisper = whispered(samples, new Chance(3));
		return await Promise.resolve(whisper.map((sample, at) => sample + room[at]));
	},
	'over a bed': async (samples) => {
		const bed = await soundOf(soundFiles(MUSIC)[0], { startSeconds: 20, seconds: 120 });
		const gain = (SPEECH_RMS * fromDb(-12)) / activeRms(bed);
		return samples.map((sample, at) => sample + gain * bed[at % bed.length]);
	},
};

/**
 * What a recognizer makes of known words: how many it gets wrong, where they are, and what it invents.
 *
 * @param parts `words`, `times`, `tracks`, `wordless` or `fillers`; all if there is none.
 */
export async function knownWordBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
	parts: readonly string[],
): Promise<Bar[]> {
	const bars: Bar[] = [];
	const isWanted = (part: string) => parts.length === 0 || parts.includes(part);
	if (isWanted('words')) await printWordsWrong(half, recognizer, folder);
	if (isWanted('times')) bars.push(...(await timeBars(half, recognizer, folder)));
	if (isWanted('tracks')) bars.push(...(await trackBars(half, recognizer, folder)));
	if (isWanted('wordless')) bars.push(await inventedBar(recognizer, folder));
	if (isWanted('fillers')) bars.push(...(await fillerBars(half, recognizer, folder)));
	return bars;
}

const percent = (part: number, whole: number) => (100 * part) / Math.max(1, whole);

async function printWordsWrong(half: Half, recognizer: Transcriber, folder: string) {
	const talks = await sentenceTalks(half, TALK_SECONDS);
	console.log('words wrong (missing) in %: condition | each voice | all');
	for (const [name, condition] of Object.entries(CONDITIONS)) {
		const judgements: Judgement[] = [];
		for (const talk of talks) {
			const words = await heardWords(await condition(talk.samples), recognizer, folder);
			judgements.push(judged(talk.said, words));
		}
		const figures = [...judgements, sumOf(judgements)].map(({ wrong, missing, said }) => {
			return `${percent(wrong, said).toFixed(1)} (${percent(missing, said).toFixed(1)})`;
		});
		const voices = talks.map((talk) => `${talk.name} ${talk.said.length}`).join(', ');
		if (judgements.length > 0) console.log([name, ...figures, voices].join(' | '));
	}
}

async function timeBars(half: Half, recognizer: Transcriber, folder: string): Promise<Bar[]> {
	const talks = await wordTalks(half, WORDS_SECONDS);
	const judgements: Judgement[] = [];
	for (const talk of talks) {
		judgements.push(judged(talk.said, await heardWords(talk.samples, recognizer, folder)));
	}
	const { placed, said, wrong } = sumOf(judgements);
	console.log(
		`${placed.length} of ${said} words have known places and were recognized, ${percent(wrong, said).toFixed(1)} % wrong`,
	);
	const offsOf = (key: 'startSeconds' | 'endSeconds') =>
		placed.map(({ said: { place }, heard }) => Math.abs(heard[key] - (place?.[key] ?? 0)));
	return (['startSeconds', 'endSeconds'] as const).map((key) => {
		const offs = offsOf(key);
		const sorted = offs.toSorted((a, b) => a - b);
		const off = offs.filter((one) => one > OFF_SECONDS).length;
		const name = `${key === 'startSeconds' ? 'starts' : 'ends'} off by more than 300 ms (median ${(1000 * (sorted[Math.floor(sorted.length / 2)] ?? 0)).toFixed(0)} ms)`;
		const limit = key === 'startSeconds' ? 15 : 20;
		return { name, figure: percent(off, placed.length), limit, decimals: 1, unit: '%' };
	});
}

async function inventedBar(recognizer: Transcriber, folder: string): Promise<Bar> {
	const frames = framesOf(WORDLESS_SECONDS);
	const sounds: Record<string, () => Promise<Float32Array> | Float32Array> = {
		silence: () => new Float32Array(frames),
		room: () => roomTone(frames, ROOM_DB, new Chance(5)),
		white: () => scaled(whiteNoise(frames, new Chance(6)), 0.03),
		office: () => scaled(noiseSound('office', frames, new Chance(7)), 0.02),
	};
	soundFiles(MUSIC)
		.slice(1, 4)
		.forEach((path, at) => {
			sounds[`music ${at + 1}`] = () =>
				soundOf(path, { startSeconds: 0, seconds: WORDLESS_SECONDS });
		});
	let [words, seconds] = [0, 0];
	for (const [name, make] of Object.entries(sounds)) {
		const samples = await make();
		const invented = await heardWords(samples, recognizer, folder);
		words += invented.length;
		seconds += samples.length / framesOf(1);
		console.log(
			`${name}: ${invented.length} words invented: ${invented
				.map(({ text }) => text)
				.join(' ')
				.slice(0, 100)}`,
		);
	}
	return {
		name: 'words invented a minute of noise, music and silence',
		figure: (60 * words) / seconds,
		limit: 1,
	};
}
