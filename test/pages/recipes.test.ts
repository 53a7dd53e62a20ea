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

/** The pages; some are about several workflows. */
const PAGES = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.md') && name !== 'README.md')
	.map((name) => basename(name, '.md'));

/** The names of the workflows that a page links to. */
function workflowsOf(recipe: string): string[] {
	const targets = targetsOf(recipe).map((target) =>
		/^\.\.\/\.\.\/workflows\/(.+)\.json$/.exec(target),
	);
	return targets.flatMap((match) => match?.[1] ?? []);
}

it('each workflow has one page, and the table of recipes a row for it', () => {
	const described = PAGES.flatMap((name) => workflowsOf(read(name)));
	expect(described.sort()).toEqual([...NAMES].sort());
	const rows = tableOf(read('README'), 'Recipe');
	const pages = rows.map(([link]) => /\((.+)\.md\)/.exec(link)?.[1] ?? '');
	const wanted = PAGES.flatMap((name) => workflowsOf(read(name)).map(() => name));
	expect(pages.sort()).toEqual(wanted.sort());
});

describe.each(PAGES)('docs/recipes/%s.md', (name) => {
	const recipe = read(name);
	const names = workflowsOf(recipe);
	const nodes = names.flatMap((workflow) => {
		const text = readFileSync(join('workflows', `${workflow}.json`), 'utf8');
		return (JSON.parse(text) as WorkflowJson).nodes;
	});

	it('has the parts of a recipe', () => {
		const headings = [...recipe.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
		expect(headings).toEqual(HEADINGS);
	});

	it('shows the pictures of its workflows', () => {
		const wanted = names.flatMap((workflow) => {
			const picture = `../images/recipes/${workflow}`;
			return [`${picture}.png`, `${picture}-dark.png`];
		});
		expect(targetsOf(recipe)).toEqual(expect.arrayContaining(wanted));
	});

	it('writes in bold only names of its nodes, and names each one that needs our credential', () => {
		const bold = [...recipe.matchAll(/\*\*([^*]+)\*\*/g)].map(([, text]) =>
			text.replace(/\s+/g, ' '),
		);
		const known = nodes.map((node) => node.name);
		expect(bold.filter((text) => !known.includes(text))).toEqual([]);
		const ours = nodes.filter(({ type }) => type.replace(/Tool$/, '') in OUR_NODES);
		expect(bold).toEqual(expect.arrayContaining(ours.map((node) => node.name)));
	});
});
