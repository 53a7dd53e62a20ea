/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read the package's files */
import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import { readFileSync } from 'fs';
import { join } from 'path';

import { OUR_NODES } from './ourNodes';

/** Our nodes with what n8n shows and searches: their descriptions and the codex files. */
export const SEARCHED_NODES = Object.entries(OUR_NODES).map(([name, node]) => {
	const { name: className } = node.constructor;
	const path = join('nodes', className, `${className}.node.json`);
	const codex = JSON.parse(readFileSync(path, 'utf8')) as { alias: string[] };
	return { ...node.description, name, codex };
});

const PANEL_ITEMS = SEARCHED_NODES.map(({ displayName, codex }) => ({
	properties: { displayName, codex },
}));

/**
 * Returns the display names of our nodes that n8n's node panel finds, best first. The panel looks for the
 * letters of the whole text, in this order, in the display name and in each alias; not in the description. A name
 * counts for more than an alias, and a capital after a small letter for more than others: `aUdIo eDiToR` is before
 * 'Audio Editing Wait FOr edit', which has the letters of 'audio editor', too.
 */
export function searchPanel(words: string): string[] {
	const found = sublimeSearch(words, PANEL_ITEMS);
	return found.map(({ item }) => item.properties.displayName);
}
