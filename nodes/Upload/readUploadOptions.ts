import type { IDataObject } from 'n8n-workflow';

import { LINK_VALIDITY_HOURS } from './fields';
import type { UploadOptions } from './uploadFiles';
import { fieldError, readAmount } from '../shared/form/parameters';
import { readText } from '../shared/form/texts';
import type { NodeRun } from '../shared/run/nodeRun';

/**
 * Which files the form asks to upload, and how.
 *
 * @throws NodeOperationError if a field cannot be used
 */
export function readUploadOptions(run: NodeRun, itemIndex: number): UploadOptions {
	const options = run.parameter('options', itemIndex, {}) as IDataObject;
	const fields = readFields(run, itemIndex);
	const fileName = readText(options.fileName);
	if (fields.length > 1 && fileName !== '') {
		const message = `'File Name' is for one file, and the item has ${fields.length} to upload`;
		const advice = 'Remove the option; each file then keeps its own name.';
		throw fieldError(run, itemIndex, message, advice);
	}
	const hours: unknown = options.linkValidHours ?? LINK_VALIDITY_HOURS;
	return {
		fields,
		given: { fileName, contentType: readText(options.contentType) },
		...(options.transfer === 'link' && {
			linkValidHours: readAmount(run, itemIndex, 'Link Validity (Hours)', hours),
		}),
	};
}

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
