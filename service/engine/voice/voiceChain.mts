import type { PcmFormat } from '../../media/pcmFile.mts';
import { bandPass, RunningBiquad, type Biquad } from '../signal/biquad.mts';
import { energyDb, energyOf, factorOf, SILENCE_DB } from '../signal/levels.mts';

/** What the chain does to a voice; levels in dB. */
export interface VoiceChainSettings {
	/** Filters that shape the tone, in order. */
	equalizer?: readonly Biquad[] | undefined;
	/** When given, sharp sounds are softened. */
	dynamics?: Dynamics | undefined;
}

interface Dynamics {
	/** The level of the speech in the recording, dBFS. */
	readonly speechDb: number;
	/** Whether it is compressed and expanded, too. */
	readonly isEvened: boolean;
	/** Sibilants are softened from this level against the speech on; 0 dB, where only sharp ones are, if missing. */
	readonly deEssFromDb?: number | undefined;
}

/** Where sibilants are. */
const SIBILANCE = { frequencyHz: 6_500, q: 1 };

/** Sibilants that are too loud lose this share of the excess, at most `maxDb`. */
const DE_ESS = { share: 0.9, maxDb: 8 };

/** Where the loud moments of a sentence usually are, from where on speech is compressed, against its mean level, dB. */
const COMPRESSOR = { usualDb: 6, fromDb: -4, ratio: 2.5 };

/** Below this depth there is little speech but pauses and the room: they are lowered dB for dB, up to a limit. */
const EXPANDER = { depthDb: 20, maxDb: 20 };

/** How often gains are set. */
const STEP_SECONDS = 0.001;

/**
 * How fast gains follow the level, seconds. A fast compressor would raise the noise between syllables, which listeners
 * mind more than loud and soft words.
 */
const FAST = { attack: 0.004, release: 0.1 };
const SLOW = { attack: 0.01, release: 2 };

/**
 * Makes a recorded voice sound as in a studio: tone, de-esser, compressor, expander, in this order. Dynamics are the
 * same for all channels, so that the stereo image stays. Nothing is delayed.
 */
export class VoiceChain {
	private readonly channels: number;
	private readonly stepFrames: number;
	private readonly tone: readonly RunningBiquad[][];
	private readonly sibilance: readonly RunningBiquad[];
	private readonly dynamics: Dynamics | undefined;
	private readonly voice = new Follower(SLOW);
	private readonly sounds = new Follower(FAST);
	private readonly sibilants = new Follower(FAST);
	private gain = 1;
	private deEssGain = 1;

	constructor(
		{ equalizer = [], dynamics }: VoiceChainSettings,
		{ sampleRateHz, channels }: PcmFormat,
	) {
		const { frequencyHz, q } = SIBILANCE;
		const sibilance = bandPass(Math.min(frequencyHz, 0.4 * sampleRateHz), q, sampleRateHz);
		const forEachChannel = <T,>(make: () => T) => Array.from({ length: channels }, make);
		this.channels = channels;
		this.stepFrames = Math.round(STEP_SECONDS * sampleRateHz);
		this.tone = forEachChannel(() => equalizer.map((filter) => new RunningBiquad(filter)));
		this.sibilance = forEachChannel(() => new RunningBiquad(sibilance));
		this.dynamics = dynamics;
	}

	/** Works on interleaved frames in place. */
	process(block: Float32Array): void {
		this.tone.forEach((filters, channel) => {
			for (const filter of filters) filter.process(block, block, channel, this.channels);
		});
		if (this.dynamics) this.shape(block, this.sibilanceIn(block), this.dynamics);
	}

	private sibilanceIn(block: Float32Array): Float32Array {
		const sibilance = new Float32Array(block.length);
		this.sibilance.forEach((filter, channel) => {
			filter.process(block, sibilance, channel, this.channels);
		});
		return sibilance;
	}

	/** De-esser, compressor and expander, step by step. */
	private shape(block: Float32Array, sibilance: Float32Array, own: Dynamics): void {
		const { speechDb, isEvened, deEssFromDb = 0 } = own;
		const stepSamples = this.stepFrames * this.channels;
		for (let start = 0; start < block.length; start += stepSamples) {
			const end = Math.min(block.length, start + stepSamples);
			const sibilantDb = this.sibilants.follow(levelDb(sibilance, start, end));
			const db = levelDb(block, start, end);
			const voiceDb = this.voice.follow(db);
			const soundDb = this.sounds.follow(db);
			const deEssGain = factorOf(deEssDb(sibilantDb - speechDb - deEssFromDb));
			const gain = isEvened ? factorOf(dynamicsDb(voiceDb - speechDb, soundDb - speechDb)) : 1;
			const frames = (end - start) / this.channels;
			for (let i = start; i < end; i++) {
				const way = (1 + Math.floor((i - start) / this.channels)) / frames;
				const shared = this.gain + (gain - this.gain) * way;
				const deEssed = this.deEssGain + (deEssGain - this.deEssGain) * way;
				block[i] = shared * (block[i] - (1 - deEssed) * sibilance[i]);
			}
			this.gain = gain;
			this.deEssGain = deEssGain;
		}
	}
}

/** How much sibilants are lowered, by how far they are too loud. */
function deEssDb(above: number): number {
	return above <= 0 ? 0 : -Math.min(DE_ESS.maxDb, DE_ESS.share * above);
}

/**
 * The gain for levels relative to the speech: 0 dB where it is as loud as usual.
 *
 * @param voiceDb of the last seconds.
 * @param soundDb of this moment.
 */
function dynamicsDb(voiceDb: number, soundDb: number): number {
	const { usualDb, fromDb, ratio } = COMPRESSOR;
	const evenedDb = (1 - 1 / ratio) * (usualDb - Math.max(fromDb, voiceDb));
	const below = Math.min(0, soundDb + EXPANDER.depthDb);
	return evenedDb + Math.max(-EXPANDER.maxDb, below);
}

/** A level that rises fast and falls slowly. */
class Follower {
	private db = SILENCE_DB;
	private readonly speed: typeof FAST;

	constructor(speed: typeof FAST) {
		this.speed = speed;
	}

	follow(db: number): number {
		const seconds = db > this.db ? this.speed.attack : this.speed.release;
		this.db += (db - this.db) * (1 - Math.exp(-STEP_SECONDS / seconds));
		return this.db;
	}
}

/** Mean square of all samples of a stretch, dB: a voice on one channel of two counts 3 dB less. */
function levelDb(samples: Float32Array, start: number, end: number): number {
	return energyDb(energyOf(samples, start, end) / (end - start));
}
