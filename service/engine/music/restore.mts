import { CHUNK_FRAMES, PcmReader, PcmWriter, type PcmFile } from '../../media/pcmFile.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { Notches, settlingFrames } from '../denoise/notches.mts';
import { crossFade, sharesIn } from '../voice/crossFade.mts';

/** How long noise fades away after the music, and comes before it, in seconds. */
const FADE_SECONDS = 0.24;

/**
 * Gives a denoised file back what was taken away in some ranges, but for the hum.
 *
 * @param denoised is written into; in step with the input.
 * @throws the signal's reason when aborted.
 */
export async function restore(
	input: PcmFile,
	humHz: readonly number[],
	denoised: PcmFile,
	ranges: readonly TimeRange[],
	signal?: AbortSignal,
): Promise<void> {
	const { sampleRateHz, channels, frames } = input;
	await using original = await PcmReader.open(input);
	await using reader = await PcmReader.open(denoised);
	for (const { startSeconds, endSeconds } of ranges) {
		const first = Math.max(0, Math.floor((startSeconds - FADE_SECONDS) * sampleRateHz));
		const end = Math.min(frames, Math.ceil((endSeconds + FADE_SECONDS) * sampleRateHz));
		const notches = new Notches(humHz, input);
		await using writer = await PcmWriter.at(denoised.path, channels, first);
		const before = Math.max(0, first - settlingFrames(humHz, sampleRateHz));
		for await (const chunk of original.chunks(before, first)) notches.write(chunk);
		for (let frame = first; frame < end; frame += CHUNK_FRAMES) {
			signal?.throwIfAborted();
			const count = Math.min(CHUNK_FRAMES, end - frame);
			const [block, untouched] = [
				await reader.read(frame, count),
				await original.read(frame, count),
			];
			notches.write(untouched);
			const place = { startFrame: frame, frames: count, sampleRateHz };
			const shares = sharesIn(ranges, place, FADE_SECONDS);
			if (shares) crossFade(block, untouched, shares, channels);
			await writer.write(block);
		}
	}
}
