import { CHUNK_FRAMES, PcmReader, type PcmFile, type PcmSource } from '../media/pcmFile.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/** Length of the cross-fade into and out of music, in seconds; it lies outside of the music. */
const FADE_SECONDS = 0.5;

/**
 * A recording with its music as it came: where there is music the untouched signal is heard instead
 * of the worked-on one, with a cross-fade at its borders.
 *
 * @param untouched as long as the other, in step with it, and laid out alike.
 */
export function keepMusic(
	workedOn: PcmFile,
	untouched: PcmFile,
	sections: readonly TimeRange[],
): PcmSource {
	const { sampleRateHz, channels, frames } = workedOn;
	return {
		...{ sampleRateHz, channels, frames },
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

/** How much of each frame is to be the untouched signal, 0 to 1; undefined when none of any. */
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

/** The signals are alike, so their shares add up to one in amplitude. */
function mix(
	block: Float32Array,
	original: Float32Array,
	shares: Float32Array,
	channels: number,
): void {
	for (let i = 0; i < block.length; i++) {
		block[i] += (original[i] - block[i]) * shares[Math.floor(i / channels)];
	}
}
