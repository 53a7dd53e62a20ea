import type { PcmFile } from '../../media/pcmFile.mts';
import { MOMENT_SAMPLES } from '../networks/silero/silero.mts';
import { ANALYSIS_RATE_HZ } from '../signal/levels.mts';
import { inOwnThreads, THREADS } from '../threads/engineThreads.mts';
import { sharedFloats } from '../signal/sharedArrays.mts';

/** Seconds of each moment that is judged. */
export const MOMENT_SECONDS = MOMENT_SAMPLES / ANALYSIS_RATE_HZ;

/**
 * Returns how likely somebody speaks at each moment of a recording, 0 to 1: not in music, nor in noise.
 *
 * @param input mono, 16 kHz.
 * @throws the signal's reason when aborted.
 */
export async function searchVoice(input: PcmFile, signal?: AbortSignal): Promise<Float32Array> {
	const moments = Math.ceil(input.frames / MOMENT_SAMPLES);
	const voice = sharedFloats(moments);
	const borders = Array.from({ length: THREADS + 1 }, (_, at) =>
		Math.round((at * moments) / THREADS),
	);
	const tasks = borders.slice(1).map((end, share) => {
		return { kind: 'voice' as const, input, part: { start: borders[share], end }, voice };
	});
	await inOwnThreads(tasks, signal);
	return voice;
}
