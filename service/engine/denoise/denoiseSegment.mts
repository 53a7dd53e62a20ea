import { PcmReader, PcmWriter, type PcmFile } from '../../media/pcmFile.mts';
import { type ChannelGroup, isTouched, valueAt } from './channelGroup.mts';
import { BLOCK_FRAMES, DELAY_FRAMES } from './dtlnMask.mts';
import { type Guide, LinkedDenoiser } from './linkedDenoiser.mts';
import type { NoiseSurvey } from './noiseSurvey.mts';
import { humLoopFrames, Notches } from './notches.mts';
import { RNNOISE_RATE_HZ } from './models/rnnoise.mts';
import { HOP_SAMPLES } from '../signal/windowTransform.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/** A stretch of a recording. */
interface Stretch {
	startFrame: number;
	endFrame: number;
	survey: NoiseSurvey;
}

/** A stretch of a recording to be denoised by itself, so that several cores share the work. */
export interface DenoiseTask extends Stretch {
	/** 48 kHz. */
	input: PcmFile;
	/** The file to write the stretch into; it exists already. */
	outputPath: string;
}

/**
 * The denoiser starts this long before a stretch, to learn the noise. At the beginning of a recording
 * it hears the first seconds backwards or, with hum, a loop of them.
 */
const WARM_UP_FRAMES = 4 * RNNOISE_RATE_HZ;

/** Speech is louder than this, as a mean square: the division by silence stays finite. */
const TINY = 1e-10;

/** Whether there is noise is asked for parts of this length. */
const PART_FRAMES = 10 * RNNOISE_RATE_HZ;

/** Denoises a stretch of a recording, delay compensated. */
export async function denoiseSegment(task: DenoiseTask, signal?: AbortSignal): Promise<void> {
	const { input, outputPath, startFrame } = task;
	await using reader = await PcmReader.open(input);
	await using writer = await PcmWriter.at(outputPath, input.channels, startFrame);
	for (const part of partsOf(task)) {
		const blocks = part.isNoisy
			? denoised(reader, part)
			: reader.chunks(part.startFrame, part.endFrame);
		for await (const block of blocks) {
			signal?.throwIfAborted();
			await writer.write(block);
		}
	}
}

/** Divides a stretch into parts that hold noise, and parts that hold none and stay as they are. */
export function partsOf<Task extends Stretch>(task: Task): (Task & { isNoisy: boolean })[] {
	const { groups, bursts, humHz } = task.survey;
	const isNoisyAt = (from: number, to: number) =>
		humHz.length > 0 ||
		groups.some((group) => isTouched(group, from, to)) ||
		bursts.some(({ startSeconds, endSeconds }) => startSeconds < to && endSeconds > from);
	const parts: (Task & { isNoisy: boolean })[] = [];
	for (let startFrame = task.startFrame; startFrame < task.endFrame; startFrame += PART_FRAMES) {
		const endFrame = Math.min(task.endFrame, startFrame + PART_FRAMES);
		const isNoisy = isNoisyAt(startFrame / RNNOISE_RATE_HZ, endFrame / RNNOISE_RATE_HZ);
		const last = parts.at(-1);
		if (last?.isNoisy === isNoisy) last.endFrame = endFrame;
		else parts.push({ ...task, startFrame, endFrame, isNoisy });
	}
	return parts;
}

/** Yields blocks, each of which is overwritten by the next. */
async function* denoised(
	reader: PcmReader,
	{ input, startFrame, endFrame, survey }: DenoiseTask,
): AsyncGenerator<Float32Array> {
	const { channels } = input;
	const { groups, bursts, crowds, humHz } = survey;
	using denoiser = await LinkedDenoiser.create(
		groups.map((group) => group.channels),
		bursts.length + crowds.length > 0 ? loudestSpeech(groups) : undefined,
	);
	// Of channels that are alike, only the first is denoised.
	const areAlike = groups.flatMap((group) => group.channels).length < channels;
	const notches = new Notches(humHz, input);
	const loopFrames = humLoopFrames(humHz, input);
	const firstFrame = startFrame - WARM_UP_FRAMES;
	const block = new Float32Array(BLOCK_FRAMES * channels);
	let outputFrame = firstFrame - DELAY_FRAMES;
	for (let frame = firstFrame; outputFrame < endFrame; frame += BLOCK_FRAMES) {
		await readBlock(reader, block, input, frame, loopFrames);
		notches.write(block);
		denoiser.process(block, guideFrom(survey, outputFrame));
		if (areAlike) {
			for (let i = 0; i < block.length; i++) block[i] = block[i - (i % channels)];
		}
		const from = Math.max(0, startFrame - outputFrame);
		const to = Math.min(BLOCK_FRAMES, endFrame - outputFrame);
		if (to > from) yield block.subarray(from * channels, to * channels);
		outputFrame += BLOCK_FRAMES;
	}
}

/** Returns the mean square of the loudest speech. */
function loudestSpeech(groups: readonly ChannelGroup[]): number {
	return groups
		.flatMap(({ speech }) => [...speech])
		.reduce((loudest, one) => Math.max(loudest, one), TINY);
}

/** Returns what to do in each hop of the block that begins at a frame. */
function guideFrom({ groups, bursts, crowds }: NoiseSurvey, startFrame: number): Guide {
	const start = startFrame / RNNOISE_RATE_HZ;
	const secondsAt = (hop: number) => start + (hop * HOP_SAMPLES) / RNNOISE_RATE_HZ;
	const hops = BLOCK_FRAMES / HOP_SAMPLES;
	const inHops = (values: Float32Array) =>
		Float64Array.from({ length: hops }, (_, hop) => valueAt(values, secondsAt(hop)));
	/** What each hop is in; DTLN hears a block or two before, to know the voice. */
	const inEachHop = <Part extends TimeRange>(parts: readonly Part[]) => {
		const near = parts.filter(({ startSeconds, endSeconds }) => {
			return startSeconds < secondsAt(2 * hops) && endSeconds > start;
		});
		if (near.length === 0) return undefined;
		return Array.from({ length: hops }, (_, hop) => {
			const seconds = secondsAt(hop);
			return near.find((it) => seconds >= it.startSeconds && seconds < it.endSeconds);
		});
	};
	return {
		strengths: groups.map(({ strengths }) => inHops(strengths)),
		noise: groups.map(({ noise }) => inHops(noise)),
		bursts: inEachHop(bursts),
		crowds: inEachHop(crowds),
	};
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
