/**
 * `npm run eval -- formats`: makes every output of 30 generated episodes and reads it back with other people's
 * readers. Exits with 1 if one differs from the episode. `-- --episodes 10` checks the first ones.
 */
import { parseArgs } from 'node:util';

import { printBars } from './bars.mts';
import { CHECKS, resultOf } from './formats/checks.mts';
import { episodes } from './formats/episodes.mts';

const { values } = parseArgs({ options: { episodes: { type: 'string', default: '30' } } });

let equal = 0;
let total = 0;
for (const episode of episodes(Number(values.episodes))) {
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
const unit = `of ${total}`;
printBars([
	{ name: 'outputs read back equal', figure: equal, limit: total, goal: '>=', decimals: 0, unit },
]);
