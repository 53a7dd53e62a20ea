import type {
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { fieldError } from './fieldError';
import { OPTION_COLLECTIONS, optionsIn } from './optionGroups';
import type { Fields, Form, Options } from './values';

type Values = Readonly<Record<string, unknown>>;

/** What a form is read with. */
export type FormContext = Pick<IExecuteFunctions, 'getNode' | 'getNodeParameter'>;

/** What the first item says for all items. */
const OF_ALL_ITEMS: ReadonlySet<string> = new Set([
	'firstPollDelaySeconds',
	'ifCreditUnknown',
	'itemsAre',
	'maximumWaitMinutes',
	'mostEdits',
	'pendingNoticeMinutes',
	'pollIntervalSeconds',
	'stopBelowCredit',
	'transfersAtOnce',
	'whenStopped',
	'whenTimeIsUp',
]);

/** Which fields to read: those for one item, those that the first item sets for all, or both. */
type FieldsFor = 'item' | 'allItems' | 'both';

/** What an option has that nobody added. No expression returns it: one without a value must be refused. */
const NOT_ADDED = Symbol('not added');

/** A form that is being read. */
interface Reading {
	readonly context: FormContext;
	/** As the workflow has them: values, and expressions as text. */
	readonly saved: INodeParameters;
	readonly itemIndex: number | undefined;
	readonly isTool: boolean;
	readonly of: FieldsFor;
	/** The values at each path, as n8n returned them. */
	readonly raw: Map<string, unknown>;
}

/**
 * Reads the fields that the form shows for an item, each once. Expressions of fields that it does not show, and of options
 * that nobody added, are not evaluated: they may fail.
 *
 * @param itemIndex undefined in a trigger
 * @param isTool whether the node is an agent's tool, which shows other fields
 * @throws NodeOperationError if a list or a switch has none of its values: an expression may return nothing, or a
 * text that the list does not have, and no such value may count as one of the others
 */
export function readForm(
	context: FormContext,
	properties: readonly INodeProperties[],
	itemIndex: number | undefined,
	isTool: boolean,
	of: FieldsFor,
): Form {
	const { parameters: saved } = context.getNode();
	const reading = { context, saved, itemIndex, isTool, of, raw: new Map<string, unknown>() };
	const values = readFields(reading, properties, '');
	const fields = Object.fromEntries(
		Object.entries(values).filter(([name]) => !OPTION_COLLECTIONS.has(name)),
	);
	return Object.freeze({
		itemIndex: itemIndex ?? 0,
		fields: Object.freeze(fields) as Fields,
		options: Object.freeze(optionsIn(values)) as Options,
	});
}

/** The values of fields beside each other. @param path of what they are in, with a period at its end */
function readFields(
	reading: Reading,
	properties: readonly INodeProperties[],
	path: string,
): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	for (const field of properties) {
		if (!isWanted(reading, field) || !isShown(reading, field, path)) continue;
		const value = readField(reading, field, `${path}${field.name}`);
		// An expression without a value is not an option that nobody added.
		if (value !== NOT_ADDED) values[field.name] = value ?? null;
	}
	return values;
}

function isWanted({ of }: Reading, { name, type }: INodeProperties): boolean {
	if (type === 'notice') return false;
	// All items share some options, and nothing in the groups of fields among them.
	if (type === 'collection' && OPTION_COLLECTIONS.has(name)) return true;
	return of === 'both' || OF_ALL_ITEMS.has(name) === (of === 'allItems');
}

function readField(reading: Reading, field: INodeProperties, path: string): unknown {
	if (field.type === 'collection') {
		const properties = (field.options ?? []) as INodeProperties[];
		return isAdded(reading, path) ? readFields(reading, properties, `${path}.`) : NOT_ADDED;
	}
	if (field.type === 'fixedCollection') return readTables(reading, field, readRaw(reading, path));
	const value = readRaw(reading, path, field.type === 'resourceLocator');
	return value === NOT_ADDED ? NOT_ADDED : checked(reading, field, value);
}

/** Whether a group of fields was added. Reading it whole would evaluate what the form does not show of it. */
function isAdded(reading: Reading, path: string): boolean {
	if (OPTION_COLLECTIONS.has(path)) return true;
	const saved = savedAt(reading.saved, path);
	return (saved === undefined ? readRaw(reading, path) : saved) !== NOT_ADDED;
}

/** The rows of the tables of a field, such as the speakers. */
function readTables(reading: Reading, { options = [] }: INodeProperties, tables: unknown): unknown {
	if (typeof tables !== 'object' || tables === null) return NOT_ADDED;
	const values: Record<string, unknown> = {};
	for (const group of options) {
		if (!('values' in group)) continue;
		const rows = [(tables as Values)[group.name] ?? []].flat() as Array<Values | null>;
		values[group.name] = rows.map((row) => readRow(reading, group.values, row ?? {}));
	}
	return values;
}

function readRow(reading: Reading, properties: readonly INodeProperties[], row: Values): Values {
	const added = properties.filter(({ name }) => Object.hasOwn(row, name));
	return Object.fromEntries(
		added.map((field) => [field.name, checked(reading, field, row[field.name])]),
	);
}

/** The value at a path as n8n returns it. n8n takes time for each, so what is no expression is taken as saved. */
function readRaw(reading: Reading, path: string, extractValue = false): unknown {
	const { context, saved, itemIndex, raw } = reading;
	if (raw.has(path)) return raw.get(path);
	const found = savedAt(saved, path);
	const isKnown = found === NOT_ADDED || isFixed(found);
	const options = extractValue ? { extractValue } : undefined;
	const value: unknown = isKnown
		? found
		: context.getNodeParameter(path, itemIndex ?? 0, NOT_ADDED, options);
	raw.set(path, value);
	return value;
}

/** What the workflow has at a path; {@link NOT_ADDED} if its collection is there without it. */
function savedAt(parameters: unknown, path: string): unknown {
	let at: unknown = parameters;
	for (const [depth, name] of path.split('.').entries()) {
		if (typeof at !== 'object' || at === null) return undefined;
		if (!Object.hasOwn(at, name)) return depth === 0 ? undefined : NOT_ADDED;
		at = (at as Values)[name];
	}
	return at;
}

/** Whether a saved value is no expression. */
function isFixed(value: unknown): boolean {
	if (typeof value === 'string') return value[0] !== '=';
	if (Array.isArray(value)) return value.every((one) => typeof one === 'string' && isFixed(one));
	return typeof value === 'boolean' || typeof value === 'number';
}

/** A value of a list or a switch, if it is one; any other value as it is. */
function checked(reading: Reading, field: INodeProperties, value: unknown): unknown {
	switch (field.type) {
		case 'boolean':
			return switchOf(value) ?? refuseSwitch(reading, field, value);
		case 'options':
			return chosenIn(reading, field, [value])[0];
		case 'multiOptions':
			return chosenIn(reading, field, severalOf(value));
		default:
			return value;
	}
}

function refuseSwitch(
	{ context, itemIndex }: Reading,
	{ displayName }: INodeProperties,
	value: unknown,
) {
	const message = `'${displayName}' must be true or false, not ${shown(value)}`;
	const advice = 'Switch it on or off, or correct the expression.';
	throw fieldError({ node: context.getNode() }, itemIndex, message, advice);
}

/** The chosen values of a list as text. @throws NodeOperationError for one that the list does not have */
function chosenIn(
	{ context, itemIndex }: Reading,
	{ displayName, type, options }: INodeProperties,
	chosen: readonly unknown[],
): string[] {
	const values = (options as INodePropertyOptions[]).map((option) => String(option.value));
	// The lists with `true` and `false` as text also take the switch itself.
	const isAmong = (one: unknown) =>
		(typeof one === 'string' || typeof one === 'boolean') && values.includes(String(one));
	if (chosen.every(isAmong)) return chosen.map(String);
	const wrong = chosen.find((one) => !isAmong(one)) ?? '';
	const message = `'${displayName}' ${wrong === '' ? 'is empty' : `has no option ${shown(wrong)}`}`;
	const known = values.filter((value) => value !== '').join(', ');
	const advice =
		type === 'multiOptions'
			? `Choose from ${known}. An expression that chooses none of them returns an empty list.`
			: `Choose one of ${known}.`;
	throw fieldError({ node: context.getNode() }, itemIndex, message, advice);
}

function shown(value: unknown): string {
	const text = typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
	return (text ?? 'nothing').slice(0, 100);
}

/** Whether the form shows a field, by the values of the fields that it depends on. */
function isShown(reading: Reading, { displayOptions }: INodeProperties, path: string): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	return (
		Object.entries(show).every(([name, values]) => holds(reading, path, name, values)) &&
		!Object.entries(hide).some(([name, values]) => holds(reading, path, name, values))
	);
}

/** Whether a condition holds. Its field is at the root of the form, or beside the field that it is about. */
function holds(reading: Reading, path: string, name: string, values: unknown = []): boolean {
	if (name === '@tool') return (values as unknown[]).includes(reading.isTool);
	const given = readRaw(reading, name.startsWith('/') ? name.slice(1) : `${path}${name}`);
	return severalOf(given).some((value) => (values as unknown[]).includes(value));
}

/**
 * The value of a switch; undefined for what is none. Sheets and forms write it as text in any case, databases
 * as 1 and 0.
 */
function switchOf(value: unknown): boolean | undefined {
	const isKnown = ['boolean', 'number', 'string'].includes(typeof value);
	const text = isKnown ? String(value).trim().toLowerCase() : '';
	if (text === 'true' || text === '1') return true;
	return text === 'false' || text === '0' ? false : undefined;
}

/** The values of a list of which a person may choose several: an expression may return them with commas. */
function severalOf(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value as readonly unknown[];
	if (typeof value !== 'string') return [value];
	const named = value.split(',').map((one) => one.trim());
	return named.some(Boolean) ? named.filter(Boolean) : [value];
}
