import { BAND_EDGES, BANDS, bandPowers } from './noiseBands.mts';
import { NoiseFloor } from './noiseFloor.mts';
import { BINS, WINDOW_SAMPLES } from '../signal/windowTransform.mts';

/** Gains are decided this many frames late, so that an onset raises them before it begins. */
export const LOOK_AHEAD_FRAMES = 2;

/** How much less certain speech is with each frame of distance. */
const SPREAD_PER_FRAME = 0.2;

/** Nothing is attenuated by more than 20 dB: a room without any sound seems dead. */
const MIN_GAIN = 0.1;

/** Returns the gain, 0.1 to 1, between two powers. */
export function gainOf(after: number, before: number): number {
	return Math.max(MIN_GAIN, Math.min(1, Math.sqrt(after / before)));
}

/** A band at least this far above the noise floor certainly holds speech, dB; below the second, none. */
const SPEECH_DB = 9;
const NOISE_DB = 2;

/** How much the last frame's estimate of the speech counts (Ephraim and Malah 1984). */
const MEMORY = 0.9;

/** The least ratio of speech to noise that is assumed, as powers. */
const FAINTEST_SPEECH = 0.003;

/** What is this many times stronger than the quietest sound around it is no noise: people clap, or music plays. */
const MAX_TIMES = 5;

/** Mean square of a signal, from the sum of the powers of its bins (Parseval, root-Hann window). */
const PER_POWER = 4 / WINDOW_SAMPLES ** 2;

/** The bands from here on are above rumble, which the survey leaves out. */
const FIRST_BAND = BAND_EDGES.findIndex((bin) => bin >= 2);

/** Keeps divisions and logarithms of silence finite. */
const TINY = 1e-14;

/**
 * Decides how much of each frequency to keep, frame by frame, from two estimates: what RNNoise would
 * keep, and what stands out from the noise floor. In bands clearly above the floor the larger one
 * counts, so a word is kept if either finds it. In other bands the smaller one counts, so pauses are
 * quiet and free of chirps.
 */
export class NoiseGains {
	private readonly floor = new NoiseFloor(BANDS);
	private readonly bands = new Float64Array(BANDS);
	private readonly noise = new Float64Array(BANDS);
	private readonly speech = new Float64Array(BINS);
	private readonly presence = new Float64Array(BANDS);
	private readonly frames = Array.from({ length: LOOK_AHEAD_FRAMES + 2 }, () => new Frame());
	private frame = 0;

	/**
	 * Writes the gains (0.1 to 1) of the frame `LOOK_AHEAD_FRAMES` earlier.
	 *
	 * @param input the powers of a frame of the input
	 * @param byRnnoise how much of its amplitudes RNNoise keeps (0 to 1)
	 * @param noise the mean square of the noise within 15 s, without rumble
	 */
	next(input: Float64Array, byRnnoise: Float64Array, noise: number, gains: Float64Array): void {
		bandPowers(input, this.bands);
		this.floor.write(this.bands);
		this.limitNoise(MAX_TIMES * noise);
		const { length } = this.frames;
		this.estimate(input, byRnnoise, this.frames[this.frame % length]);
		this.spreadPresence();
		const { lower, upper } = this.frames[(this.frame - LOOK_AHEAD_FRAMES + length) % length];
		for (let band = 0; band < BANDS; band++) {
			const presence = this.presence[band];
			for (let bin = BAND_EDGES[band]; bin < BAND_EDGES[band + 1]; bin++) {
				const gain = lower[bin] + presence * (upper[bin] - lower[bin]);
				gains[bin] = Math.max(MIN_GAIN, gain);
			}
		}
		this.frame++;
	}

	/** Takes the noise from the floor of the last seconds, but no more than there is around them. */
	private limitNoise(most: number): void {
		const { powers } = this.floor;
		let sum = 0;
		for (let band = FIRST_BAND; band < BANDS; band++) {
			sum += powers[band] * (BAND_EDGES[band + 1] - BAND_EDGES[band]);
		}
		const share = Math.min(1, most / (PER_POWER * sum + TINY));
		for (let band = 0; band < BANDS; band++) this.noise[band] = share * powers[band];
	}

	private estimate(input: Float64Array, byRnnoise: Float64Array, frame: Frame): void {
		const { noise, speech } = this;
		const { lower, upper } = frame;
		for (let band = 0; band < BANDS; band++) {
			const perNoise = 1 / (noise[band] + TINY);
			for (let bin = BAND_EDGES[band]; bin < BAND_EDGES[band + 1]; bin++) {
				const power = input[bin];
				const now = Math.max(0, power * perNoise - 1);
				const before = speech[bin] * perNoise;
				const ratio = Math.max(FAINTEST_SPEECH, MEMORY * before + (1 - MEMORY) * now);
				const kept = ratio / (1 + ratio);
				speech[bin] = kept * kept * power;
				lower[bin] = Math.min(kept, byRnnoise[bin]);
				upper[bin] = Math.max(kept, byRnnoise[bin]);
			}
		}
		presenceIn(this.bands, noise, frame.presence);
	}

	/** Computes the presence of speech in the frame that is due, counting the frames around it. */
	private spreadPresence(): void {
		const { length } = this.frames;
		this.presence.fill(0);
		for (let place = 0; place < length; place++) {
			const { presence } = this.frames[(this.frame + 1 + place) % length];
			// Place 0 is the frame before the one that is due.
			const weight = 1 - SPREAD_PER_FRAME * Math.abs(place - 1);
			for (let band = 0; band < BANDS; band++) {
				const value = weight * presence[band];
				if (value > this.presence[band]) this.presence[band] = value;
			}
		}
	}
}

/** What is known of one frame. */
class Frame {
	/** The smaller and the larger of the two estimates. */
	readonly lower = new Float64Array(BINS);
	readonly upper = new Float64Array(BINS);
	/** How certain speech is in each band, 0 to 1. */
	readonly presence = new Float64Array(BANDS);
}

/** Writes how certain speech is in each band, 0 to 1, averaged with the bands beside it. */
function presenceIn(powers: Float64Array, noise: Float64Array, target: Float64Array): void {
	let before = 0;
	let here = 0;
	for (let band = 0; band <= BANDS; band++) {
		const after = band < BANDS ? certainty(powers[band], noise[band]) : here;
		if (band > 0) target[band - 1] = (before + 2 * here + after) / 4;
		before = band > 0 ? here : after;
		here = after;
	}
}

function certainty(power: number, noise: number): number {
	const aboveDb = 10 * Math.log10((power + TINY) / (noise + TINY));
	return Math.min(1, Math.max(0, (aboveDb - NOISE_DB) / (SPEECH_DB - NOISE_DB)));
}
