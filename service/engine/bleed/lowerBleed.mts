import type { PcmFile, PcmSource } from '../../media/pcmFile.mts';
import { featuresOf } from '../recordingFeatures.mts';
import { QuietPlaces } from '../roomTone/quietPlaces.mts';
import { hopFramesAt } from '../signal/levels.mts';
import { endThreads } from '../threads/engineThreads.mts';
import { bleedGains } from './bleedGains.mts';

/** One microphone of several. */
export interface MicrophoneSound {
	/** What is to be changed. */
	readonly sound: PcmSource;
	/** The recording as it came, 16 kHz, in step with it. */
	readonly analysis: PcmFile;
}

/**
 * Makes those softer who come over from the other microphones, while only they are heard. The noise of each room
 * stays as loud as it is: its own sound from elsewhere takes the place of what becomes softer.
 *
 * @throws the signal's reason when aborted.
 */
export async function withLowerBleed(
	microphones: readonly MicrophoneSound[],
	reductionDb: number,
	signal?: AbortSignal,
): Promise<PcmSource[]> {
	const features = [];
	try {
		for (const { analysis } of microphones) features.push(await featuresOf(analysis, signal));
	} finally {
		await endThreads();
	}
	const gains = bleedGains(features, reductionDb);
	return microphones.map(({ sound }, track) => lowered(sound, gains[track]));
}

/** Applies a factor for every hop while a sound is read, and makes up for the noise that goes with it. */
export function lowered(input: PcmSource, factors: Float32Array): PcmSource {
	if (factors.every((factor) => factor === 1)) return input;
	const { channels, sampleRateHz } = input;
	const step = hopFramesAt(sampleRateHz);
	let quiet: Promise<QuietPlaces> | undefined;
	const toneAt = async (frame: number) => {
		quiet ??= QuietPlaces.in(input, []);
		return await (await quiet).toneAt(frame);
	};
	return {
		...input,
		async *chunks(startFrame, endFrame) {
			let first = startFrame;
			for await (const chunk of input.chunks(startFrame, endFrame)) {
				const frames = chunk.length / channels;
				const [from, to] = [Math.floor(first / step), Math.ceil((first + frames) / step) + 1];
				const isChanged = factors.subarray(from, to).some((factor) => factor < 1);
				const room = isChanged ? (await toneAt(first))?.at(first, frames) : undefined;
				yield isChanged ? blended(chunk, room, { factors, channels, step, first }) : chunk;
				first += frames;
			}
		},
	};
}

interface Place {
	readonly factors: Float32Array;
	readonly channels: number;
	/** Frames of a hop. */
	readonly step: number;
	/** The first frame of the chunk. */
	readonly first: number;
}

function blended(
	chunk: Float32Array,
	room: Float32Array | undefined,
	{ factors, channels, step, first }: Place,
): Float32Array {
	return chunk.map((sample, i) => {
		const frame = first + Math.floor(i / channels);
		const hop = Math.floor(frame / step);
		const before = factors[hop] ?? 1;
		const factor = before + ((factors[hop + 1] ?? before) - before) * (frame / step - hop);
		if (factor === 1) return sample;
		return factor * sample + Math.sqrt(1 - factor * factor) * (room?.[i] ?? 0);
	});
}
