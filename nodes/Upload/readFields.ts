import { fieldError } from '../shared/form/parameters';
import type { NodeRun } from '../shared/run/nodeRun';

/**
 * The binary fields to upload, at least one. An expression may also return the file itself.
 *
 * @throws NodeOperationError if the form asks for all files of an item that has none
 */
export function readFields(run: NodeRun, itemIndex: number): string[] {
	const given = run.parameter('binaryPropertyName', itemIndex, '') as string;
	if (run.parameter('filesFrom', itemIndex, 'fields') === 'all') {
		const fields = Object.keys(run.items[itemIndex].binary ?? {});
		if (fields.length > 0) return fields;
		const advice = 'Put a node that outputs a file before this one.';
		throw fieldError(run, itemIndex, 'The item has no files', advice);
	}
	if (typeof given !== 'string') return [given];
	// The name of a field may contain a comma.
	if (Object.hasOwn(run.items[itemIndex].binary ?? {}, given)) return [given];
	const fields = given.split(',').map((field) => field.trim());
	const named = [...new Set(fields.filter((field) => field !== ''))];
	return named.length > 0 ? named : [given];
}
