/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { readFileSync, readdirSync } from 'fs';
import { join } from 'path';

import type { WorkflowJson } from '../../testkit/n8n/n8nEngine';
import { OUR_NODES } from '../../testkit/n8n/ourNodes';

/*
 * A node has one name, in n8n's panel, on the canvas, and in all that we write about it: 'Audio Editing', and what
 * it does.
 */

const DESCRIPTIONS = Object.entries(OUR_NODES).map(([type, { description }]) => ({
	type,
	description,
}));

const NAMES = DESCRIPTIONS.map(({ description }) => description.displayName);

/** What the nodes do, without the name of the package. */
const OWN_NAMES = NAMES.map((name) => name.replace(/^Audio Editing ?/, '')).filter(Boolean);

/** Own names that are also words for other things. They count where a page says that it means the node. */
const WORDS = ['Upload', 'Delete', 'Account'];

const SHORT = [
	...OWN_NAMES.filter((name) => !WORDS.includes(name)).map((name) => `\\b${name}\\b`),
	...WORDS.flatMap((word) => [`\\b${word} node\\b`, `\\*\\*${word}\\*\\*`]),
	// Names that the nodes had.
	'\\bUpload Recording\\b',
	'\\bDelete Edit\\b(?! When Fetched)',
	'\\bAudio Editing Wait\\b(?! For Edit)',
];

const SHORT_NAME = new RegExp(`(?<!Audio Editing )(?:${SHORT.join('|')})`, 'g');

/** Returns the names of our nodes in a text that are not their whole names. */
function shortNamesIn(text: string): string[] {
	return text.replace(/\s+/g, ' ').match(SHORT_NAME) ?? [];
}

const filesIn = (folder: string, extension: string) =>
	(readdirSync(folder, { recursive: true }) as string[])
		.filter((name) => name.endsWith(extension))
		.map((name) => join(folder, name));

const PAGES = ['README.md', 'CHANGELOG.md', 'service/README.md', ...filesIn('docs', '.md')];
const WORKFLOWS = filesIn('workflows', '.json');
const FORMS = filesIn('nodes', '.ts');

it.each(DESCRIPTIONS)('$type has one name, which begins with the package', ({ description }) => {
	expect(description.displayName).toMatch(/^Audio Editing\b/);
	expect(description.defaults.name).toBe(description.displayName);
});

it.each([...PAGES, ...WORKFLOWS])('%s calls each node by its name', (path) => {
	expect(shortNamesIn(readFileSync(path, 'utf8'))).toEqual([]);
});

it.each(FORMS)('%s calls each node by its name in what people read', (path) => {
	const lines = readFileSync(path, 'utf8').split('\n');
	const code = lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
	expect(shortNamesIn(code.join('\n'))).toEqual([]);
});

it.each(WORKFLOWS)(
	'%s has a node of ours under its own name, or under one of the workflow',
	(path) => {
		const { nodes } = JSON.parse(readFileSync(path, 'utf8')) as WorkflowJson;
		for (const { name, type } of nodes) {
			const node = OUR_NODES[type.replace(/Tool$/, '')];
			const others = NAMES.filter((one) => one !== node?.description.displayName);
			expect([...others, ...OWN_NAMES]).not.toContain(name);
		}
	},
);

it('Audio Editing Wait For Edit says that it waits', () => {
	const { description } = OUR_NODES['n8n-nodes-audio-editing.waitForEdit'].description;
	expect(description).toMatch(/^Wait for /);
});

it('finds short names, across lines', () => {
	const page = 'Use **Upload**, Create\nEdit, a Delete node or Audio Editing Get\nResult.';
	expect(shortNamesIn(page)).toEqual(['**Upload**', 'Create Edit', 'Delete node']);
});
