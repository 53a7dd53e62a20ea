import { wavFile } from '../../../../testkit/media/wavFile.ts';
import { samplesOf } from '../../../../testkit/service/media.mts';

const RATE_HZ = 48_000;
const BEEP_SECONDS = 0.1;

/** `samplesOf` decodes at this rate. */
const DECODED_HZ = 16_000;
const LOOK_SECONDS = 0.005;

/** Half the level of a beep, and far above noise and what a codec adds. */
const MIN_LEVEL = 0.1;

/** A quiet recording with short beeps. */
export interface BeepPlan {
	readonly seconds: number;
	/** When the beeps begin. */
	readonly atSeconds: readonly number[];
}

export const BEEPS: BeepPlan = { seconds: 12, atSeconds: [1, 4.5, 7, 10.5] };

/** Returns the beeps in a mono WAV at 48 kHz with 16 bits. */
export function beepWav({ seconds, atSeconds }: BeepPlan = BEEPS): Buffer {
	const data = Buffer.alloc(Math.round(seconds * RATE_HZ) * 2);
	for (let i = 0; i < data.length / 2; i++) {
		const time = i / RATE_HZ;
		const isBeep = atSeconds.some((start) => time >= start && time < start + BEEP_SECONDS);
		// The same low noise each time: recordings are never silent.
		const noise = ((i * 7_919) % 65) - 32;
		const beep = isBeep ? 13_107 * Math.sin(2 * Math.PI * 1_000 * time) : 0;
		data.writeInt16LE(Math.round(beep + noise), i * 2);
	}
	return wavFile(data, RATE_HZ);
}

/** Returns when the beeps in a file begin, and its length, as decoded. */
export async function heardIn(file: Buffer): Promise<BeepPlan> {
	const samples = await samplesOf(file);
	const step = LOOK_SECONDS * DECODED_HZ;
	const atSeconds: number[] = [];
	let lastLoud = -Infinity;
	for (let at = 0; at < samples.length; at += step) {
		const piece = samples.subarray(at, at + step);
		const power = piece.reduce((sum, sample) => sum + sample * sample, 0) / piece.length;
		if (Math.sqrt(power) < MIN_LEVEL) continue;
		if (at - lastLoud > BEEP_SECONDS * DECODED_HZ) atSeconds.push(at / DECODED_HZ);
		lastLoud = at;
	}
	return { seconds: samples.length / DECODED_HZ, atSeconds };
}

/** Returns a plan that is played several times, one after the other. */
export function repeated({ seconds, atSeconds }: BeepPlan, times: number): BeepPlan {
	const starts = Array.from({ length: times }, (_, index) => index * seconds);
	return {
		seconds: seconds * times,
		atSeconds: starts.flatMap((start) => atSeconds.map((at) => start + at)),
	};
}

/** Returns what is heard in files that are played one after the other. */
export async function heardAfterEachOther(...files: readonly Buffer[]): Promise<BeepPlan> {
	let seconds = 0;
	const atSeconds: number[] = [];
	for (const file of files) {
		const heard = await heardIn(file);
		for (const at of heard.atSeconds) atSeconds.push(seconds + at);
		seconds += heard.seconds;
	}
	return { seconds, atSeconds };
}
