import { Chance } from '../eval/chance.mts';
import { siSdrDb, wholeOf } from '../eval/enhancement.mts';
import { activeRms, fromDb } from '../eval/signals.mts';
import { trackOf } from '../eval/trial.mts';
import type { Person } from './people.mts';
import { noiseBed } from './scenes.mts';
import { plainTalk } from './speech/talks.mts';

/** Signal-to-noise ratios at which noise removal is measured; clean is Infinity. */
export const NOISE_LEVELS_DB = [Infinity, 20, 10, 5] as const;

const SECONDS = 15;

/** What noise removal gains, in dB of SI-SDR; for clean speech the SI-SDR itself. */
export async function noiseRemovalFigures(
	people: readonly Person[],
	seed: number,
	folder: string,
): Promise<number[]> {
	const figures: number[] = [];
	for (const snrDb of NOISE_LEVELS_DB) {
		const gains: number[] = [];
		for (const [index, person] of people.entries()) {
			for (const kind of ['white', 'pink'] as const) {
				if (snrDb === Infinity && kind === 'pink') continue;
				const chance = new Chance(seed * 1_000 + index);
				const { clean } = plainTalk(person, SECONDS, chance);
				const noise = noiseBed(kind, clean.length, people, chance);
				const gain = snrDb === Infinity ? 0 : activeRms(clean) * fromDb(-snrDb);
				const samples = clean.map((sample, frame) => sample + gain * noise[frame]);
				const track = await trackOf({ samples }, folder);
				const after = siSdrDb(clean, await wholeOf(track.clean));
				gains.push(snrDb === Infinity ? after : after - siSdrDb(clean, samples));
			}
		}
		figures.push(gains.reduce((sum, gain) => sum + gain, 0) / gains.length);
	}
	return figures;
}
