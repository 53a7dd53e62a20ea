/** n8n's UX guidelines, and our own, as rules over the forms of the nodes. */
import type { INodeProperties } from 'n8n-workflow';

import { type Description, allFields, choicesOf, fieldsOf } from './form.mts';
import { wordsNotInTitleCase } from './titleCase.mts';

/** Returns what breaks a rule in a form. `labels` are those of the fields of all nodes. */
type Find = (form: Description, labels: readonly string[]) => string[];

const SOURCES = new Set(['recordingFrom', 'fileUrls', 'editId']);
const WAYS_TO_CONFIGURE = new Set(['configure', 'templateId', 'preset']);
const COLLECTIONS = new Set(['collection', 'fixedCollection']);

/** Chosen so seldom that they belong into a collection. */
const RARE = new Set(['jobType', 'deliverHere']);

const UNITS = 'seconds?|minutes?|hours?|days?|bytes?|KB|MB|GB|LUFS|dB|kbit/s|percent|pixels';
const UNIT = new RegExp(`\\b(${UNITS})\\b|%`, 'i');
const UNIT_IN_BRACKETS = new RegExp(`\\((${UNITS}|%)\\)$`, 'i');

function isSource({ name, displayName }: INodeProperties): boolean {
	return SOURCES.has(name) || displayName.startsWith('Input Data Field');
}

/** The texts that explain a field and what can be chosen in it. */
function explanations(field: INodeProperties): string[] {
	const notice = field.type === 'notice' ? [field.displayName] : [];
	const choices = choicesOf(field).map(({ description = '' }) => description);
	return [...notice, field.description ?? '', field.hint ?? '', ...choices];
}

function textsOf(form: Description): string[] {
	const fields = allFields(form);
	return [
		form.description ?? '',
		...fields.flatMap((field) => [field.displayName, ...explanations(field)]),
		...fields.flatMap((field) =>
			choicesOf(field).flatMap(({ name, action = '' }) => [name, action]),
		),
	];
}

/** Returns a text without what is in single quotes. */
const unquoted = (text: string) => text.replace(/(?<!\p{L})'[^']+'(?!\p{L})/gu, '');

/** Returns what is in `before` and comes after the first of `after`. */
function tooLate(fields: readonly INodeProperties[], before: Kind, after: Kind): string[] {
	const first = fields.findIndex(after);
	if (first < 0) return [];
	const late = fields.slice(first).filter(before);
	return late.map(({ displayName }) => `'${displayName}' after '${fields[first].displayName}'`);
}

type Kind = (field: INodeProperties) => boolean;

const isWay: Kind = ({ name }) => WAYS_TO_CONFIGURE.has(name);
const isCollection: Kind = ({ type }) => COLLECTIONS.has(type);
const isResource: Kind = ({ name }) => name === 'resource';
const isOperation: Kind = ({ name }) => name === 'operation';

/** Returns the fields of a form for which `isWrong` is true, by their labels. */
const labelled = (form: Description, isWrong: Kind): string[] =>
	allFields(form)
		.filter(isWrong)
		.map(({ displayName }) => displayName);

/** By their names. */
export const FORM_RULES: Readonly<Record<string, Find>> = {
	'source, then preset, then options': (form) => {
		const fields = fieldsOf(form);
		return [
			...tooLate(fields, isSource, isWay),
			...tooLate(fields, isSource, isCollection),
			...tooLate(fields, isWay, isCollection),
		];
	},
	'rare choices in a collection': (form) =>
		fieldsOf(form)
			.filter(({ name }) => RARE.has(name))
			.map(({ displayName }) => displayName),
	"Output in an agent's tool, not Simplify": (form) => {
		// n8n asks for it where a response has more than ten fields; an operation's has at most five.
		if (form.usableAsTool === undefined || form.properties.some(isOperation)) return [];
		const tool = fieldsOf(form, true);
		return tool
			.filter(({ displayName }) => displayName === 'Simplify')
			.map(({ displayName }) => displayName);
	},
	'labels in Title Case': (form) =>
		allFields(form)
			.flatMap((field) => [
				...(field.type === 'notice' ? [] : [field.displayName]),
				...choicesOf(field).map(({ name }) => name),
			])
			.filter((label) => wordsNotInTitleCase(label).length > 0),
	'units in brackets': (form) =>
		labelled(form, ({ type, displayName, description = '' }) => {
			if (type !== 'number' || UNIT_IN_BRACKETS.test(displayName)) return false;
			return UNIT.test(displayName) || new RegExp(`\\bin (${UNITS})\\b`, 'i').test(description);
		}),
	'an action for every operation, without articles': (form) =>
		allFields(form)
			.filter(isOperation)
			.flatMap((field) => choicesOf(field))
			.filter(({ action = '' }) => action === '' || /\b(a|an|the)\b/i.test(action))
			.map(({ name, action }) => `${name}: ${action ?? 'no action'}`),
	'no action without an operation': (form) =>
		labelled(
			form,
			(field) => !isOperation(field) && choicesOf(field).some(({ action }) => action !== undefined),
		),
	'never "configuration"': (form) => textsOf(form).filter((text) => /configuration/i.test(text)),
	// n8n's own nodes describe neither: the choices of both do that.
	'a description for every field': (form) =>
		labelled(form, (field) => {
			const { type, description = '' } = field;
			if (type === 'notice' || isCollection(field)) return false;
			return description === '' && !isResource(field) && !isOperation(field);
		}),
	'examples in fields begin with "e.g."': (form) =>
		labelled(form, (field) => {
			const { placeholder = '' } = field;
			return !isCollection(field) && placeholder !== '' && !placeholder.startsWith('e.g. ');
		}),
	'a list to choose from comes first': (form) =>
		labelled(form, ({ modes = [] }) => modes.length > 0 && modes[0].name !== 'list'),
	'no error, problem, failure or mistake': (form) =>
		textsOf(form).filter((text) =>
			/\b[Ee]rrors?\b|\b([Pp]roblem|[Ff]ailure|[Mm]istake)s?\b/.test(text),
		),
	'booleans say "Whether"': (form) =>
		labelled(
			form,
			({ type, description = '' }) => type === 'boolean' && !/^Whether\b/.test(description),
		),
	'names of fields in single quotes': (form, labels) =>
		allFields(form)
			.flatMap(explanations)
			.flatMap((text) => {
				const bare = labels.filter((label) => unquoted(text).includes(label));
				return bare.map((label) => `${label} in: ${text}`);
			}),
	'no hint where an expression hides it': (form) =>
		labelled(form, ({ hint, noDataExpression }) => hint !== undefined && noDataExpression !== true),
};

/** Returns the labels of several words that no node has as its name, for the rule about quotes. */
export function quotableLabels(forms: readonly Description[]): string[] {
	const nodes = forms.flatMap(({ displayName, defaults }) => [displayName, defaults?.name]);
	const fields = forms.flatMap(allFields).filter(({ type }) => type !== 'notice');
	const labels = fields.map(({ displayName }) => displayName);
	return [...new Set(labels)].filter((label) => label.includes(' ') && !nodes.includes(label));
}
