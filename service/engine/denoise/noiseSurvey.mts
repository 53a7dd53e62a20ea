import { growingChunks, type GrowingPcm } from '../../media/growingPcm.mts';
import type { PcmFormat } from '../../media/pcmFile.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { BandValleys } from './bandValleys.mts';
import { BurstMeter } from './burstMeter.mts';
import type { ChannelGroup } from './channelGroup.mts';
import { doubtsIn } from './doubts.mts';
import { ChannelMeter, type ChannelLevels } from './channelMeter.mts';
import { HumMeter } from './mainsHum.mts';
import { Notches } from './notches.mts';
import {
	energyDb,
	HOPS_PER_SECOND,
	noiseFloorDb,
	nthSmallest,
	SILENCE_DB,
	speechLevelDb,
} from '../signal/levels.mts';

/** `measured` reduces noise where it is strong compared with the speech, `full` fully everywhere. */
export type DenoisingStrength = 'measured' | 'full';

/** What is left of noise: 20 dB less, so that pauses do not sound dead, and 30 dB less where pauses are lowered anyway. */
export const LEFT: Readonly<Record<DenoisingStrength, number>> = { measured: 0.1, full: 0.0316 };

/** Speech this far above its noise hides it from every listener, dB; below the second, it is denoised fully. */
const CLEAN_DB = 50;
const NOISY_DB = 40;

/** Speech is measured within 30 s on each side, noise within 15 s. */
const SPEECH_REACH_SECONDS = 30;
const NOISE_REACH_SECONDS = 15;

/** Noise is what the quietest 5 % of 20 ms stay below: a few dB below its mean. Speech without pauses has as little of it. */
const QUIET_SHARE = 0.05;
const POOLED_HOPS = 2;

/** Pauses that hold nothing at all say nothing about the noise elsewhere, as a mean square. */
const NOTHING = 1e-11;

/** Speech is what is at most this far below the mean of everything, as energies. */
const SPEECH_SHARE = 0.1;

/** Strengths change every 2 s, as the noise floor does. */
const STEP_SECONDS = 2;

/** Channels are apart where their difference is at most this far below their mean, dB. */
const APART_DB = 6;

/** A difference this far above the noise is a voice, dB. */
const ABOVE_NOISE_DB = 6;

/** Only what is at most this far below the level of speech counts, dB. */
const GATE_DB = 10;

/** Channels that are apart in more than this share of the speech are denoised separately. */
const MAX_APART = 0.05;

/** What all stretches of a recording have in common. */
export interface NoiseSurvey {
	/** Together all channels; only the first if they are alike. */
	groups: ChannelGroup[];
	/** Where noise may burst out in clean sound. */
	doubtful: TimeRange[];
	/** What is left of noise, as a share of its amplitude. */
	left: number;
	/** Frequencies of mains hum, in Hz. */
	humHz: number[];
	/** The amplitude of the hum beside that of the speech, where it is loudest; 0 without hum. */
	humShare: number;
	/** Level of the noise in quieter parts (25th percentile), without hum and rumble, dBFS. */
	noiseDb: number;
}

/**
 * Measures a whole recording: its mains hum, which channels belong together, how strong their noise is
 * beside the speech when the hum is gone, and where noise may burst out.
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
	let [meter, sounds] = [new ChannelMeter(input), new NoisyParts(input)];
	await writeAll(chunks(), [hum, meter, sounds]);
	await decoding;
	const humHz = hum.tones();
	const humming = humHz.length > 0 ? groupsOf(meter.measured()) : [];
	const before = (group: ChannelGroup) => {
		return humming.find(({ channels }) => channels.some((one) => group.channels.includes(one)));
	};
	if (humHz.length > 0) {
		[meter, sounds] = [new ChannelMeter(input), new NoisyParts(input)];
		await writeAll(chunks(), [new Notches(humHz, input), meter, sounds]);
	}
	const measured = meter.measured();
	const withoutHum = groupsOf(measured);
	const groups = withoutHum.map((group) => asStrongAs(group, before(group)));
	const humShare = Math.max(...withoutHum.map((group) => humShareIn(group, before(group))));
	const heard = groups.length > 1 ? measured.levels : [measured.middle];
	const noiseDb = Math.max(...heard.map(noiseLevelDb));
	const doubtful = doubtsIn(groups, heard, sounds.burst.bursts());
	if (strength === 'full') for (const { strengths } of groups) strengths.fill(1);
	return { groups, doubtful, left: LEFT[strength], humHz, humShare, noiseDb };
}

/**
 * The same with the strength that the hum asked for, too: what takes it out rings after each vowel, which is no noise
 * that stays, but the network takes it away.
 */
function asStrongAs(group: ChannelGroup, humming: ChannelGroup | undefined): ChannelGroup {
	if (humming === undefined) return group;
	const strengths = group.strengths.map((own, second) => Math.max(own, humming.strengths[second]));
	return { ...group, strengths };
}

/** The amplitude of the hum beside that of the speech, where it is loudest. */
function humShareIn({ noise, speech }: ChannelGroup, humming: ChannelGroup | undefined): number {
	if (humming === undefined) return 0;
	const shares = noise.map((left, second) => {
		const hum = Math.max(0, humming.noise[second] - left);
		return Math.sqrt(hum / Math.max(speech[second], NOTHING));
	});
	return Math.max(...shares);
}

/** The level of the noise in quieter parts, dBFS. */
function noiseLevelDb(levels: Float32Array): number {
	const floors = noiseFloorDb(levels);
	return nthSmallest(floors, Math.floor(floors.length / 4)) ?? SILENCE_DB;
}

/** Finds bursts of noise. */
class NoisyParts {
	readonly burst: BurstMeter;
	private readonly valleys: BandValleys;

	constructor(format: PcmFormat) {
		this.valleys = new BandValleys(format);
		this.burst = new BurstMeter(this.valleys.perHz);
	}

	/** Takes interleaved frames. */
	write(chunk: Float32Array): void {
		for (const window of this.valleys.write(chunk)) this.burst.write(window);
	}
}

/** Each meter is written what the one before it made of a chunk. */
async function writeAll(
	chunks: AsyncIterable<Float32Array>,
	meters: readonly { write(chunk: Float32Array): void }[],
): Promise<void> {
	for await (const chunk of chunks) {
		for (const meter of meters) meter.write(chunk);
	}
}

function groupsOf({ levels, middle, areAlike }: ChannelLevels): ChannelGroup[] {
	const groupOf = (channels: number[], levelsDb: Float32Array): ChannelGroup => {
		return { channels, ...noiseIn(levelsDb) };
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
	return apart > MAX_APART * loud;
}

/** Measures the noise and the speech around each second, and how strongly the noise is reduced. */
function noiseIn(levels: Float32Array): Omit<ChannelGroup, 'channels'> {
	const energies = pooledEnergies(levels);
	const perSecond = HOPS_PER_SECOND / POOLED_HOPS;
	const seconds = Math.ceil(levels.length / HOPS_PER_SECOND);
	const [strengths, noise, speech] = [0, 1, 2].map(() => new Float32Array(seconds));
	for (let second = 0; second < seconds; second += STEP_SECONDS) {
		const around = (reach: number) => {
			const from = Math.max(0, second - reach) * perSecond;
			return energies.slice(from, (second + STEP_SECONDS + reach) * perSecond);
		};
		const near = around(NOISE_REACH_SECONDS);
		const loud = speechIn(around(SPEECH_REACH_SECONDS));
		speech.fill(loud, second, second + STEP_SECONDS);
		const ratioDb = energyDb(loud) - energyDb(quietestOf(near));
		const strength = (CLEAN_DB - ratioDb) / (CLEAN_DB - NOISY_DB);
		strengths.fill(Math.min(1, Math.max(0, strength)), second, second + STEP_SECONDS);
		const some = near.filter((energy) => energy > NOTHING);
		noise.fill(quietestOf(some), second, second + STEP_SECONDS);
	}
	return { strengths, noise, speech };
}

function quietestOf(energies: Float32Array): number {
	return nthSmallest(energies, Math.floor(QUIET_SHARE * energies.length)) ?? 0;
}

/** The mean of what is loud enough to be speech. */
function speechIn(energies: Float32Array): number {
	const mean = (values: Float32Array) => {
		return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
	};
	const least = SPEECH_SHARE * mean(energies);
	return mean(energies.filter((energy) => energy > least));
}

/** Mean squares over 20 ms. */
function pooledEnergies(levels: Float32Array): Float32Array {
	const energies = new Float32Array(Math.ceil(levels.length / POOLED_HOPS));
	levels.forEach((level, hop) => {
		energies[Math.floor(hop / POOLED_HOPS)] += 10 ** (level / 10) / POOLED_HOPS;
	});
	return energies;
}
