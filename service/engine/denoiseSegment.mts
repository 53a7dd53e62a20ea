import { PcmReader, PcmWriter, type PcmFile } from '../media/pcmFile.mts';
import { DenoiserBank } from './denoiserBank.mts';
import { RNNOISE_DELAY_SAMPLES, RNNOISE_FRAME_SAMPLES, RNNOISE_RATE_HZ } from './rnnoise.mts';

/** A stretch of a recording to be denoised by itself, so that several cores share the work. */
export interface DenoiseTask {
	/** 48 kHz. */
	input: PcmFile;
	/** Exists already; only the stretch is written. */
	outputPath: string;
	/** A multiple of 480. */
	startFrame: number;
	endFrame: number;
}

/**
 * RNNoise hears so much before a stretch begins: by then it has learnt the noise. At the beginning
 * of a recording it hears the first seconds backwards.
 */
const WARM_UP_FRAMES = 4 * RNNOISE_RATE_HZ;

/** Frames handled at a time, 1 s. */
const BLOCK_FRAMES = 100 * RNNOISE_FRAME_SAMPLES;

/** Denoises a stretch of a recording with RNNoise, each channel by itself, delay compensated. */
export async function denoiseSegment(task: DenoiseTask, signal?: AbortSignal): Promise<void> {
	const { input, outputPath, startFrame, endFrame } = task;
	await using reader = await PcmReader.open(input);
	await using writer = await PcmWriter.at(outputPath, input.channels, startFrame);
	const firstFrame = startFrame - WARM_UP_FRAMES;
	// A voice recorded once is often stored as stereo: then one channel serves all.
	const isMono = await areChannelsAlike(reader, input, firstFrame, endFrame);
	using denoisers = await DenoiserBank.create(isMono ? 1 : input.channels, BLOCK_FRAMES);
	let outputFrame = firstFrame - RNNOISE_DELAY_SAMPLES;
	for (let frame = firstFrame; outputFrame < endFrame; frame += BLOCK_FRAMES) {
		signal?.throwIfAborted();
		const block = await readBlock(reader, input, frame);
		denoisers.process(block, input.channels);
		const from = Math.max(0, startFrame - outputFrame);
		const to = Math.min(BLOCK_FRAMES, endFrame - outputFrame);
		if (to > from) await writer.write(block.subarray(from * input.channels, to * input.channels));
		outputFrame += BLOCK_FRAMES;
	}
}

/** A block of frames: mirrored in front of the recording's beginning, silence beyond its end. */
async function readBlock(reader: PcmReader, input: PcmFile, frame: number): Promise<Float32Array> {
	const from = frame < 0 ? -frame - BLOCK_FRAMES : frame;
	const available = Math.max(0, Math.min(BLOCK_FRAMES, input.frames - from));
	const block = new Float32Array(BLOCK_FRAMES * input.channels);
	block.set(await reader.read(from, available));
	// Reversing swaps the channels too; nobody hears the warm-up, and RNNoise needs no order.
	return frame < 0 ? block.reverse() : block;
}

async function areChannelsAlike(
	reader: PcmReader,
	{ channels }: PcmFile,
	firstFrame: number,
	endFrame: number,
): Promise<boolean> {
	if (channels === 1) return true;
	for await (const chunk of reader.chunks(Math.max(0, firstFrame), endFrame)) {
		for (let i = 0; i < chunk.length; i++) {
			if (chunk[i] !== chunk[i - (i % channels)]) return false;
		}
	}
	return true;
}
