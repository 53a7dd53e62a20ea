import { meansOf } from './subsonics.mts';
import { MonoMix } from '../media/monoMix.mts';
import { PcmReader, type PcmFile } from '../media/pcmFile.mts';
import type { TimelineEdit } from '../shared/timeRanges.mts';

/** A border moves by no more than this, in seconds. */
const REACH_SECONDS = 0.006;

/** How quiet a place is, is judged over this, in seconds. */
const SPAN_SECONDS = 0.002;

/**
 * Moves the borders of edits to the quietest place near them and there to a zero crossing, so that
 * cuts are not heard. A mouth sound's borders move outwards only, so that nothing of it stays.
 *
 * @param pcm what the edits will be carried out on.
 * @throws the signal's reason when aborted.
 */
export async function settleBorders(
	pcm: PcmFile,
	edits: readonly TimelineEdit[],
	signal?: AbortSignal,
): Promise<TimelineEdit[]> {
	await using reader = await PcmReader.open(pcm);
	const settle = async (seconds: number, earliest: number, latest: number) => {
		signal?.throwIfAborted();
		const around = await surroundings(reader, pcm, seconds + earliest, seconds + latest);
		if (!around) return seconds;
		return (around.firstFrame + quietestFrame(around.mix, pcm.sampleRateHz)) / pcm.sampleRateHz;
	};
	const settled: TimelineEdit[] = [];
	for (const edit of edits) {
		const inwards = edit.kind === 'mouth_sound' ? 0 : REACH_SECONDS;
		const startSeconds = await settle(edit.startSeconds, -REACH_SECONDS, inwards);
		const endSeconds = await settle(edit.endSeconds, -inwards, REACH_SECONDS);
		settled.push(endSeconds > startSeconds ? { ...edit, startSeconds, endSeconds } : edit);
	}
	return settled;
}

/** The mix of all channels, where there is room; at the recording's ends borders stay as they are. */
async function surroundings(
	reader: PcmReader,
	{ sampleRateHz, channels, frames }: PcmFile,
	fromSeconds: number,
	toSeconds: number,
) {
	const margin = Math.round((SPAN_SECONDS / 2) * sampleRateHz);
	const firstFrame = Math.round(fromSeconds * sampleRateHz) - margin;
	const count = Math.round(toSeconds * sampleRateHz) + margin - firstFrame;
	if (firstFrame < 0 || firstFrame + count > frames) return undefined;
	const samples = await reader.read(firstFrame, count);
	const mix = new MonoMix({ channels, sampleRateHz }).mixed(samples);
	const [offset] = meansOf(mix, 1);
	return { mix: mix.map((sample) => sample - offset), firstFrame };
}

function quietestFrame(mix: Float32Array, sampleRateHz: number): number {
	const span = Math.round(SPAN_SECONDS * sampleRateHz);
	let energy = 0;
	for (let i = 0; i < span; i++) energy += mix[i] ** 2;
	let [least, best] = [energy, 0];
	for (let i = 1; i + span <= mix.length; i++) {
		energy += mix[i + span - 1] ** 2 - mix[i - 1] ** 2;
		if (energy < least) [least, best] = [energy, i];
	}
	const middle = best + Math.floor(span / 2);
	for (let distance = 0; distance < span / 2; distance++) {
		for (const frame of [middle - distance, middle + distance]) {
			if (mix[frame - 1] < 0 !== mix[frame] < 0) return frame;
		}
	}
	return middle;
}
