import { PcmReader, PcmWriter, type PcmFile } from '../../media/pcmFile.mts';
import { isTouched, strengthAt, type ChannelGroup } from './channelGroup.mts';
import { BLOCK_FRAMES, DELAY_FRAMES, LinkedDenoiser } from './linkedDenoiser.mts';
import type { NoiseSurvey } from './noiseSurvey.mts';
import { Notches } from './notches.mts';
import { RNNOISE_RATE_HZ } from './rnnoise.mts';
import { HOP_SAMPLES } from '../signal/windowTransform.mts';

/** A stretch of a recording to be denoised by itself, so that several cores share the work. */
export interface DenoiseTask {
	/** 48 kHz. */
	input: PcmFile;
	/** The file to write the stretch into; it exists already. */
	outputPath: string;
	startFrame: number;
	endFrame: number;
	survey: NoiseSurvey;
}

/**
 * The denoiser starts this long before a stretch, to learn the noise. At the beginning of a recording
 * it hears the first seconds backwards or, with hum, a loop of them.
 */
const WARM_UP_FRAMES = 4 * RNNOISE_RATE_HZ;

/** Notches need a second to settle. A longer loop would lose the phase of the hum. */
const HUM_LOOP_SECONDS = 2;

/** Denoises a stretch of a recording, delay compensated. */
export async function denoiseSegment(task: DenoiseTask, signal?: AbortSignal): Promise<void> {
	const { input, outputPath, startFrame, endFrame } = task;
	const { groups, humHz } = task.survey;
	await using reader = await PcmReader.open(input);
	await using writer = await PcmWriter.at(outputPath, input.channels, startFrame);
	const [start, end] = [startFrame / RNNOISE_RATE_HZ, endFrame / RNNOISE_RATE_HZ];
	const isNoisy = humHz.length > 0 || groups.some((group) => isTouched(group, start, end));
	const blocks = isNoisy ? denoised(reader, task) : reader.chunks(startFrame, endFrame);
	for await (const block of blocks) {
		signal?.throwIfAborted();
		await writer.write(block);
	}
}

/** Yields blocks, each of which is overwritten by the next. */
async function* denoised(
	reader: PcmReader,
	{ input, startFrame, endFrame, survey: { groups, humHz } }: DenoiseTask,
): AsyncGenerator<Float32Array> {
	const { channels } = input;
	using denoiser = await LinkedDenoiser.create(groups.map((group) => group.channels));
	// Of channels that are alike, only the first is denoised.
	const areAlike = groups.flatMap((group) => group.channels).length < channels;
	const notches = new Notches(humHz, input);
	const loopFrames = humLoopFrames(humHz, input.frames);
	const firstFrame = startFrame - WARM_UP_FRAMES;
	const block = new Float32Array(BLOCK_FRAMES * channels);
	let outputFrame = firstFrame - DELAY_FRAMES;
	for (let frame = firstFrame; outputFrame < endFrame; frame += BLOCK_FRAMES) {
		await readBlock(reader, block, input, frame, loopFrames);
		notches.take(block);
		denoiser.process(
			block,
			groups.map((group) => strengthsFrom(group, outputFrame)),
		);
		if (areAlike) {
			for (let i = 0; i < block.length; i++) block[i] = block[i - (i % channels)];
		}
		const from = Math.max(0, startFrame - outputFrame);
		const to = Math.min(BLOCK_FRAMES, endFrame - outputFrame);
		if (to > from) yield block.subarray(from * channels, to * channels);
		outputFrame += BLOCK_FRAMES;
	}
}

/** Returns a group's strength in each hop of the block that begins at a frame. */
function strengthsFrom(group: ChannelGroup, startFrame: number): Float64Array {
	return Float64Array.from({ length: BLOCK_FRAMES / HOP_SAMPLES }, (_, hop) =>
		strengthAt(group, (startFrame + hop * HOP_SAMPLES) / RNNOISE_RATE_HZ),
	);
}

/**
 * Returns the length of the loop before a recording with hum, in frames. The loop has whole periods, and
 * the notches have settled when the recording begins. 0 without hum or if the recording is shorter.
 */
function humLoopFrames(humHz: readonly number[], frames: number): number {
	if (humHz.length === 0) return 0;
	const [firstHz] = humHz;
	// An even number: the first tone may be the second harmonic.
	const periods = 2 * Math.round((HUM_LOOP_SECONDS / 2) * firstHz);
	const loop = Math.round((periods / firstHz) * RNNOISE_RATE_HZ);
	return loop <= frames ? loop : 0;
}

/**
 * Fills a block with frames: the loop or, without one, mirrored sound before the recording's
 * beginning, silence after its end.
 */
async function readBlock(
	reader: PcmReader,
	block: Float32Array,
	input: PcmFile,
	frame: number,
	loopFrames: number,
): Promise<void> {
	const { channels } = input;
	const part = (from: number, to: number) => block.subarray(from * channels, to * channels);
	block.fill(0);
	const before = Math.min(BLOCK_FRAMES, Math.max(0, -frame));
	if (before > 0 && loopFrames > 0) {
		for (let done = 0; done < before; ) {
			const place = loopFrames - 1 - ((-frame - done - 1) % loopFrames);
			const count = Math.min(before - done, loopFrames - place);
			await reader.readInto(part(done, done + count), place);
			done += count;
		}
	} else if (before > 0) {
		const from = -frame - before;
		const available = Math.max(0, Math.min(before, input.frames - from));
		// Reversing swaps the channels too; nobody hears the warm-up.
		(await reader.readInto(part(before - available, before), from)).reverse();
	}
	const from = Math.max(0, frame);
	const available = Math.max(0, Math.min(BLOCK_FRAMES - before, input.frames - from));
	await reader.readInto(part(before, before + available), from);
}
