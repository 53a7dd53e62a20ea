import { CHUNK_FRAMES, PcmReader, type PcmFile, type PcmSource } from '../../media/pcmFile.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

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
				const shares = musicShares(sections, frame, count, sampleRateHz);
				const block = await reader.read(frame, count);
				if (shares) mix(block, await original.read(frame, count), shares, channels);
				yield block;
			}
		},
	};
}

/** Share of the untouched signal in each frame, 0 to 1; undefined if it is 0 throughout. */
function musicShares(
	sections: readonly TimeRange[],
	startFrame: number,
	frames: number,
	sampleRateHz: number,
): Float32Array | undefined {
	const start = startFrame / sampleRateHz - FADE_SECONDS;
	const end = (startFrame + frames) / sampleRateHz + FADE_SECONDS;
	const near = sections.filter((s) => s.startSeconds < end && s.endSeconds > start);
	if (near.length === 0) return undefined;
	const shares = new Float32Array(frames);
	for (let i = 0; i < frames; i++) {
		const seconds = (startFrame + i) / sampleRateHz;
		for (const { startSeconds, endSeconds } of near) {
			const outside = Math.max(startSeconds - seconds, seconds - endSeconds, 0);
			shares[i] = Math.max(shares[i], 1 - outside / FADE_SECONDS);
		}
	}
	return shares;
}

/** The signals correlate, so their amplitude shares add up to 1. */
function mix(block: Float32Array, original: Float32Array, shares: Float32Array, channels: number) {
	for (let i = 0; i < block.length; i++) {
		block[i] += (original[i] - block[i]) * shares[Math.floor(i / channels)];
	}
}
