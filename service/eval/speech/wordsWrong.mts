import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { activeRms, fromDb } from '../../../testkit/media/signals.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { pinkNoise, roomTone } from '../conditions.mts';
import type { Half } from '../recorded/speakers.mts';
import { MUSIC, soundFiles, soundOf } from '../recorded/soundFiles.mts';
import { SPEECH_RMS } from '../scene.mts';
import { whispered } from '../whisper.mts';
import { heardWords, type Judgement, judged, percent, sumOf } from './heardTalk.mts';
import { ROOM_DB, sentenceTalks } from './knownTalks.mts';

/** Words of sentences, a voice. */
const TALK_SECONDS = 75;

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

interface Wrong {
	readonly wrong: number;
	readonly missing: number;
}

/**
 * What base got wrong of the judged half when it heard every half minute whole, with a second more, in percent: of
 * each language, and of all of them in a condition that a deaf search for speech would fail in.
 */
const BEFORE: Readonly<Record<string, Wrong>> = {
	'plain, fr': { wrong: 9.9, missing: 1.2 },
	'plain, ru': { wrong: 10.6, missing: 2.1 },
	'plain, en': { wrong: 2.8, missing: 1.4 },
	'10 dB': { wrong: 15.5, missing: 1.9 },
	whispered: { wrong: 21.1, missing: 4 },
	'over a bed': { wrong: 12, missing: 2.9 },
};

/** How much worse it may be, percent of all words. */
const WORSE = { plain: 0.5, other: 1 };

/** Lets a recognizer hear sentences of known words, alone and through noise. The tuning half has no bars. */
export async function wordsWrongBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
): Promise<Bar[]> {
	const talks = await sentenceTalks(half, TALK_SECONDS);
	console.log('words wrong (missing) in %: condition | each voice | all');
	const bars: Bar[] = [];
	for (const [condition, change] of Object.entries(CONDITIONS)) {
		const judgements: Judgement[] = [];
		for (const talk of talks) {
			const words = await heardWords(await change(talk.samples), recognizer, folder);
			judgements.push(judged(talk.said, words));
		}
		const figures = [...judgements, sumOf(judgements)].map(({ wrong, missing, said }) => {
			return `${percent(wrong, said).toFixed(1)} (${percent(missing, said).toFixed(1)})`;
		});
		const voices = talks.map(({ name, said }) => `${name} ${said.length}`).join(', ');
		console.log([condition, ...figures, voices].join(' | '));
		if (half === 'tuning') continue;
		if (condition === 'plain') {
			for (const [at, { language }] of talks.entries()) {
				bars.push(...barsOf(`plain, ${language}`, judgements[at], WORSE.plain));
			}
		} else bars.push(...barsOf(condition, sumOf(judgements), WORSE.other));
	}
	return bars;
}

function barsOf(what: string, { said, ...judgement }: Judgement, worse: number): Bar[] {
	if (!(what in BEFORE)) return [];
	return (['wrong', 'missing'] as const).map((kind) => ({
		name: `words ${kind}, ${what}, of ${said}`,
		figure: percent(judgement[kind], said),
		limit: Number((BEFORE[what][kind] + worse).toFixed(1)),
		decimals: 1,
		unit: '%',
	}));
}
