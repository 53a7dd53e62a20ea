/** `npm run bench -- forms`: whether people find an option of Audio Editing, and how long its lists are. */
import { longestCollection, missedWords, openForm } from '../testkit/n8n/openForm.ts';
import { OPTION_WORDS } from '../testkit/n8n/optionWords.ts';
import { OUR_NODES } from '../testkit/n8n/ourNodes.ts';
import { count, printBars } from '../testkit/measure/bars.mts';

const { description } = OUR_NODES['n8n-nodes-audio-editing.audioEditing'];
const missed = missedWords(description);
console.log(`missed: ${missed.join(', ')}`);
const all = Object.values(OUR_NODES).flatMap(({ description: { properties } }) => properties);
const longest = longestCollection(all);
const found = OPTION_WORDS.length - missed.length;
printBars([
	count(
		'words whose option is in the first or second group for them, or found by the filter',
		found,
		26,
		'>=',
		`of ${OPTION_WORDS.length}`,
	),
	count(
		`entries of the longest collection, ${longest.displayName}`,
		(longest.options ?? []).length,
		12,
	),
	count(
		'fields of Audio Editing on opening, besides the groups',
		openForm(description).fields.length,
		8,
	),
]);
