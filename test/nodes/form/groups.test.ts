import type { INodeProperties } from 'n8n-workflow';

import { CONFIG_KEYS } from '../../../nodes/core/config/configKeys';
import { OPTION_COLLECTIONS } from '../../../nodes/core/form/optionGroups';
import { missedWords, openForm } from '../../../testkit/n8n/openForm';
import { OUR_NODES } from '../../../testkit/n8n/ourNodes';
import { useScriptedSubmissions } from '../../../testkit/service/scriptedSubmissions';

const GROUPS = [
	'Cuts',
	'Sound',
	'Files',
	'Transcript and Notes',
	'Cost and Safety',
	'Intro and Outro (Local Service)',
	'Fine Control (Local Service)',
	'Advanced',
] as const;

const groupsOf = (type: string) =>
	OUR_NODES[`n8n-nodes-audio-editing.${type}`].description.properties.filter(({ name }) =>
		OPTION_COLLECTIONS.has(name),
	);

const optionsIn = ({ options = [] }: INodeProperties) => options as INodeProperties[];

it.each([
	['audioEditing', GROUPS],
	['createEdit', GROUPS],
	['getResult', ['Files', 'Transcript and Notes', 'Advanced']],
	['waitForEdit', ['Files', 'Cost and Safety', 'Advanced']],
	['upload', ['Files', 'Advanced']],
])('%s has its options in %j, at most 12 in each', (type, groups) => {
	expect(groupsOf(type).map(({ displayName }) => displayName)).toEqual(groups);
	for (const group of groupsOf(type)) {
		const labels = optionsIn(group).map(({ displayName }) => displayName);
		expect(labels.length).toBeLessThanOrEqual(12);
		expect(labels).toEqual([...labels].sort());
	}
});

it('an option has the same path in each node', () => {
	const paths = new Map<string, string>();
	for (const type of ['audioEditing', 'createEdit', 'getResult', 'waitForEdit', 'upload']) {
		for (const group of groupsOf(type)) {
			for (const { name } of optionsIn(group)) {
				expect([name, paths.get(name) ?? group.name]).toEqual([name, group.name]);
				paths.set(name, group.name);
			}
		}
	}
	expect(paths.size).toBeGreaterThan(50);
});

it('the form of Audio Editing opens with few fields, and people find what they look for', () => {
	const { description } = OUR_NODES['n8n-nodes-audio-editing.audioEditing'];
	expect(openForm(description).fields.length).toBeLessThanOrEqual(8);
	expect(missedWords(description).length).toBeLessThanOrEqual(4);
});

describe('a deprecated key', () => {
	const submissions = useScriptedSubmissions();

	it('is in no form', () => {
		const labels = Object.values(OUR_NODES).flatMap(({ description }) =>
			JSON.stringify(description.properties),
		);
		expect(labels.join()).not.toMatch(/Deprecated|"autoeq"|"v2"/);
		expect(CONFIG_KEYS.autoeq.field).toBeUndefined();
	});

	it.each([
		{ configure: 'json', configJson: '{ "autoeq": true, "remove_noise": "v2" }' },
		{ preset: 'none', additionalKeys: '{ "autoeq": true }' },
	])('is still sent from JSON: %j', async (form) => {
		const { bodies } = await submissions.create(form);
		expect(bodies).toMatchObject([{ input: { config: { autoeq: true } } }]);
	});
});
