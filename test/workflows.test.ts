/* eslint-disable @n8n/community-nodes/no-restricted-imports -- the tests are no community node: they read files */
import { readFileSync, readdirSync } from 'fs';
import { NodeHelpers } from 'n8n-workflow';
import { join, resolve } from 'path';

import type { WorkflowJson } from './support/n8nEngine';
import { OUR_NODES } from './support/ourNodes';

const FOLDER = resolve('workflows');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

describe.each(FILES)('workflows/%s', (file) => {
	const workflow = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowJson;
	const ours = workflow.nodes.filter(({ type }) => type.startsWith('n8n-nodes-audio-editing.'));

	it('uses nodes that this package has', () => {
		expect(ours.length).toBeGreaterThan(0);
		expect(ours.filter(({ type }) => !(type in OUR_NODES))).toEqual([]);
	});

	it('uses only parameters that those nodes have', () => {
		for (const node of ours) {
			const { properties } = OUR_NODES[node.type].description;
			const known = properties.map(({ name }) => name);
			expect(known).toEqual(expect.arrayContaining(Object.keys(node.parameters)));
			const options = properties.find(({ name }) => name === 'options')?.options ?? [];
			const given = Object.keys((node.parameters.options ?? {}) as object);
			expect(options.map(({ name }) => name)).toEqual(expect.arrayContaining(given));
		}
	});

	it('leaves no parameter of our nodes with an issue', () => {
		for (const node of ours) {
			const { description } = OUR_NODES[node.type];
			const { properties } = description;
			const parameters = NodeHelpers.getNodeParameters(
				properties,
				node.parameters,
				true,
				false,
				node,
				description,
			);
			const issues = NodeHelpers.getNodeParametersIssues(
				properties,
				{ ...node, parameters: parameters ?? {} },
				description,
			);
			expect(issues).toBeNull();
		}
	});

	it('connects only nodes that are there, and holds no credential', () => {
		const names = workflow.nodes.map(({ name }) => name);
		const targets = Object.values(workflow.connections).flatMap(({ main }) =>
			main.flatMap((output) => (output ?? []).map(({ node }) => node)),
		);
		expect(names).toEqual(
			expect.arrayContaining([...Object.keys(workflow.connections), ...targets]),
		);
		expect(workflow.nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});
});
