import type { Detail } from '../../formats/summaries';
import { EDIT_FIELDS } from '../shared/form/fields';
import { fieldError } from '../shared/form/parameters';
import type { NodeRun } from '../shared/run/nodeRun';

/**
 * The values chosen in a field, in the order of `field.kinds`. An expression may also return a text with
 * commas, or nothing.
 *
 * @throws NodeOperationError for a value that the field does not offer
 */
export function readKinds<Kind extends string>(
	run: NodeRun,
	itemIndex: number,
	{ name, label, kinds }: { name: string; label: string; kinds: readonly Kind[] },
): Kind[] {
	const value: unknown = run.parameter(name, itemIndex, []);
	const listed = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value;
	const chosen: readonly unknown[] = [listed ?? []].flat().filter((entry) => entry !== '');
	const known: readonly unknown[] = kinds;
	const unknown = chosen.find((entry) => !known.includes(entry));
	if (unknown === undefined) return kinds.filter((kind) => chosen.includes(kind));
	const message = `'${label}' has no option ${JSON.stringify(unknown) ?? 'this value'}`;
	const advice = `Choose from ${kinds.join(', ')}, or leave it empty.`;
	throw fieldError(run, itemIndex, message, advice);
}

const FIELDS_TO_INCLUDE = {
	name: 'fieldsToInclude',
	label: 'Fields to Include',
	kinds: [...EDIT_FIELDS.map(({ value }) => String(value)), 'editId'],
};

/** How much of an edit to return: by 'Output' in newer tools of an agent, otherwise by 'Simplify'. */
export function readDetail(run: NodeRun, itemIndex: number): Detail {
	const output: unknown = run.parameter('output', itemIndex, null);
	if (output === 'selected') return readKinds(run, itemIndex, FIELDS_TO_INCLUDE);
	if (output !== null) return output === 'raw' ? 'rawForModel' : 'simplified';
	return run.parameter('simplify', itemIndex, true) ? 'simplified' : 'raw';
}
