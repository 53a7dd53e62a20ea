import { MonoMix } from '../../media/monoMix.mts';
import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import { VOICE_SAMPLES, VOICE_SIZE, VoiceEncoder } from '../networks/voiceEncoder/voiceEncoder.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';

/** Moments at which to describe the voice. */
export interface DescribeTask {
	/** 16 kHz; several channels are mixed. */
	input: PcmFile;
	/** The samples of each moment. A shorter one than `VOICE_SAMPLES` is heard forward and backward until it is as long. */
	moments: readonly IndexRange[];
	/** The first of these moments among all, and what describes them all. */
	first: number;
	voices: Float32Array;
}

const AT_ONCE = 8;

/** Writes what describes the voice at each moment. @throws the signal's reason when aborted. */
export async function describe(
	{ input, moments, first, voices }: DescribeTask,
	signal?: AbortSignal,
): Promise<void> {
	const encoder = await VoiceEncoder.create();
	await using reader = await PcmReader.open(input);
	for (let at = 0; at < moments.length; at += AT_ONCE) {
		signal?.throwIfAborted();
		const sounds: Float32Array[] = [];
		for (const { start, end } of moments.slice(at, at + AT_ONCE)) {
			const frames = await reader.read(start, Math.min(end - start, VOICE_SAMPLES));
			sounds.push(asLong(new MonoMix(input).mixed(frames)));
		}
		voices.set(await encoder.voicesIn(sounds), (first + at) * VOICE_SIZE);
	}
}

/** A sound forward and backward, as long as the encoder hears: without a jump where it begins again. */
function asLong(sound: Float32Array): Float32Array {
	if (sound.length === VOICE_SAMPLES) return sound;
	const { length } = sound;
	return Float32Array.from({ length: VOICE_SAMPLES }, (_, at) => {
		const place = at % (2 * length);
		return sound[place < length ? place : 2 * length - 1 - place];
	});
}
