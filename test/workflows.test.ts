/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { readFileSync, readdirSync } from 'fs';
import { type INode, type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { join, resolve } from 'path';

import { type PlacedNode, overlaps } from '../testkit/n8n/canvas';
import type { WorkflowJson } from '../testkit/n8n/n8nEngine';
import { OUR_NODES } from '../testkit/n8n/ourNodes';

const FOLDER = resolve('workflows');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/** Parameters that n8n adds itself to poll triggers and to tools. */
const GIVEN_BY_N8N = ['pollTimes', 'toolDescription', 'descriptionType'];

/** Returns the parameters with their defaults, without those that the node hides. */
function shownParameters(node: INode): INodeParameters {
	const { description } = OUR_NODES[node.type];
	const { properties } = description;
	const shown = NodeHelpers.getNodeParameters(
		properties,
		node.parameters,
		true,
		false,
		node,
		description,
	);
	return shown ?? {};
}

function read(file: string): WorkflowJson {
	return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowJson;
}

/** Returns our nodes. n8n offers each node to agents as a second one, whose name ends in Tool. */
function oursIn({ nodes }: WorkflowJson): INode[] {
	return nodes
		.filter(({ type }) => type.startsWith('n8n-nodes-audio-editing.'))
		.map((node) => ({ ...node, type: node.type.replace(/Tool$/, '') }));
}

/** Returns the sticky notes. */
function notesIn({ nodes }: WorkflowJson): INode[] {
	return nodes.filter(({ type }) => type === STICKY_NOTE);
}

/** Returns where connections lead. */
function linksIn({ connections }: WorkflowJson) {
	return Object.values(connections).flatMap((byType) =>
		Object.values(byType).flatMap((outputs) => outputs.flatMap((output) => output ?? [])),
	);
}

describe.each(FILES)('workflows/%s', (file) => {
	const workflow = read(file);
	const ours = oursIn(workflow);
	const notes = notesIn(workflow);

	it('uses nodes that this package has', () => {
		expect(ours.length).toBeGreaterThan(0);
		expect(ours.filter(({ type }) => !(type in OUR_NODES))).toEqual([]);
	});

	it('uses the version of each node', () => {
		expect(
			ours.filter(({ type, typeVersion }) => typeVersion !== OUR_NODES[type].description.version),
		).toEqual([]);
	});

	it('explains itself in a note that says what to do after importing', () => {
		const texts = notes.map(({ parameters }) => String(parameters.content)).join('\n');
		expect(texts).toMatch(/After importing/);
	});

	it('is tidy: no two nodes or notes overlap', () => {
		expect(overlaps(workflow.nodes as PlacedNode[])).toEqual([]);
	});

	it('saves the output of each node, in case n8n or a user stops it', () => {
		expect(workflow.settings?.saveExecutionProgress).toBe(true);
	});
});

describe.each(FILES)('the nodes of workflows/%s', (file) => {
	const workflow = read(file);
	const ours = oursIn(workflow);
	const links = linksIn(workflow);

	it('leaves no node unconnected', () => {
		const joined = [...Object.keys(workflow.connections), ...links.map(({ node }) => node)];
		const alone = workflow.nodes.filter(
			({ name, type }) => type !== STICKY_NOTE && !joined.includes(name),
		);
		expect(alone).toEqual([]);
	});

	it('uses only parameters that those nodes have', () => {
		for (const node of ours) {
			const { properties } = OUR_NODES[node.type].description;
			const known = [...Object.keys(shownParameters(node)), ...GIVEN_BY_N8N];
			expect(known).toEqual(expect.arrayContaining(Object.keys(node.parameters)));
			const { description } = OUR_NODES[node.type];
			const collections = properties.filter(
				(field) =>
					field.type === 'collection' &&
					NodeHelpers.displayParameter(node.parameters, field, node, description),
			);
			for (const { name, options = [] } of collections) {
				const given = Object.keys((node.parameters[name] ?? {}) as object);
				expect(options.map((option) => option.name)).toEqual(expect.arrayContaining(given));
			}
		}
	});

	it('leaves no parameter of our nodes with an issue', () => {
		for (const node of ours) {
			const { description } = OUR_NODES[node.type];
			const { properties } = description;
			const parameters = shownParameters(node);
			const issues = NodeHelpers.getNodeParametersIssues(
				properties,
				{ ...node, parameters },
				description,
			);
			expect(issues).toBeNull();
		}
	});

	it('connects only nodes that exist, and contains no credential', () => {
		const names = workflow.nodes.map(({ name }) => name);
		const targets = links.map(({ node }) => node);
		expect(names).toEqual(
			expect.arrayContaining([...Object.keys(workflow.connections), ...targets]),
		);
		expect(workflow.nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});
});
