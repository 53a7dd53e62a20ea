import { writeFile, truncate } from 'node:fs/promises';

import type { PcmFile } from '../../media/pcmFile.mts';
import { BURST, LASTING } from './burstSearch.mts';
import { type DenoiseTask, partsOf } from './denoiseSegment.mts';
import { surveyOf, type DenoisingStrength, type NoiseSurvey } from './noiseSurvey.mts';
import { HOP_SAMPLES, RATE_HZ } from '../networks/deepFilterNet/frames.mts';
import { restore } from '../music/restore.mts';
import { audienceIn, type Levels, usualIn } from '../music/audience.mts';
import { STEP_SECONDS } from '../music/heardMusic.mts';
import { joined } from '../music/joined.mts';
import { musicIn } from '../music/musicSections.mts';
import { hear } from '../music/searchMusic.mts';
import { valueAt } from './channelGroup.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { sharedBytes } from '../signal/sharedArrays.mts';
import { inThreads, THREADS } from '../threads/engineThreads.mts';

/** A stretch is long beside its warm-up, and short enough to keep all cores busy to the end. */
const MAX_SEGMENT_FRAMES = 300 * RATE_HZ;

/** Less than this is not worth a thread's start. */
const MIN_SEGMENT_FRAMES = 30 * RATE_HZ;

/** A recording without its noise. */
export interface Denoised {
	/** As long as the input, and in step with it. */
	clean: PcmFile;
	/** Music in it, in order of time, which was left as loud as it was. */
	music: readonly TimeRange[];
	/** Frequencies of mains hum, which nobody hears any more beside the speech, Hz. */
	humHz: readonly number[];
	/** By how much noise was lowered where it was lowered most, dB; 0 if there was none. */
	noiseLoweredDb: number;
}

/**
 * Reduces noise on all cores.
 *
 * @param input 48 kHz.
 * @param strength `measured` leaves a recording alone where it has little noise.
 * @throws the signal's reason when aborted.
 */
export async function reduceNoise(
	input: PcmFile,
	outputPath: string,
	strength: DenoisingStrength,
	signal?: AbortSignal,
): Promise<Denoised> {
	if (input.sampleRateHz !== RATE_HZ) throw new RangeError('DeepFilterNet needs 48 kHz');
	return await removeNoise(input, outputPath, await surveyOf(input, strength, signal), signal);
}

/** Reduces the noise of a recording that has been surveyed, and leaves music as it is. */
export async function removeNoise(
	input: PcmFile,
	outputPath: string,
	surveyed: NoiseSurvey,
	signal?: AbortSignal,
): Promise<Denoised> {
	const survey = await withBursts(input, surveyed, signal);
	await writeFile(outputPath, '');
	await truncate(outputPath, input.frames * input.channels * Float32Array.BYTES_PER_ELEMENT);
	const tasks = tasksFor(input, outputPath, survey);
	await inThreads(
		tasks.map((task) => ({ kind: 'denoise', ...task })),
		signal,
	);
	const clean = { ...input, path: outputPath };
	const { humHz } = survey;
	const levels = levelsAt(input, survey);
	const recording = { input, denoised: clean, humHz, usual: usualIn(levels) };
	const heard = await hear(recording, noisyParts(input, survey), signal);
	const music = musicIn(heard);
	const kept = joined([...music, ...audienceIn(heard, levels)], 0);
	await restore(input, humHz, clean, kept, signal);
	return { clean, music, humHz, noiseLoweredDb: loweredDb(survey) };
}

/** By how much noise is lowered where it is lowered most, dB. */
function loweredDb({ groups, left }: NoiseSurvey): number {
	const strongest = Math.max(
		...groups.map(({ strengths }) => strengths.reduce((a, b) => Math.max(a, b), 0)),
	);
	return -20 * Math.log10(1 - strongest * (1 - left));
}

/** The same with full strength around each burst of noise that the network finds where there may be any. */
async function withBursts(
	input: PcmFile,
	survey: NoiseSurvey,
	signal?: AbortSignal,
): Promise<NoiseSurvey> {
	const { groups, doubtful } = survey;
	if (doubtful.length === 0) return survey;
	const found = groups.map(({ strengths }) => sharedBytes(strengths.length));
	const tasks = doubtful.map(({ startSeconds, endSeconds }) => {
		const start = Math.floor(startSeconds) * RATE_HZ;
		const end = Math.min(input.frames, Math.ceil(endSeconds) * RATE_HZ);
		return { kind: 'bursts' as const, input, stretch: { start, end }, survey, found };
	});
	await inThreads(tasks, signal);
	return {
		...survey,
		groups: groups.map((group, index) => {
			const strengths = group.strengths.map((was, second) => {
				const near = found[index].subarray(Math.max(0, second - 1), second + 2);
				const isBurst = near.some((one) => (one & BURST) > 0);
				return isBurst && found[index][second] < LASTING ? 1 : was;
			});
			return { ...group, strengths };
		}),
	};
}

/** The loudest noise and the loudest speech of all groups at each step that is listened to. */
function levelsAt({ frames }: PcmFile, { groups }: NoiseSurvey): Levels {
	const steps = Math.ceil(frames / RATE_HZ / STEP_SECONDS);
	const loudest = (name: 'noise' | 'speech') => {
		return Float32Array.from({ length: steps }, (_, step) => {
			const seconds = (step + 0.5) * STEP_SECONDS;
			return Math.max(...groups.map((group) => valueAt(group[name], seconds)));
		});
	};
	return { noise: loudest('noise'), speech: loudest('speech') };
}

/** The parts of a recording that are denoised. */
function noisyParts({ frames }: PcmFile, survey: NoiseSurvey) {
	const parts = partsOf({ startFrame: 0, endFrame: frames, survey });
	return parts.flatMap(({ isNoisy, startFrame, endFrame }) =>
		isNoisy ? { startSeconds: startFrame / RATE_HZ, endSeconds: endFrame / RATE_HZ } : [],
	);
}

/** Stretches of one length, as many as keep all threads busy to the end. */
function tasksFor(input: PcmFile, outputPath: string, survey: NoiseSurvey): DenoiseTask[] {
	const rounds = Math.ceil(input.frames / MAX_SEGMENT_FRAMES / THREADS);
	const most = Math.ceil(input.frames / MIN_SEGMENT_FRAMES);
	const length = Math.ceil(input.frames / Math.min(rounds * THREADS, most));
	const frames = Math.ceil(length / HOP_SAMPLES) * HOP_SAMPLES;
	return Array.from({ length: Math.ceil(input.frames / frames) }, (_, index) => {
		const startFrame = index * frames;
		const endFrame = Math.min(startFrame + frames, input.frames);
		return { input, outputPath, startFrame, endFrame, survey };
	});
}
