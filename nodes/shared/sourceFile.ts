import type { IExecuteFunctions } from 'n8n-workflow';

import { readText } from './parameters';

/**
 * What an item says about the recording it comes from, for the item that goes on in its place: nobody
 * should have to look back at Upload to learn whose edit this is.
 */
export function sourceFileOf(
	context: IExecuteFunctions,
	itemIndex: number,
): { sourceFileName?: string } {
	const sourceFileName = readText(context.getInputData()[itemIndex]?.json.sourceFileName);
	return sourceFileName === '' ? {} : { sourceFileName };
}
