/** `npm run bench -- search`: how many of a producer's searches find the right node first in n8n's node panel. */
import { searchPanel } from '../testkit/n8n/panelSearch.ts';
import { PRODUCERS_SEARCHES } from '../testkit/n8n/producersWords.ts';
import { count, printBars } from '../testkit/measure/bars.mts';

const searches = Object.entries(PRODUCERS_SEARCHES).flatMap(([nodes, words]) =>
	words.split(', ').map((word) => ({ word, nodes: nodes.split('|') })),
);
const found = searches.filter(({ word, nodes }) => nodes.includes(searchPanel(word)[0]));
for (const { word } of searches.filter((search) => !found.includes(search)))
	console.log(`missed: ${word}`);
const name = 'words of a list made by fresh eyes that find the right node';
printBars([count(name, found.length, 55, '>=', `of ${searches.length}`)]);
