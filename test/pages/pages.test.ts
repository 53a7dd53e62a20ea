/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes and read files */
import { spawnSync } from 'child_process';
import { readFileSync } from 'fs';
import type { INodeProperties } from 'n8n-workflow';

import { CONFIG_KEYS } from '../../nodes/core/config/configKeys';
import { OPTION_COLLECTIONS } from '../../nodes/core/form/optionGroups';
import { FORMAT_OPTIONS, PURPOSES } from '../../nodes/core/fetch/texts/formatFields';
import { anchorsOf, blocksOf, tableOf } from '../../testkit/text/markdown';
import { OUR_NODES } from '../../testkit/n8n/ourNodes';

const options = readFileSync('docs/options.md', 'utf8');
const nodes = readFileSync('docs/nodes.md', 'utf8');
const readme = readFileSync('README.md', 'utf8');

/** Returns the part of a text below a heading of the second level. */
function sectionOf(markdown: string, heading: string): string {
	const [, section] = markdown.split(`\n## ${heading}\n`);
	return section.split('\n## ')[0];
}

it('docs/options.md has a row for each key, with its label, in the section of its group', () => {
	const { properties } = OUR_NODES['n8n-nodes-audio-editing.createEdit'].description;
	const groups = properties.filter(({ name }) => OPTION_COLLECTIONS.has(name));
	const keys = groups.flatMap(({ displayName: group, options: fields = [] }) =>
		(fields as INodeProperties[])
			.filter(({ name }) => name in CONFIG_KEYS)
			.map(({ displayName, name }) => [group, displayName, `\`${name}\``]),
	);
	const headings = [...new Set(keys.map(([group]) => group))];
	const rows = headings.flatMap((heading) =>
		tableOf(sectionOf(options, heading), 'Option', 'Key').map((cells) => [heading, ...cells]),
	);
	expect(rows.map((cells) => cells.slice(0, 3)).sort()).toEqual(keys.sort());
});

it('docs/nodes.md has a section for each node, and the README a line', () => {
	const names = Object.values(OUR_NODES).map(({ description: { displayName } }) => displayName);
	const headings = [...nodes.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
	expect(headings).toEqual(expect.arrayContaining(names));
	const lines = sectionOf(readme, 'The nodes').matchAll(/^- \*\*(.+)\*\*/gm);
	expect([...lines].map(([, name]) => name).sort()).toEqual(names.sort());
});

it('docs/nodes.md has a row for each format of Get Result', () => {
	const rows = tableOf(nodes, 'Purpose', 'Format');
	const formats = PURPOSES.flatMap((purpose) =>
		purpose.formats.map((value) => {
			const format = FORMAT_OPTIONS.find((option) => option.value === value);
			return `${purpose.name}: ${format?.name}`;
		}),
	);
	const told = rows.map(([purpose, format]) => `${purpose}: ${format}`);
	// It becomes three files, each with its own row.
	const single = 'Social Posts: Social Posts';
	expect(told.filter((row) => !row.startsWith('Social Posts')).sort()).toEqual(
		formats.filter((row) => row !== single).sort(),
	);
});

it.each(['npm ci && npm run demo', 'npm ci && npm test'])(
	'the README has a block with nothing but %s, which a shell can read',
	(line) => {
		const blocks = blocksOf(readme).map(({ text }) => text.trim());
		expect(blocks).toContain(line);
		expect(spawnSync('bash', ['-n', '-c', line]).status).toBe(0);
	},
);

it.each(Object.values(OUR_NODES).map((node) => [node.constructor.name, node] as const))(
	"%s's codex has the node's version, and links to headings of docs/nodes.md",
	(name, { description }) => {
		const codex = JSON.parse(readFileSync(`nodes/${name}/${name}.node.json`, 'utf8')) as {
			nodeVersion: string;
			codexVersion: string;
			categories: string[];
			resources: Record<string, Array<{ url: string }>>;
		};
		expect(codex).toMatchObject({
			nodeVersion: `${String(description.version)}.0`,
			codexVersion: '1.0',
		});
		expect(codex.categories).toEqual(['Marketing & Content', 'Productivity']);
		const urls = Object.values(codex.resources).flatMap((links) => links.map(({ url }) => url));
		const anchors = anchorsOf(nodes).map((anchor) => `docs/nodes.md#${anchor}`);
		expect(urls).toHaveLength(2);
		expect(urls.filter((url) => !anchors.includes(url))).toEqual([]);
	},
);
