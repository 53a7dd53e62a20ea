import type { Bar } from '../bars.mts';
import { CHECKS, resultOf } from './checks.mts';
import { episodes } from './episodes.mts';

/** Makes every output of generated episodes, and reads it back with other people's readers. */
export async function formatsBar(count: number): Promise<Bar> {
	let equal = 0;
	let total = 0;
	for (const episode of episodes(count)) {
		const result = resultOf(episode);
		for (const [output, check] of Object.entries(CHECKS)) {
			total += 1;
			try {
				await check(episode, result);
				equal += 1;
			} catch (error) {
				const reason = error instanceof Error ? error.message : String(error);
				console.log(`episode ${episode.name}, ${output}: ${reason.slice(0, 1_000)}`);
			}
		}
	}
	const name = 'outputs read back equal';
	return { name, figure: equal, limit: total, goal: '>=', decimals: 0, unit: `of ${total}` };
}
