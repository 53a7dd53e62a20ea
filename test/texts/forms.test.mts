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

function formOf(...fields: Field[]): Description {
	const properties = fields.map(fieldOf);
	return { displayName: 'Node', name: 'node', version: 1, properties };
}

const ruleOf = (rule: string) => FORM_RULES.find(({ name }) => name === rule) ?? assert.fail(rule);

function broken(rule: string, ...fields: Field[]): string[] {
	const form = formOf(...fields);
	return ruleOf(rule).find(form, quotableLabels([form]));
}

const SOURCE: Field = { displayName: 'File URLs', name: 'fileUrls' };
const PRESET: Field = { displayName: 'Preset', name: 'preset', type: 'options', options: [] };
const OPTIONS: Field = { displayName: 'Options', name: 'options', type: 'collection', options: [] };

await test('the source comes before the preset, and both before the options', () => {
	const rule = 'source, then preset, then options';
	assert.deepEqual(broken(rule, SOURCE, PRESET, OPTIONS), []);
	assert.deepEqual(broken(rule, PRESET, SOURCE), ["'File URLs' after 'Preset'"]);
	assert.deepEqual(broken(rule, OPTIONS, PRESET), ["'Preset' after 'Options'"]);
});

await test('rare choices are in a collection', () => {
	const rule = 'rare choices in a collection';
	const rare = { displayName: 'Job Type', name: 'jobType' };
	assert.deepEqual(broken(rule, rare), ['Job Type']);
	assert.deepEqual(broken(rule, { ...OPTIONS, options: [fieldOf(rare)] }), []);
});

await test('every field says what it is for', () => {
	const rule = 'a description for every field';
	assert.deepEqual(broken(rule, { displayName: 'Season' }, { ...OPTIONS, displayName: 'All' }), [
		'Season',
	]);
	assert.deepEqual(broken(rule, { description: 'The season' }, { name: 'operation' }), []);
});

await test('examples begin with "e.g."', () => {
	const rule = 'examples in fields begin with "e.g."';
	const [right, wrong] = [{ placeholder: 'e.g. talk.mp3' }, { placeholder: 'talk.mp3' }];
	assert.deepEqual(broken(rule, right, wrong, { ...OPTIONS, placeholder: 'Add option' }), [
		'Field',
	]);
});

await test('what can be chosen comes before what has to be typed', () => {
	const rule = 'a list to choose from comes first';
	const byId = { displayName: 'By ID', name: 'id', type: 'string' } as const;
	const fromList = { displayName: 'From List', name: 'list', type: 'list' } as const;
	assert.deepEqual(broken(rule, { modes: [byId, fromList] }), ['Field']);
	assert.deepEqual(broken(rule, { modes: [fromList, byId] }), []);
});

await test('no text alarms, but the name of a status is that of the API', () => {
	const rule = 'no error, problem, failure or mistake';
	const texts = ['Choose Failure', 'after an error', 'Problems', 'It ends in FAILURE', 'It fails'];
	const found = broken(rule, ...texts.map((description) => ({ description })));
	assert.deepEqual(found, texts.slice(0, 3));
});

await test("an agent's tool has Output, not Simplify", () => {
	const simplify: Field = { displayName: 'Simplify', type: 'boolean' };
	const outsideTools = { hide: { '@tool': [true] } };
	const find = (field: Field, usableAsTool?: true) =>
		ruleOf("Output in an agent's tool, not Simplify").find({ ...formOf(field), usableAsTool }, []);
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
	const forTools = { show: { '@tool': [true] } };
	assert.deepEqual(fieldsOf(formOf({ displayOptions: forTools })), []);
	assert.equal(fieldsOf(formOf({ displayOptions: forTools }), true).length, 1);
});

await test('labels are in Title Case, in collections and choices, too', () => {
	const rule = 'labels in Title Case';
	const options = [fieldOf({ displayName: 'Not so' })];
	assert.deepEqual(broken(rule, { displayName: 'File name' }), ['File name']);
	assert.deepEqual(broken(rule, { ...OPTIONS, options }), ['Not so']);
	assert.deepEqual(broken(rule, { ...PRESET, options: [{ name: 'full edit', value: 1 }] }), [
		'full edit',
	]);
	assert.deepEqual(broken(rule, { displayName: 'A whole sentence.', type: 'notice' }), []);
});

await test('Title Case has short prepositions lower, and names as they are', () => {
	const right = ['Treat Input Items As', 'Tracks of One Recording', 'Number of n8n Workers'];
	assert.deepEqual(right.flatMap(wordsNotInTitleCase), []);
	assert.deepEqual(wordsNotInTitleCase('Tracks Of one Recording'), ['Of', 'one']);
	assert.deepEqual(wordsNotInTitleCase('to the End (in Minutes)'), ['to', 'in']);
});

await test('a unit is in brackets', () => {
	const rule = 'units in brackets';
	const wait: Field = { type: 'number', displayName: 'Maximum Wait' };
	assert.deepEqual(broken(rule, { ...wait, description: 'How long, in minutes' }).length, 1);
	assert.deepEqual(broken(rule, { ...wait, displayName: 'Wait in Hours' }).length, 1);
	assert.deepEqual(broken(rule, { ...wait, displayName: 'Maximum Wait (Minutes)' }), []);
	assert.deepEqual(broken(rule, wait), []);
});

await test('an operation has an action without articles, and nothing else has one', () => {
	const choice = (action?: string) => [{ name: 'Get', value: 'get', action }];
	const operation: Field = { name: 'operation', type: 'options' };
	const rule = 'an action for every operation, without articles';
	assert.equal(broken(rule, { ...operation, options: choice() }).length, 1);
	assert.equal(broken(rule, { ...operation, options: choice('Get the credit') }).length, 1);
	assert.deepEqual(broken(rule, { ...operation, options: choice('Get credit') }), []);
	const other = 'no action without an operation';
	assert.equal(broken(other, { type: 'options', options: choice('Get credit') }).length, 1);
	assert.deepEqual(broken(other, { ...operation, options: choice('Get credit') }), []);
});

await test('finds texts, hints and booleans that break a guideline', () => {
	const isBroken = (rule: string, field: Field) => broken(rule, field).length > 0;
	assert(isBroken('never "configuration"', { description: 'The configuration to use' }));
	assert(!isBroken('never "configuration"', { description: 'The template to use' }));
	assert(isBroken('booleans say "Whether"', { type: 'boolean', description: 'Keeps files' }));
	assert(!isBroken('booleans say "Whether"', { type: 'boolean', description: 'Whether to' }));
	assert(isBroken('no hint where an expression hides it', { hint: 'Look' }));
	assert(
		!isBroken('no hint where an expression hides it', { hint: 'Look', noDataExpression: true }),
	);
});

await test('names of fields are quoted', () => {
	const rule = 'names of fields in single quotes';
	const other = { displayName: 'Merge Tracks' };
	assert.equal(broken(rule, other, { description: 'Needs Merge Tracks on it' }).length, 1);
	assert.deepEqual(broken(rule, other, { description: "n8n's edit needs 'Merge Tracks'" }), []);
});

await test('a subtitle has labels, not the values of the saved workflow', async () => {
	const options = [
		{ name: 'Full Edit', value: 'fullEdit' },
		{ name: 'Enhance', value: 'enhance' },
	];
	const form = formOf({ ...PRESET, default: 'enhance', options });
	const subtitle = '={{ $parameter["preset"] }}';
	const common = { group: [], description: '', defaults: {}, inputs: [], outputs: [] };
	const lines = await subtitlesOf({ description: { ...common, ...form, subtitle } });
	assert.deepEqual(lines, ['fullEdit', 'enhance']);
	assert.deepEqual(
		['fullEdit', 'enhance', 'full edit', 'Full Edit'].map((line) => isRaw(line, form)),
		[true, true, true, false],
	);
});
