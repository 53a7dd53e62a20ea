import { PcmReader, PcmWriter, type PcmFile } from '../../media/pcmFile.mts';
import { HOP_SAMPLES, RATE_HZ } from '../networks/deepFilterNet/frames.mts';
import { type ChannelGroup, isTouched, valueAt } from './channelGroup.mts';
import { BLOCK_FRAMES, BLOCK_HOPS, DELAY_FRAMES, GroupDenoiser } from './groupDenoiser.mts';
import type { NoiseSurvey } from './noiseSurvey.mts';
import { humLoopFrames, Notches } from './notches.mts';

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
const WARM_UP_FRAMES = 4 * RATE_HZ;

/**
 * The network hears speech at about this level, as a mean square: -26 dBFS. It has a sense of how loud sounds are, and
 * takes a soft recording's ends of words for noise. What has no speech is amplified by at most 40 dB.
 */
const USUAL_SPEECH = 10 ** -2.6;
const SOFTEST_SPEECH = 10 ** -6.6;

/** Hum is not heard this far below the speech, as a share of its amplitude: 50 dB. */
const HIDDEN_HUM = 10 ** -2.5;

/** Whether there is noise is asked for parts of this length. */
const PART_FRAMES = 10 * RATE_HZ;

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
	const { survey } = task;
	const isChanged = (from: number, to: number) =>
		survey.humHz.length > 0 || survey.groups.some((group) => isTouched(group, from, to));
	const parts: (Task & { isNoisy: boolean })[] = [];
	for (let startFrame = task.startFrame; startFrame < task.endFrame; startFrame += PART_FRAMES) {
		const endFrame = Math.min(task.endFrame, startFrame + PART_FRAMES);
		const isNoisy = isChanged(startFrame / RATE_HZ, endFrame / RATE_HZ);
		const last = parts.at(-1);
		if (last?.isNoisy === isNoisy) last.endFrame = endFrame;
		else parts.push({ ...task, startFrame, endFrame, isNoisy });
	}
	return parts;
}

/** Yields the blocks of a noisy stretch without their noise; each is overwritten by the next. */
export async function* denoised(
	reader: PcmReader,
	{ input, startFrame, endFrame, survey }: Omit<DenoiseTask, 'outputPath'>,
): AsyncGenerator<Float32Array> {
	const { channels } = input;
	const { groups, humHz } = survey;
	const [start, end] = [startFrame / RATE_HZ, endFrame / RATE_HZ];
	const denoisers: GroupDenoiser[] = [];
	for (const group of groups) {
		const isNeeded = isTouched(group, start, end);
		denoisers.push(await GroupDenoiser.create(group.channels, isNeeded, survey.left));
	}
	// Of channels that are alike, only the first is denoised.
	const areAlike = groups.flatMap((group) => group.channels).length < channels;
	const notches = new Notches(humHz, input, humLeft(survey));
	const loopFrames = humLoopFrames(humHz, input);
	const firstFrame = startFrame - WARM_UP_FRAMES;
	const block = new Float32Array(BLOCK_FRAMES * channels);
	let outputFrame = firstFrame - DELAY_FRAMES;
	for (let frame = firstFrame; outputFrame < endFrame; frame += BLOCK_FRAMES) {
		await readBlock(reader, block, input, frame, loopFrames);
		notches.write(block);
		for (const [index, denoiser] of denoisers.entries()) {
			const strengths = strengthsFrom(groups[index], outputFrame);
			await denoiser.process(block, strengths, loudnessFrom(groups[index], frame));
		}
		if (areAlike) {
			for (let i = 0; i < block.length; i++) block[i] = block[i - (i % channels)];
		}
		const from = Math.max(0, startFrame - outputFrame);
		const to = Math.min(BLOCK_FRAMES, endFrame - outputFrame);
		if (to > from) yield block.subarray(from * channels, to * channels);
		outputFrame += BLOCK_FRAMES;
	}
}

/** What the notches leave of the hum: as much as nobody hears beside the speech once the network has lowered it, too. */
function humLeft({ humShare, left }: NoiseSurvey): number {
	return Math.min(1, HIDDEN_HUM / (humShare * left));
}

/** Returns the strength of the noise reduction in each hop of the block that begins at a frame. */
function strengthsFrom({ strengths }: ChannelGroup, startFrame: number): Float64Array {
	return Float64Array.from({ length: BLOCK_HOPS }, (_, hop) => {
		return valueAt(strengths, (startFrame + (hop + 1) * HOP_SAMPLES) / RATE_HZ);
	});
}

/** Returns by how much the network hears each hop of the block that begins at a frame amplified. */
function loudnessFrom({ speech }: ChannelGroup, startFrame: number): Float64Array {
	return Float64Array.from({ length: BLOCK_HOPS }, (_, hop) => {
		const level = valueAt(speech, (startFrame + hop * HOP_SAMPLES) / RATE_HZ);
		return Math.sqrt(USUAL_SPEECH / Math.max(SOFTEST_SPEECH, level));
	});
}

/**
 * Fills a block with frames: before the recording's beginning the loop or, without one, mirrored sound, and mirrored
 * sound after its end.
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
		reverse(await reader.readInto(part(before - available, before), from), channels);
	}
	const from = Math.max(0, frame);
	const available = Math.max(0, Math.min(BLOCK_FRAMES - before, input.frames - from));
	await reader.readInto(part(before, before + available), from);
	// Where the end is not mirrored, the network takes the last of the noise for something that begins.
	const after = BLOCK_FRAMES - before - available;
	const end = 2 * input.frames - from - available;
	const mirrored = Math.max(0, Math.min(after, end));
	if (mirrored === 0) return;
	const first = before + available;
	reverse(await reader.readInto(part(first, first + mirrored), end - mirrored), channels);
}

/** Turns the order of interleaved frames around. The first and the last frames are filtered with those beside them. */
function reverse(frames: Float32Array, channels: number): void {
	frames.reverse();
	for (let i = 0; i < frames.length; i += channels) frames.subarray(i, i + channels).reverse();
}
