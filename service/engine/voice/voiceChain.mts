import type { PcmFormat } from '../../media/pcmFile.mts';
import { bandPass, highPass, RunningBiquad, type Biquad } from '../signal/biquad.mts';
import { energyDb, energyOf, factorOf, SILENCE_DB } from '../signal/levels.mts';

/** What the chain does to a voice; levels in dB. */
export interface VoiceChainSettings {
	/** Filters that shape the tone, in order; when given, rumble goes, too. */
	equalizer?: readonly Biquad[] | undefined;
	/** When given, sharp sounds are softened. */
	dynamics?: Dynamics | undefined;
}

interface Dynamics {
	/** The level of the speech in the recording, dBFS. */
	readonly speechDb: number;
	/** Whether it is compressed and expanded, too. */
	readonly isEvened: boolean;
}

/** Below this there is rumble and no voice. */
const RUMBLE_HZ = 80;

/** Where sibilants are. */
const SIBILANCE = { frequencyHz: 6_500, q: 1 };

/** Sibilants louder than `depthDb` below the speech lose this share of the excess, at most `maxDb`. */
const DE_ESS = { depthDb: 12, share: 0.7, maxDb: 8 };

/** Speech is compressed from this far below its level on. */
const COMPRESSOR = { depthDb: 8, ratio: 2.5 };

/** Below this depth there is no speech but a pause or the room: it is lowered dB for dB, up to a limit. */
const EXPANDER = { depthDb: 28, maxDb: 15 };

/** How often gains are set, and how fast they follow the level. */
const STEP_SECONDS = 0.001;
const ATTACK_SECONDS = 0.004;
const RELEASE_SECONDS = 0.1;

/**
 * Makes a recorded voice sound as in a studio: high-pass, tone, de-esser, compressor, expander, in
 * this order. Dynamics are the same for all channels, so that the stereo image stays. Nothing is
 * delayed.
 */
export class VoiceChain {
	private readonly channels: number;
	private readonly stepFrames: number;
	private readonly tone: readonly RunningBiquad[][];
	private readonly sibilance: readonly RunningBiquad[];
	private readonly dynamics: Dynamics | undefined;
	private readonly voice = new Follower();
	private readonly sibilants = new Follower();
	private gain = 1;
	private deEssGain = 1;

	constructor({ equalizer, dynamics }: VoiceChainSettings, { sampleRateHz, channels }: PcmFormat) {
		const filters = equalizer ? [highPass(RUMBLE_HZ, sampleRateHz), ...equalizer] : [];
		const { frequencyHz, q } = SIBILANCE;
		const sibilance = bandPass(Math.min(frequencyHz, 0.4 * sampleRateHz), q, sampleRateHz);
		const forEachChannel = <T,>(make: () => T) => Array.from({ length: channels }, make);
		this.channels = channels;
		this.stepFrames = Math.round(STEP_SECONDS * sampleRateHz);
		this.tone = forEachChannel(() => filters.map((filter) => new RunningBiquad(filter)));
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
		const { speechDb, isEvened } = own;
		const stepSamples = this.stepFrames * this.channels;
		for (let start = 0; start < block.length; start += stepSamples) {
			const end = Math.min(block.length, start + stepSamples);
			const sibilantDb = this.sibilants.follow(levelDb(sibilance, start, end));
			const voiceDb = this.voice.follow(levelDb(block, start, end));
			const deEssGain = factorOf(deEssDb(sibilantDb - speechDb));
			const gain = isEvened ? factorOf(dynamicsDb(voiceDb - speechDb)) : 1;
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

/** How much sibilants are lowered, by their level relative to the speech. */
function deEssDb(relativeDb: number): number {
	const above = relativeDb + DE_ESS.depthDb;
	return above <= 0 ? 0 : -Math.min(DE_ESS.maxDb, DE_ESS.share * above);
}

/** The gain for a level relative to the speech: 0 dB where it is as loud as the speech. */
export function dynamicsDb(relativeDb: number): number {
	const slope = 1 - 1 / COMPRESSOR.ratio;
	const makeUpDb = slope * COMPRESSOR.depthDb;
	const above = Math.max(0, relativeDb + COMPRESSOR.depthDb);
	const below = Math.min(0, relativeDb + EXPANDER.depthDb);
	return makeUpDb - slope * above + Math.max(-EXPANDER.maxDb, below);
}

/** A level that rises fast and falls slowly. */
class Follower {
	private db = SILENCE_DB;

	follow(db: number): number {
		const seconds = db > this.db ? ATTACK_SECONDS : RELEASE_SECONDS;
		this.db += (db - this.db) * (1 - Math.exp(-STEP_SECONDS / seconds));
		return this.db;
	}
}

/** Mean square of all samples of a stretch, dB: a voice on one channel of two counts 3 dB less. */
function levelDb(samples: Float32Array, start: number, end: number): number {
	return energyDb(energyOf(samples, start, end) / (end - start));
}
