import type { IExecuteFunctions } from 'n8n-workflow';

import { fieldError } from '../shared/parameters';
import { SEVERAL_FILES_VERSION } from './fields';

/**
 * The binary fields of an item that are to be uploaded, at least one. An expression may also give the
 * file itself.
 *
 * @throws NodeOperationError where no field is named, or all files are asked for and there is none
 */
export function readFields(context: IExecuteFunctions, itemIndex: number): string[] {
	const given = context.getNodeParameter('binaryPropertyName', itemIndex, '') as string;
	if (context.getNode().typeVersion < SEVERAL_FILES_VERSION) return [given];
	if (context.getNodeParameter('filesFrom', itemIndex, 'fields') === 'all') {
		const fields = Object.keys(context.getInputData()[itemIndex].binary ?? {});
		if (fields.length > 0) return fields;
		const advice = 'Put a node that outputs a file before this one.';
		throw fieldError(context, itemIndex, 'The item has no files', advice);
	}
	if (typeof given !== 'string') return [given];
	// A field may have a comma in its own name.
	if (Object.hasOwn(context.getInputData()[itemIndex].binary ?? {}, given)) return [given];
	const fields = given.split(',').map((field) => field.trim());
	const named = [...new Set(fields.filter((field) => field !== ''))];
	return named.length > 0 ? named : [given];
}
