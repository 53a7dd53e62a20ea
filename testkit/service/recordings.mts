import { makeRecording, type RecordingPlan } from '../media/recording.ts';

/** Seconds kept of a long silence: 0.8 of one of a second, and more of longer ones. */
export function keptOf(seconds: number): number {
	return 0.8 + 0.16 * Math.log(seconds);
}

/** Speech with two long silences, from 2 to 3.5 and from 5.5 to 8 seconds, and a short pause. */
export const TALK: RecordingPlan = { partsSeconds: [2, 1.5, 2, 2.5, 2, 0.5, 2] };

/** Where the long silences of TALK begin and end, in seconds. */
export const LONG_SILENCES = [
	[2, 3.5],
	[5.5, 8],
] as const;

export const TALK_REMOVED_SECONDS = LONG_SILENCES.reduce(
	(sum, [start, end]) => sum + end - start - keptOf(end - start),
	0,
);

export const talk = makeRecording(TALK);

/** Changes nothing of the sound. */
export const PLAIN = { remove_noise: false } as const;

/** Cuts the long silences, and changes nothing else. */
export const SILENCES = { long_silences: true, remove_noise: false } as const;

/** One second of sound, for tests that are not about the sound. */
export const shortRecording = makeRecording({ partsSeconds: [1] });
