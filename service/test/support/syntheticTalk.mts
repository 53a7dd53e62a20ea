import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { Chance } from '../../../testkit/measure/chance.mts';
import {
	addAt,
	atRms,
	faded,
	framesOf,
	fromDb,
	RATE_HZ,
	resonated,
	whiteNoise,
} from '../../../testkit/media/signals.mts';
import { breathSound, clickSound } from '../../eval/sounds.mts';
import { convertedCopy } from '../../engine/denoisedCopy.mts';
import type { SearchedTrack } from '../../engine/track.mts';
import { ANALYSIS_FORMAT } from '../../media/decode.mts';
import type { PcmFile } from '../../media/pcmFile.mts';
import { pcmOf, wavOf } from '../../../testkit/service/signals.mts';

const SPEECH = fromDb(-23);

/** First and second formants of vowels, Hz. */
const VOWELS = {
	a: [750, 1_250],
	e: [450, 2_000],
	i: [290, 2_300],
	o: [480, 850],
	u: [320, 750],
	schwa: [540, 1_450],
} as const;
type Vowel = keyof typeof VOWELS;

/** How high the one who talks speaks. */
const PITCH_HZ = 125;

/** A talk made without a speech synthesizer: gliding, buzzing vowels, with breaths and clicks. */
export class SyntheticTalk {
	private readonly chance = new Chance(5);
	private readonly parts: Float32Array[] = [];
	private frames = 0;
	private hasMusic = false;

	get seconds(): number {
		return this.frames / RATE_HZ;
	}

	pause(seconds: number): this {
		return this.add(new Float32Array(framesOf(seconds)));
	}

	/** Adds a word: vowels that glide into one another. */
	word(...vowels: readonly Vowel[]): this {
		return this.add(this.glide(vowels, 0.16));
	}

	/** Adds two vowels, the first of which slowly becomes the other, as in some fillers. */
	slowGlide(seconds: number, ...vowels: readonly [Vowel, Vowel]): this {
		return this.add(this.glide(vowels, seconds / 2));
	}

	/** Adds the broken-off beginning of a word. */
	fragment(seconds: number, ...vowels: readonly Vowel[]): this {
		return this.add(faded(this.glide(vowels, 0.16).slice(0, framesOf(seconds)), 0.003, 0.03));
	}

	/** @param pitchHz the talk's own, or that of somebody else who answers. */
	filler(seconds: number, vowel: Vowel = 'schwa', pitchHz = PITCH_HZ, fallSemitones = 0): this {
		return this.add(this.voiced(vowel, seconds, fallSemitones, pitchHz));
	}

	/** Adds the soft end of a word or its echo: noise that dies away, 60 dB in `seconds`. */
	tail(seconds: number): this {
		const noise = atRms(whiteNoise(framesOf(seconds), this.chance), SPEECH * fromDb(-8));
		const decay = Math.log(1_000) / noise.length;
		return this.add(noise.map((sample, frame) => sample * Math.exp(-decay * frame)));
	}

	/** Adds the burst of a consonant such as t. */
	burst(): this {
		const noise = whiteNoise(framesOf(0.02), this.chance);
		return this.add(faded(atRms(noise, SPEECH * 0.5), 0.001, 0.015));
	}

	/** Adds chords to the whole talk, 15 dB below speech. */
	overMusic(): this {
		this.hasMusic = true;
		return this;
	}

	/** @param level in dB relative to speech. */
	breath(level: number): this {
		return this.add(breathSound(this.chance).map((sample) => sample * SPEECH * fromDb(level)));
	}

	click(): this {
		return this.add(clickSound(this.chance).map((sample) => sample * SPEECH * 0.7));
	}

	/** Adds a few meaningless words. */
	sentence(): this {
		return this.word('a', 'i', 'o')
			.pause(0.06)
			.word('e', 'u', 'a', 'i')
			.pause(0.05)
			.word('o', 'e', 'a');
	}

	/** Returns the whole talk with the noise of a quiet room. */
	samples(): Float32Array {
		const all = whiteNoise(this.frames, new Chance(9)).map((sample) => sample * 0.0003);
		if (this.hasMusic) addAt(all, chords(this.frames), 0, SPEECH * fromDb(-15));
		let frame = 0;
		for (const part of this.parts) {
			addAt(all, part, frame);
			frame += part.length;
		}
		return all;
	}

	/** Writes the talk to a new folder inside of this one, and returns it as `searched` does. */
	async track(folder: string): Promise<SearchedTrack> {
		const workFolder = await mkdtemp(join(folder, 'talk'));
		const path = join(workFolder, 'talk.f32');
		const pcm = await pcmOf(this.samples(), path, { sampleRateHz: RATE_HZ });
		return await searched(pcm, workFolder);
	}

	wav(): Buffer {
		return wavOf(this.samples(), RATE_HZ);
	}

	private add(part: Float32Array): this {
		this.parts.push(part);
		this.frames += part.length;
		return this;
	}

	private glide(vowels: readonly Vowel[], syllableSeconds: number): Float32Array {
		const length = framesOf(syllableSeconds);
		const seconds = vowels.length * syllableSeconds;
		const layers = vowels.map((vowel) => this.voiced(vowel, seconds, 3));
		return Float32Array.from({ length: vowels.length * length }, (_, frame) => {
			const position = Math.max(0, frame / length - 0.5);
			const index = Math.min(vowels.length - 1, Math.floor(position));
			const next = layers.at(index + 1) ?? layers[index];
			const share = position - index;
			return (1 - share) * layers[index][frame] + share * next[frame];
		});
	}

	/** Returns a buzz through resonances, with its pitch falling by a number of semitones. */
	private voiced(
		vowel: Vowel,
		seconds: number,
		fallSemitones: number,
		pitchHz = PITCH_HZ,
	): Float32Array {
		let phase = 0;
		const frames = framesOf(seconds);
		const buzz = new Float32Array(frames);
		for (let i = 0; i < frames; i++) {
			const hz = pitchHz * 2 ** ((-fallSemitones * i) / frames / 12);
			phase += hz / RATE_HZ;
			if (phase >= 1) {
				phase -= 1;
				buzz[i] = 1;
			}
		}
		const [first, second] = VOWELS[vowel];
		const sound = new Float32Array(frames);
		addAt(sound, resonated(buzz, first, 90), 0);
		addAt(sound, resonated(buzz, second, 130), 0, 0.6);
		addAt(sound, resonated(buzz, 2_600, 250), 0, 0.3);
		addAt(sound, resonated(buzz, 150, 200), 0, 0.5);
		return faded(atRms(sound, SPEECH), 0.02, 0.04);
	}
}

/** Words first and last, so that there is a voice to compare with. */
export function talkWith(add: (talk: SyntheticTalk) => SyntheticTalk): SyntheticTalk {
	const talk = new SyntheticTalk().sentence().pause(0.4).sentence().pause(0.3);
	return add(talk).pause(0.3).sentence().pause(0.5).sentence();
}

/** When what is added begins in `talkWith`. */
export const START_SECONDS = new SyntheticTalk()
	.sentence()
	.pause(0.4)
	.sentence()
	.pause(0.3).seconds;

/** Returns a recording for the engine to search, as it is: nothing is denoised. */
export async function searched(pcm: PcmFile, workFolder: string): Promise<SearchedTrack> {
	const format = { ...ANALYSIS_FORMAT, channels: pcm.channels };
	const analysis = await convertedCopy(pcm, join(workFolder, 'analysis.s16'), format);
	return { pcm, analysis, clean: pcm, music: [], humHz: [], workFolder };
}

/** Chords of half a second, each loud at first, at RMS 1. */
function chords(frames: number): Float32Array {
	const roots = [220, 262, 196, 247];
	const length = framesOf(0.5);
	const sound = Float32Array.from({ length: frames }, (_, frame) => {
		const root = roots[Math.floor(frame / length) % roots.length];
		const loudness = Math.exp((-3 * (frame % length)) / length);
		return [1, 1.25, 1.5, 2, 3].reduce((sum, ratio) => {
			return sum + loudness * Math.sin((2 * Math.PI * root * ratio * frame) / RATE_HZ);
		}, 0);
	});
	return atRms(sound, 1);
}
