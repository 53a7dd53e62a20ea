/** Points of n8n's guidelines that n8n's linter does not check: docs/development/verification.md names them. */
import { type INodeProperties, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { OUR_NODES } from '../../../testkit/n8n/ourNodes';

type Fields = Pick<INodeTypeDescription, 'properties'>;

const FORMS = Object.values(OUR_NODES).map(({ description }) => description);

/** Returns the fields inside a field. */
function innerFields({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
}

/** Returns all fields of a form, also those inside collections. */
function allFields({ properties }: Fields): INodeProperties[] {
	return properties.flatMap((field) => [field, ...allFields({ properties: innerFields(field) })]);
}

const FIELDS = FORMS.flatMap((form) =>
	allFields(form).map((field) => ({ ...field, node: form.displayName })),
);

const COLLECTIONS = ['collection', 'fixedCollection'];

/** Returns a text without what is in single quotes. */
const unquoted = (text: string) => text.replace(/(?<!\p{L})'[^']+'(?!\p{L})/gu, '');

/** Returns the labels of these fields, each with its node. */
const labeled = (fields: typeof FIELDS) =>
	fields.map(({ node, displayName }) => `${node}: ${displayName}`);

it('every field has a description, unless its choices describe it', () => {
	const bare = FIELDS.filter(
		({ name, type, description = '' }) =>
			description === '' &&
			type !== 'notice' &&
			!COLLECTIONS.includes(type) &&
			!['resource', 'operation'].includes(name),
	);
	expect(labeled(bare)).toEqual([]);
});

it('no text ends a sentence twice', () => {
	const doubled = FIELDS.filter((field) => /(?<!\.)\.\.(?!\.)/.test(JSON.stringify(field)));
	expect(labeled(doubled)).toEqual([]);
});

it('examples in fields begin with "e.g."', () => {
	const others = FIELDS.filter(
		({ type, placeholder = '' }) =>
			!COLLECTIONS.includes(type) && placeholder !== '' && !placeholder.startsWith('e.g. '),
	);
	expect(labeled(others)).toEqual([]);
});

it('a list to choose from comes first', () => {
	const located = FIELDS.filter(({ modes = [] }) => modes.length > 0);
	expect(located.length).toBeGreaterThan(0);
	expect(labeled(located.filter(({ modes = [] }) => modes[0].name !== 'list'))).toEqual([]);
});

it('texts have the names of fields in single quotes', () => {
	const nodes = FORMS.flatMap(({ displayName, defaults }) => [displayName, defaults.name]);
	const labels = FIELDS.filter(({ type }) => type !== 'notice')
		.map(({ displayName }) => displayName)
		.filter((label) => label.includes(' ') && !nodes.includes(label));
	const texts = FIELDS.flatMap(({ type, displayName, description, hint, options = [] }) => [
		type === 'notice' ? displayName : '',
		description ?? '',
		hint ?? '',
		...options.map((option) => ('value' in option ? (option.description ?? '') : '')),
	]);
	const bare = texts.filter((text) => labels.some((label) => unquoted(text).includes(label)));
	expect([...new Set(bare)]).toEqual([]);
});

it("an agent's tool without operations has Output, not Simplify", () => {
	const tools = FORMS.filter(
		({ usableAsTool, properties }) =>
			usableAsTool !== undefined && !properties.some(({ name }) => name === 'operation'),
	);
	expect(tools.length).toBeGreaterThan(3);
	const shown = tools.flatMap(({ properties }) =>
		properties.filter(({ displayOptions: { show, hide } = {} }) => {
			const matches = (conditions: typeof show) =>
				conditions?.['@tool'] && NodeHelpers.checkConditions(conditions['@tool'], [true]);
			return matches(show) !== false && matches(hide) !== true;
		}),
	);
	const labels = shown.map(({ displayName }) => displayName);
	expect(labels).toContain('Output');
	expect(labels).not.toContain('Simplify');
});
