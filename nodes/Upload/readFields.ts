import type { IExecuteFunctions } from 'n8n-workflow';

import { fieldError } from '../shared/parameters';

/**
 * The binary fields to upload, at least one. An expression may also return the file itself.
 *
 * @throws NodeOperationError if the form asks for all files of an item that has none
 */
export function readFields(context: IExecuteFunctions, itemIndex: number): string[] {
	const given = context.getNodeParameter('binaryPropertyName', itemIndex, '') as string;
	if (context.getNodeParameter('filesFrom', itemIndex, 'fields') === 'all') {
		const fields = Object.keys(context.getInputData()[itemIndex].binary ?? {});
		if (fields.length > 0) return fields;
		const advice = 'Put a node that outputs a file before this one.';
		throw fieldError(context, itemIndex, 'The item has no files', advice);
	}
	if (typeof given !== 'string') return [given];
	// The name of a field may contain a comma.
	if (Object.hasOwn(context.getInputData()[itemIndex].binary ?? {}, given)) return [given];
	const fields = given.split(',').map((field) => field.trim());
	const named = [...new Set(fields.filter((field) => field !== ''))];
	return named.length > 0 ? named : [given];
}
