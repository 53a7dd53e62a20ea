import { writeFile, truncate } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

import { Piscina } from 'piscina';

import type { PcmFile } from '../media/pcmFile.mts';
import { denoiseSegment, type DenoiseTask } from './denoiseSegment.mts';
import { surveyOf, type DenoisingStrength, type NoiseSurvey } from './noiseSurvey.mts';
import { RNNOISE_FRAME_SAMPLES, RNNOISE_RATE_HZ } from './rnnoise.mts';

/** A stretch is long beside its warm-up, and short enough to keep all cores busy to the end. */
const LONGEST_SEGMENT_FRAMES = 300 * RNNOISE_RATE_HZ;

/** Less than this is not worth a thread's start. */
const SHORTEST_SEGMENT_FRAMES = 30 * RNNOISE_RATE_HZ;

/** Each thread costs some 40 MB. */
const THREADS = Math.min(availableParallelism(), 4);

/**
 * Reduces noise on all cores. The output is as long as the input and in step with it.
 *
 * @param input 48 kHz.
 * @param strength `measured` leaves a recording alone where it has little noise.
 * @throws the signal's reason when aborted; no thread works on by then.
 */
export async function reduceNoise(
	input: PcmFile,
	outputPath: string,
	strength: DenoisingStrength,
	signal?: AbortSignal,
): Promise<PcmFile> {
	if (input.sampleRateHz !== RNNOISE_RATE_HZ) throw new RangeError('RNNoise needs 48 kHz');
	const output = { ...input, path: outputPath };
	await writeFile(outputPath, '');
	await truncate(outputPath, input.frames * input.channels * Float32Array.BYTES_PER_ELEMENT);
	const tasks = tasksFor(input, outputPath, await surveyOf(input, strength, signal));
	// A thread takes half a second to start.
	if (tasks.length === 1) await denoiseSegment(tasks[0], signal);
	else await runInThreads(tasks, signal);
	return output;
}

/** Stretches of one length, as many as keep all threads busy to the end. */
function tasksFor(input: PcmFile, outputPath: string, survey: NoiseSurvey): DenoiseTask[] {
	const rounds = Math.ceil(input.frames / LONGEST_SEGMENT_FRAMES / THREADS);
	const most = Math.ceil(input.frames / SHORTEST_SEGMENT_FRAMES);
	const length = Math.ceil(input.frames / Math.min(rounds * THREADS, most));
	const frames = Math.ceil(length / RNNOISE_FRAME_SAMPLES) * RNNOISE_FRAME_SAMPLES;
	return Array.from({ length: Math.ceil(input.frames / frames) }, (_, index) => {
		const startFrame = index * frames;
		const endFrame = Math.min(startFrame + frames, input.frames);
		return { input, outputPath, startFrame, endFrame, survey };
	});
}

async function runInThreads(tasks: readonly DenoiseTask[], signal?: AbortSignal): Promise<void> {
	const threads = Math.min(THREADS, tasks.length);
	const pool = new Piscina<DenoiseTask, undefined>({
		minThreads: threads,
		maxThreads: threads,
		// Node itself strips the types of these few files; tsx would take a thread half a second.
		execArgv: [],
	});
	// A thread that cannot start belongs to no task; without a listener it would end the process.
	const broken = new Promise<never>((_resolve, reject) => pool.on('error', reject));
	try {
		// Named for each task: then a module that cannot load fails the task and not the thread.
		const filename = new URL('./denoiseWorker.mts', import.meta.url).href;
		const options = { filename, ...(signal && { signal }) };
		await Promise.race([Promise.all(tasks.map((task) => pool.run(task, options))), broken]);
	} catch (error) {
		signal?.throwIfAborted();
		throw error;
	} finally {
		await pool.destroy();
	}
}
