import type { PcmFormat } from './pcmFile.mts';
import { UnusableInput } from '../shared/failures.mts';

/** The recording that the limit is given for; one with more samples a second may last less long. */
const REFERENCE: PcmFormat = { sampleRateHz: 48_000, channels: 2 };

/**
 * How long a recording may be, in seconds: silence packs a thousandfold and more, so the size of an
 * upload says nothing about what it takes on disk when it is decoded.
 *
 * @param longestSourceSeconds the limit for two channels at 48 kHz.
 */
export function longestSeconds(longestSourceSeconds: number, format: PcmFormat): number {
	const channelShare = Math.max(1, format.channels / REFERENCE.channels);
	const rateShare = Math.max(1, format.sampleRateHz / REFERENCE.sampleRateHz);
	return longestSourceSeconds / channelShare / rateShare;
}

/** The refusal of a recording that is longer than the limit, in seconds. */
export function tooLong(
	limitSeconds: number,
	{ channels, sampleRateHz }: PcmFormat,
): UnusableInput {
	const hours = Number((limitSeconds / 3_600).toPrecision(3));
	return new UnusableInput(
		`The recording is too long: with ${channels} channels at ${sampleRateHz} Hz the service ` +
			`takes at most ${hours} hours (--longest-source-hours).`,
	);
}
