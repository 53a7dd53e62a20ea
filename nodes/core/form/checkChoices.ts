import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { fieldError } from './parameters';
import { severalOf, switchOf } from './texts';
import type { NodeRun } from '../run/nodeRun';

/** Returns the value of the field at a path, or {@link NOT_ADDED}. */
export type ReadField = (path: string) => unknown;

/** What an option has that nobody added. No expression returns it: one without a value must be refused. */
export const NOT_ADDED = Symbol('not added');

/** Why a list or a switch cannot be used, and what to do. */
export interface ChoiceRefusal {
	readonly message: string;
	readonly advice: string;
}

/** Choices that the first item makes for all items. */
const OF_ALL_ITEMS: ReadonlySet<string> = new Set([
	'ifCreditUnknown',
	'itemsAre',
	'whenStopped',
	'whenTimeIsUp',
]);

/** Which choices to check: those for one item, those that the first item makes for all, or both. */
type ChoicesFor = 'item' | 'allItems' | 'both';

/**
 * Refuses an item if a list or a switch of the form cannot be used for it. See {@link refusedChoice}.
 *
 * @throws NodeOperationError
 */
export function refuseChoices(
	run: NodeRun,
	fields: readonly INodeProperties[],
	itemIndex: number,
	of: ChoicesFor,
): void {
	const refusal = refusedChoice(fields, readerOf(run, itemIndex), run.isTool, of);
	if (refusal === undefined) return;
	throw fieldError(run, itemIndex, refusal.message, refusal.advice);
}

/** Reads fields for an item. n8n takes time for each, so what is no expression is taken as it was saved. */
function readerOf(run: NodeRun, itemIndex: number): ReadField {
	return (path) => {
		const saved = savedAt(run.node.parameters, path);
		const isFixed = typeof saved === 'boolean' || (typeof saved === 'string' && saved[0] !== '=');
		return isFixed ? saved : run.parameter(path, itemIndex, NOT_ADDED);
	};
}

function savedAt(parameters: unknown, path: string): unknown {
	return path.split('.').reduce((at: unknown, name) => {
		const isGroup = typeof at === 'object' && at !== null && Object.hasOwn(at, name);
		return isGroup ? (at as Record<string, unknown>)[name] : undefined;
	}, parameters);
}

/**
 * Checks each list and each switch of a form that applies to an item: an expression may return nothing, or
 * a text that the list does not have, and no such value may count as one of the others.
 *
 * @param isTool whether the node is an agent's tool, which has other fields
 * @returns what is wrong with the first one that cannot be used; undefined if all can
 */
export function refusedChoice(
	fields: readonly INodeProperties[],
	read: ReadField,
	isTool: boolean,
	of: ChoicesFor = 'both',
): ChoiceRefusal | undefined {
	return refusedIn(fields, { path: '', of, isTool, read });
}

interface Place {
	/** Of the collection that the fields are in, with a period at its end; empty for the form itself. */
	readonly path: string;
	readonly of: ChoicesFor;
	readonly isTool: boolean;
	readonly read: ReadField;
}

function refusedIn(fields: readonly INodeProperties[], place: Place): ChoiceRefusal | undefined {
	for (const field of fields) {
		const refusal = isShown(field, place) ? refusedField(field, place) : undefined;
		if (refusal !== undefined) return refusal;
	}
	return undefined;
}

function refusedField(field: INodeProperties, place: Place): ChoiceRefusal | undefined {
	const path = `${place.path}${field.name}`;
	if (field.type === 'collection') {
		const options = (field.options ?? []) as INodeProperties[];
		return refusedIn(options, { ...place, path: `${path}.` });
	}
	if (field.type === 'fixedCollection') return refusedRow(field, place.read(path), place);
	const isChecked = ['options', 'multiOptions', 'boolean'].includes(field.type);
	const isOfAll = OF_ALL_ITEMS.has(field.name);
	if (!isChecked || (place.of !== 'both' && isOfAll !== (place.of === 'allItems')))
		return undefined;
	return refusedValue(field, place.read(path));
}

/** Checks the rows of a table in the form, such as the speakers. */
function refusedRow(
	{ options = [] }: INodeProperties,
	tables: unknown,
	place: Place,
): ChoiceRefusal | undefined {
	if (typeof tables !== 'object' || tables === null) return undefined;
	for (const group of options) {
		if (!('values' in group)) continue;
		const rows = [(tables as Record<string, unknown>)[group.name] ?? []].flat();
		for (const row of rows) {
			const cells = (row ?? {}) as Record<string, unknown>;
			const read = (name: string) => (Object.hasOwn(cells, name) ? cells[name] : NOT_ADDED);
			const refusal = refusedIn(group.values, { ...place, path: '', read });
			if (refusal !== undefined) return refusal;
		}
	}
	return undefined;
}

function refusedValue(field: INodeProperties, value: unknown): ChoiceRefusal | undefined {
	if (value === NOT_ADDED) return undefined;
	const { displayName, type } = field;
	if (type === 'boolean') {
		if (switchOf(value) !== undefined) return undefined;
		const message = `'${displayName}' must be true or false, not ${shown(value)}`;
		return { message, advice: 'Switch it on or off, or correct the expression.' };
	}
	const values = (field.options as INodePropertyOptions[]).map((option) => String(option.value));
	const chosen = type === 'multiOptions' ? severalOf(value) : [value];
	const wrong = chosen.find((one) => !isAmong(values, one));
	if (wrong === undefined && !chosen.includes(undefined)) return undefined;
	const isEmpty = (wrong ?? '') === '';
	const message = `'${displayName}' ${isEmpty ? 'is empty' : `has no option ${shown(wrong)}`}`;
	const known = values.filter((known) => known !== '').join(', ');
	const advice =
		type === 'multiOptions'
			? `Choose from ${known}. An expression that chooses none of them returns an empty list.`
			: `It must be one of ${known}.`;
	return { message, advice };
}

/** Whether a list has a value. The lists with `true` and `false` as text also take the switch itself. */
function isAmong(values: readonly string[], value: unknown): boolean {
	return (
		(typeof value === 'string' || typeof value === 'boolean') && values.includes(String(value))
	);
}

function shown(value: unknown): string {
	const text = typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
	return (text ?? 'nothing').slice(0, 100);
}

/** Whether the form shows a field, by the values of the fields that it depends on. */
function isShown({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties, place: Place) {
	const holds = ([name, values]: [string, unknown]) => {
		const given = severalOf(valueAt(name, place));
		return given.some((value) => (values as unknown[]).includes(value));
	};
	return Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
}

/** The value of the field that a condition names: from the root of the form, or beside its own field. */
function valueAt(name: string, { path, isTool, read }: Place): unknown {
	if (name === '@tool') return isTool;
	return read(name.startsWith('/') ? name.slice(1) : `${path}${name}`);
}
