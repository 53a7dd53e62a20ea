import type { IDataObject } from 'n8n-workflow';

import { fieldError, readAmount } from '../shared/form/parameters';
import { readText } from '../shared/form/texts';
import { LINK_VALIDITY_HOURS } from './fields';
import { readFields } from './readFields';
import type { UploadOptions } from './uploadFiles';
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
