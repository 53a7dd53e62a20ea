import type { IExecuteFunctions } from 'n8n-workflow';

import type { Detail } from '../../formats/summaries';
import { EDIT_FIELDS } from '../shared/fields';
import { fieldError } from '../shared/parameters';

/**
 * The values chosen in a field, in the order of `field.kinds`. An expression may also return a text with
 * commas, or nothing.
 *
 * @throws NodeOperationError for a value that the field does not offer
 */
export function readKinds<Kind extends string>(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, label, kinds }: { name: string; label: string; kinds: readonly Kind[] },
): Kind[] {
	const value: unknown = context.getNodeParameter(name, itemIndex, []);
	const listed = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value;
	const chosen: readonly unknown[] = [listed ?? []].flat().filter((entry) => entry !== '');
	const known: readonly unknown[] = kinds;
	const unknown = chosen.find((entry) => !known.includes(entry));
	if (unknown === undefined) return kinds.filter((kind) => chosen.includes(kind));
	const message = `'${label}' has no option ${JSON.stringify(unknown) ?? 'this value'}`;
	const advice = `Choose from ${kinds.join(', ')}, or leave it empty.`;
	throw fieldError(context, itemIndex, message, advice);
}

const FIELDS_TO_INCLUDE = {
	name: 'fieldsToInclude',
	label: 'Fields to Include',
	kinds: [...EDIT_FIELDS.map(({ value }) => String(value)), 'editId'],
};

/** How much of an edit to return: by 'Output' in newer tools of an agent, otherwise by 'Simplify'. */
export function readDetail(context: IExecuteFunctions, itemIndex: number): Detail {
	const output: unknown = context.getNodeParameter('output', itemIndex, null);
	if (output === 'selected') return readKinds(context, itemIndex, FIELDS_TO_INCLUDE);
	if (output !== null) return output === 'raw' ? 'rawForModel' : 'simplified';
	return context.getNodeParameter('simplify', itemIndex, true) ? 'simplified' : 'raw';
}
