import { growingChunks, type GrowingPcm } from '../../media/growingPcm.mts';
import type { ChannelGroup } from './channelGroup.mts';
import { ChannelMeter, type ChannelLevels } from './channelMeter.mts';
import { HumMeter } from './mainsHum.mts';
import { Notches } from './notches.mts';
import {
	HOPS_PER_SECOND,
	noiseFloorDb,
	nthSmallest,
	SILENCE_DB,
	speechLevelDb,
} from '../signal/levels.mts';

/** `measured` reduces noise where it is strong compared with the speech, `full` fully everywhere. */
export type DenoisingStrength = 'measured' | 'full';

/** Speech this far above the noise floor is left alone, dB; below the second, it is denoised fully. */
const CLEAN_DB = 40;
const NOISY_DB = 30;

/** The level of speech is this quantile of the levels within 30 s. */
const SPEECH_REACH_SECONDS = 30;
const SPEECH_QUANTILE = 0.95;

/** The quantile is as good with every fifth level. */
const THINNING = 5;

/** Strengths change every 2 s, as the noise floor does. */
const STEP_SECONDS = 2;

/** Channels are apart where their difference is at most this far below their mean, dB. */
const APART_DB = 6;

/** A difference this far above the noise is a voice, dB. */
const ABOVE_NOISE_DB = 6;

/** Only what is at most this far below the level of speech counts, dB. */
const GATE_DB = 10;

/** Channels that are apart in more than this share of the speech are denoised separately. */
const MOST_APART = 0.05;

/** What all stretches of a recording have in common. */
export interface NoiseSurvey {
	/** Together all channels; only the first if they are alike. */
	groups: ChannelGroup[];
	/** Frequencies of mains hum, in Hz. */
	humHz: number[];
	/** Level of the noise in quieter parts (25th percentile), without hum and rumble, dBFS. */
	noiseDb: number;
}

/**
 * Measures a whole recording: its mains hum, which channels belong together, and how strong their
 * noise is beside the speech when the hum is gone.
 *
 * @param decoding settles when the file is complete; it is measured while it grows.
 * @throws the signal's reason when aborted, what `decoding` throws.
 */
export async function surveyOf(
	input: GrowingPcm,
	strength: DenoisingStrength,
	signal?: AbortSignal,
	decoding: Promise<unknown> = Promise.resolve(),
): Promise<NoiseSurvey> {
	const chunks = () => growingChunks(input, decoding, signal);
	const hum = new HumMeter(input);
	let meter = new ChannelMeter(input);
	await hear(chunks(), [hum, meter]);
	await decoding;
	const humHz = hum.tones();
	if (humHz.length > 0) {
		meter = new ChannelMeter(input);
		await hear(chunks(), [new Notches(humHz, input), meter]);
	}
	const measured = meter.measured();
	const floors = noiseFloorDb(measured.middle);
	const noiseDb = nthSmallest(floors, Math.floor(floors.length / 4)) ?? SILENCE_DB;
	return { groups: groupsOf(measured, strength), humHz, noiseDb };
}

/** Each listener takes what the one before it made of a chunk. */
async function hear(
	chunks: AsyncIterable<Float32Array>,
	listeners: readonly { take(chunk: Float32Array): void }[],
): Promise<void> {
	for await (const chunk of chunks) {
		for (const listener of listeners) listener.take(chunk);
	}
}

function groupsOf({ levels, middle, areAlike }: ChannelLevels, strength: DenoisingStrength) {
	const groupOf = (channels: number[], heard: Float32Array): ChannelGroup => {
		const seconds = Math.ceil(heard.length / HOPS_PER_SECOND);
		const isFull = strength === 'full';
		return { channels, strengths: isFull ? new Float32Array(seconds).fill(1) : strengthsOf(heard) };
	};
	if (areAlike) return [groupOf([0], levels[0])];
	const channels = levels.map((_, channel) => channel);
	if (!areApart(levels, middle)) return [groupOf(channels, middle)];
	return channels.map((channel) => groupOf([channel], levels[channel]));
}

/** Whether the channels hold different sounds, such as a speaker on the left and one on the right. */
function areApart(levels: readonly Float32Array[], middle: Float32Array): boolean {
	const sides = middle.map((level, hop) => {
		let energy = 0;
		for (const channel of levels) energy += 10 ** (channel[hop] / 10);
		return 10 * Math.log10(Math.max(1e-12, energy / levels.length - 10 ** (level / 10)));
	});
	const floors = noiseFloorDb(sides);
	const loudest = middle.map((level, hop) => Math.max(level, sides[hop]));
	const gateDb = speechLevelDb(loudest) - GATE_DB;
	let [apart, loud] = [0, 0];
	sides.forEach((side, hop) => {
		if (loudest[hop] < gateDb) return;
		loud++;
		// Noise differs between the channels, and a voice in the middle does not.
		if (side > middle[hop] - APART_DB && side > floors[hop] + ABOVE_NOISE_DB) apart++;
	});
	return apart > MOST_APART * loud;
}

function strengthsOf(levels: Float32Array): Float32Array {
	const floors = noiseFloorDb(levels);
	const some = levels.filter((_, hop) => hop % THINNING === 0);
	const perSecond = HOPS_PER_SECOND / THINNING;
	const seconds = Math.ceil(levels.length / HOPS_PER_SECOND);
	const strengths = new Float32Array(seconds);
	for (let second = 0; second < seconds; second += STEP_SECONDS) {
		const from = Math.max(0, second - SPEECH_REACH_SECONDS) * perSecond;
		const to = (second + STEP_SECONDS + SPEECH_REACH_SECONDS) * perSecond;
		const around = some.slice(from, to);
		const speechDb = nthSmallest(around, Math.floor(SPEECH_QUANTILE * around.length)) ?? SILENCE_DB;
		const ratioDb = speechDb - floors[second * HOPS_PER_SECOND];
		const strength = (CLEAN_DB - ratioDb) / (CLEAN_DB - NOISY_DB);
		strengths.fill(Math.min(1, Math.max(0, strength)), second, second + STEP_SECONDS);
	}
	return strengths;
}
