/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { readFileSync, readdirSync } from 'fs';
import { basename, join } from 'path';

import { OUR_NODES } from '../../testkit/n8n/ourNodes';
import { tableOf, targetsOf } from '../../testkit/text/markdown';
import type { WorkflowJson } from '../../testkit/n8n/n8nEngine';

const FOLDER = 'docs/recipes';
const NAMES = readdirSync('workflows')
	.filter((name) => name.endsWith('.json'))
	.map((name) => basename(name, '.json'));

const HEADINGS = ['What you need', 'Steps', 'Make it yours', 'What it costs', 'What can go wrong'];

function read(name: string): string {
	return readFileSync(join(FOLDER, `${name}.md`), 'utf8');
}

it('the table of recipes has a row for each workflow', () => {
	const rows = tableOf(read('README'), 'Recipe');
	const names = rows.map(([link]) => /\((.+)\.md\)/.exec(link)?.[1]);
	expect(names.sort()).toEqual([...NAMES].sort());
});

describe.each(NAMES)('docs/recipes/%s.md', (name) => {
	const recipe = read(name);
	const workflow = JSON.parse(
		readFileSync(join('workflows', `${name}.json`), 'utf8'),
	) as WorkflowJson;

	it('has the parts of a recipe', () => {
		const headings = [...recipe.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
		expect(headings).toEqual(HEADINGS);
	});

	it('shows its pictures and links to its workflow', () => {
		const picture = `../images/recipes/${name}`;
		const wanted = [`${picture}.png`, `${picture}-dark.png`, `../../workflows/${name}.json`];
		expect(targetsOf(recipe)).toEqual(expect.arrayContaining(wanted));
	});

	it('writes in bold only names of its nodes, and names each one that needs our credential', () => {
		const bold = [...recipe.matchAll(/\*\*([^*]+)\*\*/g)].map(([, text]) =>
			text.replace(/\s+/g, ' '),
		);
		const names = workflow.nodes.map((node) => node.name);
		expect(bold.filter((text) => !names.includes(text))).toEqual([]);
		const ours = workflow.nodes.filter(({ type }) => type.replace(/Tool$/, '') in OUR_NODES);
		expect(bold).toEqual(expect.arrayContaining(ours.map((node) => node.name)));
	});
});
