import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { settlingFrames } from '../denoise/notches.mts';
import { DeepFilterNet } from '../networks/deepFilterNet/deepFilterNet.mts';
import { PATCH_SAMPLES, Yamnet } from '../networks/yamnet/yamnet.mts';
import { ANALYSIS_RATE_HZ, energyOf, nthSmallest } from '../signal/levels.mts';
import { Ears, type Moment, REACH_STEPS } from './ears.mts';
import { FAINTEST, type HeardMusic, STEP_SECONDS } from './heardMusic.mts';

/** Stretches to listen to. */
export interface ListenTask {
	/** 16 or 48 kHz. */
	input: PcmFile;
	/** The same without noise, if anything is taken away; hum counts as gone before. */
	denoised?: PcmFile;
	humHz: readonly number[];
	/** In order. */
	parts: readonly IndexRange[];
	/** What is heard in the whole recording. */
	heard: HeardMusic;
	/** Where more than this is taken away, as a mean square at each step, it is heard anyway. */
	usual?: Float32Array;
}

/** Every third step is heard first; steps are decided in groups of some of these. */
const STRIDE = 3;
const GROUP = 2 * STRIDE;

/** 20 ms. */
const SHORT_SAMPLES = 0.02 * ANALYSIS_RATE_HZ;

/** Where nothing of it is at all likely in the recording, what is taken away and the steps between are not heard. */
const UNLIKELY = -5;

/** Writes what is heard at each step. @throws the signal's reason when aborted. */
export async function listen(task: ListenTask, signal?: AbortSignal): Promise<void> {
	const { parts, input } = task;
	// What was to be denoised is denoised: this network takes the memory of the other.
	await DeepFilterNet.release();
	const yamnet = await Yamnet.create();
	await using reader = await PcmReader.open(input);
	await using denoised = task.denoised && (await PcmReader.open(task.denoised));
	const readBoth = async (step: number) => {
		const rest = denoised && (await blockAt(denoised, input, step));
		return [await blockAt(reader, input, step), rest] satisfies Parameters<Ears['write']>;
	};
	for (const steps of parts) {
		for await (const group of groupsIn(steps, task, readBoth)) {
			signal?.throwIfAborted();
			await hearGroup(yamnet, group, task);
		}
	}
}

/** Yields the moments that are loud enough, some at a time. */
async function* groupsIn(
	steps: IndexRange,
	{ input, denoised, humHz, heard }: ListenTask,
	readBoth: (step: number) => Promise<Parameters<Ears['write']>>,
): AsyncGenerator<Moment[]> {
	const ears = new Ears(input, humHz);
	let group: Moment[] = [];
	const { sampleRateHz } = input;
	const settling = settlingFrames(humHz, sampleRateHz) / (STEP_SECONDS * sampleRateHz);
	const first = steps.start - REACH_STEPS - Math.ceil(settling);
	for (let step = Math.max(0, first); step < steps.end + REACH_STEPS; step++) {
		ears.write(...(await readBoth(step)));
		const moment = ears.moment(step);
		if (moment.step < steps.start) continue;
		const energy = energyOf(moment.taken, 0, PATCH_SAMPLES) / PATCH_SAMPLES;
		if (denoised) {
			heard.taken[moment.step] = energy;
			heard.steadilyTaken[moment.step] = medianEnergy(moment.taken);
		}
		if (energy >= FAINTEST) group.push(moment);
		if (group.length < GROUP) continue;
		yield group;
		group = [];
	}
	yield group;
}

/** The median of the mean squares of 20 ms. */
function medianEnergy(samples: Float32Array): number {
	const energies = Float32Array.from({ length: samples.length / SHORT_SAMPLES }, (_, index) => {
		return energyOf(samples, index * SHORT_SAMPLES, (index + 1) * SHORT_SAMPLES) / SHORT_SAMPLES;
	});
	return nthSmallest(energies, energies.length >> 1) ?? 0;
}

/** The frames of a step; silence after the end. */
async function blockAt(
	reader: PcmReader,
	{ frames, channels, sampleRateHz }: PcmFile,
	step: number,
): Promise<Float32Array> {
	const length = STEP_SECONDS * sampleRateHz;
	const block = new Float32Array(length * channels);
	const count = Math.max(0, Math.min(length, frames - step * length));
	if (count > 0) await reader.readInto(block.subarray(0, count * channels), step * length);
	return block;
}

/** Hears every third moment, and those beside anything likely; of what is likely also what is taken away. */
async function hearGroup(
	yamnet: Yamnet,
	group: readonly Moment[],
	{ denoised, heard, usual }: ListenTask,
): Promise<void> {
	const isMuch = (step: number) => usual !== undefined && heard.taken[step] > usual[step];
	const isLikely = (step: number) => heard.music[step] > UNLIKELY;
	const isHeardFirst = ({ step }: Moment) => step % STRIDE === 0 || isMuch(step);
	const first = group.filter(isHeardFirst);
	await hear(yamnet, first, 'input', heard);
	const beside = group.filter((moment) => {
		return !isHeardFirst(moment) && (isLikely(moment.step - 1) || isLikely(moment.step + 1));
	});
	await hear(yamnet, beside, 'input', heard);
	const likely = [...first, ...beside].filter(({ step }) => isLikely(step));
	if (denoised) await hear(yamnet, likely, 'taken', heard);
	// Without a denoised file, the whole recording is what is taken away.
	else for (const { step } of likely) heard.musicTaken[step] = heard.music[step];
}

async function hear(
	yamnet: Yamnet,
	moments: readonly Moment[],
	what: 'input' | 'taken',
	heard: HeardMusic,
): Promise<void> {
	if (moments.length === 0) return;
	const likely = await yamnet.listen(moments.map((moment) => moment[what]));
	const { music, laughter, applause, typing } = likely;
	moments.forEach(({ step }, index) => {
		if (what === 'taken') {
			heard.musicTaken[step] = music[index];
			return;
		}
		heard.music[step] = music[index];
		heard.laughter[step] = laughter[index];
		heard.applause[step] = applause[index];
		heard.typing[step] = typing[index];
	});
}
