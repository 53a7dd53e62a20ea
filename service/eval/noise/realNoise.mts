import type { Chance } from '../../../testkit/measure/chance.mts';
import { addAt, atRms, faded, framesOf, RATE_HZ, rms } from '../../../testkit/media/signals.mts';
import { soundFiles, soundOf } from '../recorded/soundFiles.mts';
import type { Half } from '../recorded/speakers.mts';

/** Noises that were recorded: keys of a keyboard (bucklespring-data), and traffic (lincity-ng-data). */
export const REAL = ['keyboard', 'street'] as const;
export type Real = (typeof REAL)[number];

const FILES = {
	keyboard: '/usr/share/buckle/wav/*-[01].wav',
	street: '/usr/share/games/lincity-ng/sounds/Trafic*.wav',
};

/** Recordings of traffic that are heard at once. */
const LANES = 3;

/** Noise at RMS 1, of the files that one half has. */
export async function realNoise(
	kind: Real,
	frames: number,
	half: Half,
	chance: Chance,
): Promise<Float32Array> {
	const paths = soundFiles(FILES[kind]).filter((_, index) => {
		return (index % 2 === 0) === (half === 'tuning');
	});
	const noise = kind === 'keyboard' ? typing : traffic;
	return atRms(await noise(paths, frames, chance), 1);
}

/** Somebody types a word of 3 to 12 strokes, and thinks. */
async function typing(paths: readonly string[], frames: number, chance: Chance) {
	const sound = new Float32Array(frames);
	const keys = await Promise.all(Array.from({ length: 12 }, () => soundOf(chance.pick(paths))));
	const end = frames / RATE_HZ;
	for (let at = chance.between(0.2, 1); at < end; at += chance.between(0.3, 1.6)) {
		for (let strokes = chance.whole(3, 12); strokes > 0 && at < end; strokes--) {
			addAt(sound, chance.pick(keys), framesOf(at), chance.between(0.5, 1));
			at += chance.between(0.09, 0.3);
		}
	}
	return sound;
}

/** Cars pass, one fading into the next. */
async function traffic(paths: readonly string[], frames: number, chance: Chance) {
	const sound = new Float32Array(frames);
	const cars = await Promise.all(paths.map((path) => soundOf(path)));
	for (let lane = 0; lane < LANES; lane++) {
		for (let frame = -framesOf(chance.between(0, 3)); frame < frames; ) {
			const car = faded(chance.pick(cars), 0.5, 0.5);
			addAt(sound, car, frame, chance.between(0.4, 1) / Math.max(1e-3, rms(car)));
			frame += car.length - framesOf(0.5);
		}
	}
	return sound;
}
