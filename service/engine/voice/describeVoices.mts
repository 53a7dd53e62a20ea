import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import { VOICE_SAMPLES, VOICE_SIZE, VoiceEncoder } from '../networks/voiceEncoder/voiceEncoder.mts';

/** Moments at which to describe the voice. */
export interface DescribeTask {
	/** Mono, 16 kHz. */
	input: PcmFile;
	/** First sample of each. */
	starts: readonly number[];
	/** The first of these moments among all, and what describes them all. */
	first: number;
	voices: Float32Array;
}

const AT_ONCE = 8;

/** Writes what describes the voice at each moment. @throws the signal's reason when aborted. */
export async function describe(
	{ input, starts, first, voices }: DescribeTask,
	signal?: AbortSignal,
): Promise<void> {
	const encoder = await VoiceEncoder.create();
	await using reader = await PcmReader.open(input);
	for (let at = 0; at < starts.length; at += AT_ONCE) {
		signal?.throwIfAborted();
		const sounds: Float32Array[] = [];
		for (const start of starts.slice(at, at + AT_ONCE)) {
			sounds.push(await reader.read(start, VOICE_SAMPLES));
		}
		voices.set(await encoder.voicesIn(sounds), (first + at) * VOICE_SIZE);
	}
}
