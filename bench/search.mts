/** `npm run bench:search`: how many of a producer's searches find the right node first in n8n's node panel. */
import { searchPanel } from '../test/support/panelSearch.ts';
import { PRODUCERS_SEARCHES } from '../test/support/producersWords.ts';
import { printBars } from './bars.mts';

const found = PRODUCERS_SEARCHES.filter(([words, node]) => searchPanel(words)[0] === node);
printBars([
	{
		name: 'words of a list made by fresh eyes that find the right node',
		figure: found.length,
		limit: 55,
		goal: '>=',
		decimals: 0,
		unit: `of ${PRODUCERS_SEARCHES.length}`,
	},
]);
