import type { Chance } from '../../testkit/measure/chance.mts';
import {
	addAt,
	atRms,
	faded,
	framesOf,
	lowPassed,
	RATE_HZ,
	resonated,
	whiteNoise,
} from '../../testkit/media/signals.mts';

/** A breath at RMS 1: noise through the resonances of a mouth, rising and falling as people breathe. */
export function breathSound(chance: Chance): Float32Array {
	const seconds = chance.between(0.2, 0.65);
	const noise = whiteNoise(framesOf(seconds), chance);
	const sound = new Float32Array(noise.length);
	const formants = [
		chance.between(500, 950),
		chance.between(1300, 2100),
		chance.between(2500, 3800),
	];
	formants.forEach((centerHz, index) => {
		const gain = index === 0 ? 1 : chance.between(0.4, 1.2);
		addAt(sound, resonated(noise, centerHz, chance.between(300, 900)), 0, gain);
	});
	addAt(sound, lowPassed(noise, 7_000), 0, chance.between(0.05, 0.15));
	// Breathing in swells and stops short; breathing out is the other way round.
	const rise = chance.between(0.3, 0.75) * seconds;
	faded(sound, rise, (seconds - rise) * chance.between(0.4, 0.9));
	return atRms(sound, 1);
}

/** A mouth click or lip smack with a peak of 1. */
export function clickSound(chance: Chance): Float32Array {
	const isSmack = chance.isTrue(0.35);
	const sound = new Float32Array(framesOf(isSmack ? chance.between(0.02, 0.05) : 0.03));
	const pulses = chance.whole(1, 3);
	let frame = 0;
	for (let pulse = 0; pulse < pulses; pulse++) {
		addAt(sound, pulseSound(chance), frame, chance.between(0.4, 1));
		frame += framesOf(chance.between(0.003, 0.012));
	}
	if (isSmack) {
		const noise = resonated(whiteNoise(sound.length, chance), chance.between(1_500, 3_500), 1_800);
		addAt(sound, faded(noise, 0.004, 0.015), 0, chance.between(0.4, 0.9));
	}
	const peak = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
	const lastLoud = sound.findLastIndex((sample) => Math.abs(sample) > peak * 0.03);
	return sound.slice(0, lastLoud + 1).map((sample) => sample / peak);
}

function pulseSound(chance: Chance): Float32Array {
	const hz = chance.between(900, 4_500);
	const decaySeconds = chance.between(0.0008, 0.005);
	return Float32Array.from({ length: framesOf(0.025) }, (_, i) => {
		const seconds = i / RATE_HZ;
		return Math.sin(2 * Math.PI * hz * seconds) * Math.exp(-seconds / decaySeconds);
	});
}

/** Noise of a room at RMS 1. */
export function noiseSound(kind: 'office' | 'fan', frames: number, chance: Chance): Float32Array {
	const white = whiteNoise(frames, chance);
	const noise = lowPassed(white, kind === 'fan' ? 350 : 900);
	const humHz = kind === 'fan' ? chance.between(90, 180) : 50;
	const wobbleHz = chance.between(0.2, 0.6);
	const level = atRms(noise, 1);
	for (let i = 0; i < frames; i++) {
		const seconds = i / RATE_HZ;
		// An office swells and ebbs, a fan runs on.
		const swell = kind === 'office' ? 1 + 0.25 * Math.sin(2 * Math.PI * wobbleHz * seconds) : 1;
		level[i] = level[i] * swell + 0.2 * Math.sin(2 * Math.PI * humHz * seconds);
	}
	return atRms(level, 1);
}

/** Many voices at once at RMS 1, as in a full room. */
export function babbleOf(
	voices: readonly Float32Array[],
	frames: number,
	chance: Chance,
): Float32Array {
	const sound = new Float32Array(frames);
	for (let speaker = 0; speaker < 8; speaker++) {
		let frame = -framesOf(chance.between(0, 3));
		while (frame < frames) {
			const voice = chance.pick(voices);
			addAt(sound, voice, frame, 1 / (speaker + 2));
			frame += voice.length + framesOf(chance.between(0, 0.4));
		}
	}
	return atRms(lowPassed(sound, 4_000), 1);
}
