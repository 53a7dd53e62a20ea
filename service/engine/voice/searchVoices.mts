import type { PcmFile } from '../../media/pcmFile.mts';
import { VOICE_SAMPLES, VOICE_SIZE } from '../networks/voiceEncoder/voiceEncoder.mts';
import { ANALYSIS_RATE_HZ } from '../signal/levels.mts';
import { inOwnThreads, THREADS } from '../threads/engineThreads.mts';
import { sharedFloats } from '../signal/sharedArrays.mts';

/** Seconds of each moment that is described. */
export const VOICE_SECONDS = VOICE_SAMPLES / ANALYSIS_RATE_HZ;

/**
 * Returns what describes the voice at each moment of a recording.
 *
 * @param input mono, 16 kHz.
 * @param startSeconds when the moments begin; those that reach beyond the end are moved before it.
 * @throws the signal's reason when aborted.
 */
export async function searchVoices(
	input: PcmFile,
	startSeconds: readonly number[],
	signal?: AbortSignal,
): Promise<Float32Array[]> {
	if (input.frames < VOICE_SAMPLES || startSeconds.length === 0) return [];
	const latest = input.frames - VOICE_SAMPLES;
	const starts = startSeconds.map((seconds) =>
		Math.max(0, Math.min(latest, Math.round(seconds * ANALYSIS_RATE_HZ))),
	);
	const voices = sharedFloats(starts.length * VOICE_SIZE);
	const size = Math.ceil(starts.length / THREADS);
	const tasks = Array.from({ length: THREADS }, (_, share) => {
		const [first, end] = [share * size, (share + 1) * size];
		return { kind: 'describe' as const, input, starts: starts.slice(first, end), first, voices };
	});
	await inOwnThreads(tasks, signal);
	return starts.map((_, at) => voices.subarray(at * VOICE_SIZE, (at + 1) * VOICE_SIZE));
}
