import type { Bar } from '../../bars.mts';
import { mean } from '../../median.mts';
import { Chance } from '../chance.mts';
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

/** A title, how far the noise is below the speech, dB, and the limit. Fainter noise counts as clean speech. */
type Row = readonly [string, number, number];
const CLEAN_DB = 50;

/** What noise removal gains when the engine reads a recording, in dB of SI-SDR; of clean speech what is left. */
export async function noiseRemovalBars(people: readonly Person[], seed: number, denoise: Denoise) {
	const rows: readonly Row[] = [
		['SI-SDR of clean speech', Infinity, 30],
		['gain at 20 dB', 20, 1],
		['gain at 10 dB', 10, 5.5],
		['gain at 5 dB', 5, 7.5],
	];
	const bars = await gainBars(people, seed, denoise, rows);
	return bars.map((bar) => ({ ...bar, name: `noise removal, ${bar.name}` }));
}

/** Clean speech, and the same with the tone of a quiet room that few listeners hear. */
export async function cleanBars(people: readonly Person[], seed: number, denoise: Denoise) {
	return await gainBars(people, seed, denoise, [
		['clean speech, SI-SDR', Infinity, 30],
		['clean speech in a quiet room (50 dB), SI-SDR', CLEAN_DB, 30],
	]);
}

async function gainBars(
	people: readonly Person[],
	seed: number,
	denoise: Denoise,
	rows: readonly Row[],
) {
	const bars: Bar[] = [];
	for (const [name, levelDb, limit] of rows) {
		const isClean = levelDb >= CLEAN_DB;
		const figures: number[] = [];
		for (const index of people.keys()) {
			for (const kind of isClean ? (['pink'] as const) : (['white', 'pink'] as const)) {
				const { clean, noisy } = noisyTalk(people, index, seed, { kind, levelDb });
				const output = await denoise(noisy);
				const gain = siSdrDb(clean, output) - siSdrDb(clean, noisy);
				figures.push(isClean ? siSdrDb(noisy, output) : gain);
			}
		}
		// A voice that is spoiled would hide among five that are untouched.
		const figure = isClean ? Math.min(...figures) : mean(figures);
		bars.push({ name, figure, limit, goal: '>=', unit: 'dB' });
	}
	return bars;
}

/** What people want to keep, with a fan at 18 dB. */
export async function keptBars(
	half: Half,
	people: readonly Person[],
	seed: number,
	denoise: Denoise,
) {
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

export async function onsetBars(
	half: Half,
	seed: number,
	people: readonly Person[],
	denoise: Denoise,
): Promise<Bar[]> {
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
