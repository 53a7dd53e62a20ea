import { CHUNK_FRAMES, PcmReader, type PcmFile, type PcmSource } from '../../media/pcmFile.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { crossFade, sharesIn } from './crossFade.mts';

/** Length of the cross-fades at both ends of music, in seconds; they lie outside the music. */
const FADE_SECONDS = 0.5;

/**
 * Returns the recording with its music untouched: plays `untouched` instead of `workedOn` in music
 * sections, with cross-fades at their borders.
 *
 * @param untouched same length and format as `workedOn`, and in sync with it.
 */
export function keepMusic(
	workedOn: PcmFile,
	untouched: PcmFile,
	sections: readonly TimeRange[],
): PcmSource {
	const { sampleRateHz, channels, frames } = workedOn;
	return {
		sampleRateHz,
		channels,
		frames,
		async *chunks(startFrame, endFrame) {
			await using reader = await PcmReader.open(workedOn);
			await using original = await PcmReader.open(untouched);
			for (let frame = startFrame; frame < endFrame; frame += CHUNK_FRAMES) {
				const count = Math.min(CHUNK_FRAMES, endFrame - frame);
				const place = { startFrame: frame, frames: count, sampleRateHz };
				const shares = sharesIn(sections, place, FADE_SECONDS);
				const block = await reader.read(frame, count);
				if (shares) crossFade(block, await original.read(frame, count), shares, channels);
				yield block;
			}
		},
	};
}
