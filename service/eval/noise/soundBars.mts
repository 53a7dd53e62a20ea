import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import type { Denoise } from '../editors/editor.mts';
import { siSdrDb } from '../enhancement.mts';
import type { Person } from '../recorded/people.mts';
import { noiseBed } from '../recorded/scenes.mts';
import type { Half } from '../recorded/speakers.mts';
import { lettersOf, onsetLossesDb } from '../speech/letters.mts';
import { fallenPercent, KEPT, turnsWith } from './keptSounds.mts';
import { mixed, noisyTalk } from './noisyTalk.mts';

/** A beginning that loses more than this is gone, dB. */
const LOST_DB = 12;

/** A title, and how far the tone of the room is below the speech, dB. */
const CLEAN = [
	['clean speech, SI-SDR of the worst speaker', Infinity],
	['clean speech in a quiet room (50 dB), the worst speaker', 50],
] as const;

/** A noise removal, and the speakers and the seed to judge it with. */
export interface Judged {
	readonly people: readonly Person[];
	readonly seed: number;
	readonly denoise: Denoise;
}

/** How little changes of clean speech, and of the same with the tone of a quiet room that few listeners hear. */
export async function cleanBars({ people, seed, denoise }: Judged) {
	const bars: Bar[] = [];
	for (const [name, levelDb] of CLEAN) {
		const figures: number[] = [];
		for (const index of people.keys()) {
			const { noisy } = noisyTalk(people, index, seed, { kind: 'pink', levelDb });
			figures.push(siSdrDb(noisy, await denoise(noisy)));
		}
		// A voice that is spoiled would hide among five that are untouched.
		bars.push({ name, figure: Math.min(...figures), limit: 30, goal: '>=', unit: 'dB' });
	}
	return bars;
}

/** What people want to keep, with a fan at 18 dB. */
export async function keptBars(half: Half, { people, seed, denoise }: Judged) {
	const bars: Bar[] = [];
	for (const kind of KEPT) {
		let sum = 0;
		for (const [index, person] of people.entries()) {
			const chance = new Chance(seed * 1_000 + index);
			const { clean, sound } = await turnsWith(kind, half, person, chance);
			const noisy = mixed(clean, noiseBed('fan', clean.length, people, chance), 18);
			sum += fallenPercent(sound, noisy, await denoise(noisy));
		}
		const name = `frames of ${kind} that fall by more than 6 dB`;
		bars.push({ name, figure: sum / people.length, limit: 10, unit: '%' });
	}
	return bars;
}

export async function onsetBars(half: Half, { people, seed, denoise }: Judged): Promise<Bar[]> {
	const letters = await lettersOf(half);
	const bars: Bar[] = [];
	for (const levelDb of [20, 10]) {
		const noise = noiseBed('pink', letters.clean.length, people, new Chance(seed));
		const noisy = mixed(letters.clean, noise, levelDb);
		const losses = onsetLossesDb(letters, noisy, await denoise(noisy));
		const lost = losses.filter((lossDb) => lossDb > LOST_DB).length;
		const name = `letters that lose their beginning at ${levelDb} dB (of ${losses.length})`;
		bars.push({ name, figure: (100 * lost) / losses.length, limit: 1, unit: '%' });
	}
	return bars;
}
