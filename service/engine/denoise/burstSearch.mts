import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import type { IndexRange, TimeRange } from '../../shared/timeRanges.mts';
import { joined } from '../music/joined.mts';
import { RATE_HZ } from '../networks/deepFilterNet/frames.mts';
import { highPass, RunningBiquad } from '../signal/biquad.mts';
import { energyOf } from '../signal/levels.mts';
import { RUMBLE_HZ } from './channelMeter.mts';
import { type ChannelGroup, valueAt } from './channelGroup.mts';
import { denoised } from './denoiseSegment.mts';
import { LEFT, type NoiseSurvey } from './noiseSurvey.mts';
import { Notches, settlingFrames } from './notches.mts';

/** A stretch of clean sound in which noise may burst out. */
export interface BurstTask {
	/** 48 kHz. */
	input: PcmFile;
	/** In frames. */
	stretch: IndexRange;
	survey: NoiseSurvey;
	/** Of each group, what is found in each second; in memory that threads share. */
	found: readonly Uint8Array[];
}

/** What may be found in a second. Noise that lasts may be applause, and is left alone. */
export const BURST = 1;
export const LASTING = 2;

/** Noise lasts if it goes on for so long, with gaps of so many steps at most. */
const LASTING_SECONDS = 1.6;
const MAX_GAP_STEPS = 2;

/** It is asked so often how much the network takes away. */
const STEP_SECONDS = 0.02;
const STEP_SAMPLES = STEP_SECONDS * RATE_HZ;

/**
 * Noise is what the network takes this much away of, as a share of its energy, 6 dB, if it is at most this far below
 * the speech, 26 dB. Of clean speech, breaths and smacks it takes as much only where they are softer.
 */
const TAKEN_SHARE = 0.25;
const FAINTEST = 10 ** -2.6;

/** Lets the network judge where noise bursts out in a stretch. */
export async function searchBursts(task: BurstTask, signal?: AbortSignal): Promise<void> {
	const { input, stretch, survey, found } = task;
	const { start, end } = stretch;
	await using reader = await PcmReader.open(input);
	const groups = survey.groups.map((group) => ({
		...group,
		strengths: new Float32Array(group.strengths.length).fill(1),
	}));
	const whole = { ...survey, groups, left: LEFT.measured };
	const energies = groups.map((group) => new StepEnergies(group, input.channels, end - start));
	const notches = new Notches(survey.humHz, input);
	const before = Math.max(0, start - settlingFrames(survey.humHz, RATE_HZ));
	for await (const chunk of reader.chunks(before, start)) notches.write(chunk);
	let frame = start;
	const noisy = { input, startFrame: start, endFrame: end, survey: whole };
	for await (const block of denoised(reader, noisy)) {
		signal?.throwIfAborted();
		const original = await reader.read(frame, block.length / input.channels);
		notches.write(original);
		for (const one of energies) one.write(original, block);
		frame += original.length / input.channels;
	}
	energies.forEach((one, index) => {
		for (const run of one.noise(start / RATE_HZ)) {
			const isLasting = run.endSeconds - run.startSeconds > LASTING_SECONDS;
			// Strengths fade from one second to the next.
			const margin = isLasting ? 0.5 : 0;
			const from = Math.max(0, Math.floor(run.startSeconds - margin));
			const to = Math.floor(run.endSeconds + margin);
			for (let second = from; second <= to; second++) {
				found[index][second] |= isLasting ? LASTING : BURST;
			}
		}
	});
}

/** The energies of a group's channels at each step, before and after, without rumble. */
class StepEnergies {
	private readonly group: ChannelGroup;
	private readonly channels: number;
	private readonly before: Float32Array;
	private readonly after: Float32Array;
	private readonly filters: readonly [RunningBiquad, RunningBiquad][];
	private frame = 0;

	constructor(group: ChannelGroup, channels: number, frames: number) {
		this.group = group;
		this.channels = channels;
		const steps = Math.ceil(frames / STEP_SAMPLES);
		this.before = new Float32Array(steps);
		this.after = new Float32Array(steps);
		const rumble = highPass(RUMBLE_HZ, RATE_HZ);
		this.filters = group.channels.map(() => [new RunningBiquad(rumble), new RunningBiquad(rumble)]);
	}

	/** Takes interleaved frames, as they were and as they became. */
	write(original: Float32Array, cleaned: Float32Array): void {
		this.group.channels.forEach((channel, index) => {
			const [one, other] = this.filters[index];
			this.add(this.before, this.filtered(original, channel, one));
			this.add(this.after, this.filtered(cleaned, channel, other));
		});
		this.frame += original.length / this.channels;
	}

	/** Where the network takes what it heard for noise, in the recording. */
	noise(startSeconds: number): TimeRange[] {
		const { before, after, group } = this;
		const length = STEP_SAMPLES * group.channels.length;
		const runs: TimeRange[] = [];
		before.forEach((energy, step) => {
			const seconds = startSeconds + step * STEP_SECONDS;
			const isLoud = energy / length > FAINTEST * valueAt(group.speech, seconds);
			if (!isLoud || after[step] >= TAKEN_SHARE * energy) return;
			runs.push({ startSeconds: seconds, endSeconds: seconds + STEP_SECONDS });
		});
		return joined(runs, (MAX_GAP_STEPS + 0.5) * STEP_SECONDS);
	}

	private filtered(frames: Float32Array, channel: number, filter: RunningBiquad): Float32Array {
		const samples = Float32Array.from({ length: frames.length / this.channels }, (_, i) => {
			return frames[i * this.channels + channel];
		});
		filter.process(samples, samples, 0, 1);
		return samples;
	}

	private add(energies: Float32Array, samples: Float32Array): void {
		for (let i = 0; i < samples.length; ) {
			const step = Math.floor((this.frame + i) / STEP_SAMPLES);
			const end = Math.min(samples.length, (step + 1) * STEP_SAMPLES - this.frame);
			energies[step] += energyOf(samples, i, end);
			i = end;
		}
	}
}
