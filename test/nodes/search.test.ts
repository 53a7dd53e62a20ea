/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read the package's files */
import {
	NodeSearchEngine,
	NodeTypeParser,
	searchCodeBuilderNodes,
} from '@n8n/ai-utilities/node-catalog';
import { readFileSync } from 'fs';
import { join } from 'path';

import { OUR_NODES } from '../support/ourNodes';

type Descriptions = ConstructorParameters<typeof NodeTypeParser>[0];

/** Our nodes as n8n's AI workflow builder reads them: from the list of node types, which is JSON. */
const DESCRIPTIONS = JSON.parse(
	JSON.stringify(
		Object.entries(OUR_NODES).map(([name, node]) => {
			const { name: className } = node.constructor;
			const path = join('nodes', className, `${className}.node.json`);
			const codex = JSON.parse(readFileSync(path, 'utf8')) as object;
			return { ...node.description, name, codex };
		}),
	),
) as Descriptions;

describe("n8n's AI workflow builder", () => {
	const engine = new NodeSearchEngine(DESCRIPTIONS);

	it.each([
		'clean audio',
		'remove noise',
		'filler words',
		'um',
		'podcast',
		'transcribe',
		'loudness',
		'subtitle',
		'edit audio',
		'audio editing',
		'mastering',
	])('finds the one node first for "%s"', (words) => {
		expect(engine.searchByName(words)[0].displayName).toBe('Audio Editing');
	});

	it.each([
		['upload audio', 'Audio Editing Upload'],
		['wait for edit', 'Audio Editing Wait For Edit'],
		['show notes', 'Audio Editing Get Result'],
		['delete edit', 'Audio Editing Delete'],
		['credit', 'Audio Editing Account'],
		['edit finished trigger', 'Audio Editing Edit Finished Trigger'],
	])('finds the node for "%s"', (words, displayName) => {
		expect(engine.searchByName(words)[0].displayName).toBe(displayName);
	});

	it('reads when to use the one node, and which nodes belong together', () => {
		const parser = new NodeTypeParser(DESCRIPTIONS);
		const { results } = searchCodeBuilderNodes(parser, ['clean audio', 'submit edit']);
		expect(results).toMatch(/Use this node alone to edit recordings from file to file/);
		expect(results).toMatch(/@relatedNodes\s+- n8n-nodes-audio-editing\.audioEditing: "Does all/);
	});

	it('finds every related node', () => {
		const related = DESCRIPTIONS.flatMap(({ builderHint }) => builderHint?.relatedNodes ?? []);
		expect(related.length).toBeGreaterThan(5);
		for (const { nodeType } of related) expect(Object.keys(OUR_NODES)).toContain(nodeType);
	});
});
