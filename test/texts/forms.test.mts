import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { INodeProperties } from 'n8n-workflow';

import { type Description, fieldsOf } from '../../bench/texts/form.mts';
import { FORM_RULES, quotableLabels } from '../../bench/texts/formRules.mts';
import { unansweredPoints } from '../../bench/texts/guidelines.mts';
import { isRaw, subtitlesOf } from '../../bench/texts/subtitles.mts';
import { wordsNotInTitleCase } from '../../bench/texts/titleCase.mts';

type Field = Partial<INodeProperties>;

function fieldOf(field: Field): INodeProperties {
	return { displayName: 'Field', name: 'field', type: 'string', default: '', ...field };
}

function formOf(fields: readonly Field[], usableAsTool?: true): Description {
	const properties = fields.map(fieldOf);
	return { displayName: 'Node', name: 'node', version: 1, properties, usableAsTool };
}

const SOURCE: Field = { displayName: 'File URLs', name: 'fileUrls' };
const PRESET: Field = { displayName: 'Preset', name: 'preset', type: 'options', options: [] };
const OPTIONS: Field = { displayName: 'Options', name: 'options', type: 'collection', options: [] };
const RARE: Field = { displayName: 'Job Type', name: 'jobType' };
const WAIT: Field = { type: 'number', displayName: 'Wait' };
const MERGE: Field = { displayName: 'Merge Tracks' };
const BY_ID = { displayName: 'By ID', name: 'id', type: 'string' } as const;
const FROM_LIST = { displayName: 'From List', name: 'list', type: 'list' } as const;

const described = (description: string, more: Field = {}): Field => ({ ...more, description });
const inside = (field: Field): Field => ({ ...OPTIONS, options: [fieldOf(field)] });
const chosen = (name: string, more: Field, action?: string): Field => ({
	...more,
	options: [{ name, value: 1, action }],
});
const operation = (action?: string) =>
	chosen('Get', { name: 'operation', type: 'options' }, action);

/** For each rule, forms with what it finds in them. */
const CASES: Readonly<Record<string, ReadonlyArray<readonly [Field[], ...found: string[]]>>> = {
	'source, then preset, then options': [
		[[SOURCE, PRESET, OPTIONS]],
		[[PRESET, SOURCE], "'File URLs' after 'Preset'"],
		[[OPTIONS, SOURCE], "'File URLs' after 'Options'"],
		[[OPTIONS, PRESET], "'Preset' after 'Options'"],
	],
	'rare choices in a collection': [[[RARE], 'Job Type'], [[inside(RARE)]]],
	"Output in an agent's tool, not Simplify": [],
	'labels in Title Case': [
		[[{ displayName: 'File name' }], 'File name'],
		[[inside({ displayName: 'Not so' })], 'Not so'],
		[[chosen('full edit', PRESET)], 'full edit'],
		[[{ displayName: 'A whole sentence.', type: 'notice' }]],
	],
	'units in brackets': [
		[[described('How long, in minutes', WAIT)], 'Wait'],
		[[{ ...WAIT, displayName: 'Wait in Hours' }], 'Wait in Hours'],
		[[{ ...WAIT, displayName: 'Maximum Wait (Minutes)' }]],
		[[WAIT]],
	],
	'an action for every operation, without articles': [
		[[operation()], 'Get: no action'],
		[[operation('Get the credit')], 'Get: Get the credit'],
		[[operation('Get credit')]],
	],
	'no action without an operation': [
		[[chosen('Get', PRESET, 'Get credit')], 'Preset'],
		[[operation('Get credit')]],
	],
	'never "configuration"': [
		[[described('The configuration to use')], 'The configuration to use'],
		[[described('The template to use')]],
	],
	'a description for every field': [
		[[MERGE, OPTIONS], 'Merge Tracks'],
		[[described('The season'), { name: 'operation' }]],
	],
	'examples in fields begin with "e.g."': [
		[[{ placeholder: 'talk.mp3' }], 'Field'],
		[[{ placeholder: 'e.g. talk.mp3' }, { ...OPTIONS, placeholder: 'Add option' }]],
	],
	'a list to choose from comes first': [
		[[{ modes: [BY_ID, FROM_LIST] }], 'Field'],
		[[{ modes: [FROM_LIST, BY_ID] }]],
	],
	'no error, problem, failure or mistake': [
		[[described('Choose Failure')], 'Choose Failure'],
		[[described('after an error')], 'after an error'],
		[[described('Problems')], 'Problems'],
		// The name of a status is that of the API.
		[[described('It ends in FAILURE'), described('It fails')]],
	],
	'booleans say "Whether"': [
		[[described('Keeps files', { type: 'boolean' })], 'Field'],
		[[described('Whether to keep files', { type: 'boolean' })]],
	],
	'names of fields in single quotes': [
		[[MERGE, described('Needs Merge Tracks on it')], 'Merge Tracks in: Needs Merge Tracks on it'],
		[[MERGE, described("n8n's edit needs 'Merge Tracks'")]],
	],
	'no hint where an expression hides it': [
		[[{ hint: 'Look' }], 'Field'],
		[[{ hint: 'Look', noDataExpression: true }]],
	],
};

await test('each rule has its cases', () => {
	assert.deepEqual(Object.keys(FORM_RULES), Object.keys(CASES));
});

for (const [rule, cases] of Object.entries(CASES)) {
	for (const [fields, ...found] of cases) {
		const labels = fields.map(({ displayName, description }) => description ?? displayName);
		await test(`${rule}: ${found.length} in ${labels.join()}`, () => {
			const form = formOf(fields);
			assert.deepEqual(FORM_RULES[rule](form, quotableLabels([form])), found);
		});
	}
}

await test("an agent's tool has Output, not Simplify", () => {
	const simplify: Field = { displayName: 'Simplify', type: 'boolean' };
	const outsideTools = { hide: { '@tool': [true] } };
	const find = (field: Field, usableAsTool?: true) =>
		FORM_RULES["Output in an agent's tool, not Simplify"](formOf([field], usableAsTool), []);
	assert.deepEqual(find(simplify, true), ['Simplify']);
	assert.deepEqual(find({ ...simplify, displayOptions: outsideTools }, true), []);
	assert.deepEqual(find(simplify), []);
	assert.deepEqual(find({ ...simplify, name: 'operation' }, true), []);
});

await test('each of n8n’s guidelines needs an answer', () => {
	const page = '- **Author:** the same\n- **OAuth:** \n';
	assert.ok(!unansweredPoints(page).includes('Author'));
	assert.ok(unansweredPoints(page).includes('OAuth'));
	assert.ok(unansweredPoints(page).includes('Codex'));
});

await test('fields for tools do not count for people', () => {
	const form = formOf([{ displayOptions: { show: { '@tool': [true] } } }]);
	assert.deepEqual(fieldsOf(form), []);
	assert.equal(fieldsOf(form, true).length, 1);
});

await test('Title Case has short prepositions lower, and names as they are', () => {
	const right = ['Treat Input Items As', 'Tracks of One Recording', 'Number of n8n Workers'];
	assert.deepEqual(right.flatMap(wordsNotInTitleCase), []);
	assert.deepEqual(wordsNotInTitleCase('Tracks Of one Recording'), ['Of', 'one']);
	assert.deepEqual(wordsNotInTitleCase('to the End (in Minutes)'), ['to', 'in']);
});

await test('a subtitle has labels, not the values of the saved workflow', async () => {
	const options = [
		{ name: 'Full Edit', value: 'fullEdit' },
		{ name: 'Enhance', value: 'enhance' },
	];
	const form = formOf([{ ...PRESET, default: 'enhance', options }]);
	const subtitle = '={{ $parameter["preset"] }}';
	const common = { group: [], description: '', defaults: {}, inputs: [], outputs: [] };
	const lines = await subtitlesOf({ description: { ...common, ...form, subtitle } });
	assert.deepEqual(lines, ['fullEdit', 'enhance']);
	const shown = ['fullEdit', 'enhance', 'full edit', 'Full Edit'];
	assert.deepEqual(
		shown.map((line) => isRaw(line, form)),
		[true, true, true, false],
	);
});
