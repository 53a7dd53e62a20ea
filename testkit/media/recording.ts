import { wavFile } from './wavFile';

/** A recording made in memory: tone bursts as speech, with silences and a noise floor. */

const SAMPLE_RATE_HZ = 16_000;

/** The sound and silence of a test recording. */
export interface RecordingPlan {
	/** Lengths in seconds of sound and silence in turn, starting with sound. */
	readonly partsSeconds: readonly number[];
}

/**
 * Returns a mono 16-bit WAV file. Sound is a vowel-like tone with a 4 Hz syllable rhythm at about
 * −20 dBFS, silence is noise at about −70 dBFS.
 */
export function makeRecording({ partsSeconds }: RecordingPlan): Buffer {
	const samples = partsSeconds.flatMap((seconds, part) =>
		Array.from({ length: Math.round(seconds * SAMPLE_RATE_HZ) }, (_, index) => {
			const noise = (pseudoRandom(index + part * 7_919) - 0.5) * 0.0006;
			return part % 2 === 0 ? noise + vowelAt(index / SAMPLE_RATE_HZ) : noise;
		}),
	);
	const data = Buffer.alloc(samples.length * 2);
	samples.forEach((sample, index) => data.writeInt16LE(Math.round(sample * 32_767), index * 2));
	return wavFile(data, SAMPLE_RATE_HZ);
}

/** Returns the total length in seconds. */
export function lengthSeconds({ partsSeconds }: RecordingPlan): number {
	return partsSeconds.reduce((sum, seconds) => sum + seconds, 0);
}

function vowelAt(seconds: number): number {
	const syllable = 0.55 + 0.45 * Math.sin(2 * Math.PI * 4 * seconds);
	const harmonics = [1, 2, 3, 5, 8].map((n) => Math.sin(2 * Math.PI * 130 * n * seconds) / (n + 1));
	return 0.16 * syllable * harmonics.reduce((sum, value) => sum + value, 0);
}

/** Returns the same noise in every run. */
function pseudoRandom(seed: number): number {
	const x = Math.sin(seed * 12.9898) * 43_758.5453;
	return x - Math.floor(x);
}

/** Returns the length in seconds of a PCM WAV file, read from its header. */
export function wavSeconds(wav: Buffer): number {
	const format = wav.indexOf('fmt ');
	const bytesPerSecond = wav.readUInt32LE(format + 16);
	const data = wav.indexOf('data');
	const declared = wav.readUInt32LE(data + 4);
	return Math.min(declared, wav.length - data - 8) / bytesPerSecond;
}
