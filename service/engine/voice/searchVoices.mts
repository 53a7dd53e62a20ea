import type { PcmFile } from '../../media/pcmFile.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { VOICE_SAMPLES, VOICE_SIZE } from '../networks/voiceEncoder/voiceEncoder.mts';
import { ANALYSIS_RATE_HZ } from '../signal/levels.mts';
import { inOwnThreads, inThreads, THREADS } from '../threads/engineThreads.mts';
import type { ThreadTask } from '../threads/threadWork.mts';
import { sharedFloats } from '../signal/sharedArrays.mts';

/** Seconds of each moment that is described. */
export const VOICE_SECONDS = VOICE_SAMPLES / ANALYSIS_RATE_HZ;

/** Fewer moments are not worth the code that another thread compiles. */
const MIN_MOMENTS = 60;

/**
 * Returns what describes the voice in each of some sounds, as `voicesOfSounds` does, in threads of their own.
 *
 * @throws the signal's reason when aborted.
 */
export async function searchVoices(
	input: PcmFile,
	sounds: readonly IndexRange[],
	signal?: AbortSignal,
): Promise<Float32Array[]> {
	if (sounds.length === 0) return [];
	const { tasks, voices } = tasksFor(input, sounds, THREADS);
	await inOwnThreads(tasks, signal);
	return voices;
}

/**
 * Returns what describes the voice in each of some sounds, which may be shorter than a moment, in the threads of the edit.
 *
 * @param input 16 kHz; several channels are mixed.
 * @param sounds in samples, within the recording.
 * @throws the signal's reason when aborted.
 */
export async function voicesOfSounds(
	input: PcmFile,
	sounds: readonly IndexRange[],
	signal?: AbortSignal,
): Promise<Float32Array[]> {
	if (sounds.length === 0) return [];
	const threads = Math.max(1, Math.min(THREADS, Math.floor(sounds.length / MIN_MOMENTS)));
	const { tasks, voices } = tasksFor(input, sounds, threads);
	await inThreads(tasks, signal);
	return voices;
}

/** The moments divided among threads, and where each will be described. */
function tasksFor(input: PcmFile, moments: readonly IndexRange[], threads: number) {
	const voices = sharedFloats(moments.length * VOICE_SIZE);
	const size = Math.ceil(moments.length / threads);
	const tasks = Array.from({ length: threads }, (_, share): ThreadTask => {
		const [first, end] = [share * size, (share + 1) * size];
		return { kind: 'describe', input, moments: moments.slice(first, end), first, voices };
	});
	const own = moments.map((_, at) => voices.subarray(at * VOICE_SIZE, (at + 1) * VOICE_SIZE));
	return { tasks, voices: own };
}
