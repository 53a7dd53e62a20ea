/**
 * `npm run bench -- forms`: whether people find an option of Audio Editing, how long its lists are, and whether the
 * credential says what to do about mistakes.
 */
import '../testkit/process/environment.ts';
import { longestCollection, missedWords, openForm } from '../testkit/n8n/openForm.ts';
import { OPTION_WORDS } from '../testkit/n8n/optionWords.ts';
import { OUR_NODES } from '../testkit/n8n/ourNodes.ts';
import { withMistakes } from '../testkit/n8n/credentialMistakes.ts';
import { savedCredential } from '../testkit/n8n/savedCredential.ts';
import { count, printBars } from '../testkit/measure/bars.mts';

const { description } = OUR_NODES['n8n-nodes-audio-editing.audioEditing'];
const missed = missedWords(description);
console.log(`missed: ${missed.join(', ')}`);
const all = Object.values(OUR_NODES).flatMap(({ description: { properties } }) => properties);
const told = await withMistakes(async (mistakes) => {
	const entries = [];
	for (const [mistake, { entered, says }] of Object.entries(mistakes)) {
		const { message } = await savedCredential(entered);
		console.log(`${mistake}: ${message}`);
		entries.push(says.test(message));
	}
	return entries;
});
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
	count(
		`credential mistakes that say what to do, of ${told.length}`,
		told.filter(Boolean).length,
		13,
		'>=',
	),
]);
