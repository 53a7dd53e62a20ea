import type { PcmFormat } from './pcmFile.mts';
import { UnusableInput } from '../shared/failures.mts';

/** The format that the limit applies to. With more samples per second, the maximum is shorter. */
const REFERENCE: PcmFormat = { sampleRateHz: 48_000, channels: 2 };

/**
 * Returns the maximum length of a recording, in seconds. Silence compresses a thousandfold or more,
 * so the upload's size does not predict its size on disk once decoded.
 *
 * @param maxSourceSeconds the limit for two channels at 48 kHz.
 */
export function maxLengthSeconds(maxSourceSeconds: number, format: PcmFormat): number {
	const channelShare = Math.max(1, format.channels / REFERENCE.channels);
	const rateShare = Math.max(1, format.sampleRateHz / REFERENCE.sampleRateHz);
	return maxSourceSeconds / channelShare / rateShare;
}

/** The error for a recording, or the picture of one, longer than `limitSeconds`. */
export function tooLong(
	limitSeconds: number,
	{ channels, sampleRateHz }: PcmFormat,
	what: 'recording' | 'picture' = 'recording',
): UnusableInput {
	const hours = Number((limitSeconds / 3_600).toPrecision(3));
	return new UnusableInput(
		`The ${what} is too long: with ${channels} channels at ${sampleRateHz} Hz the service ` +
			`takes at most ${hours} hours (--max-source-hours).`,
	);
}
