import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isToolUse } from '../shared/toolUse';
import { DOWNLOAD_KINDS } from './downloads';
import type { ResultOptions } from './fetchResult';
import { FORMAT_KINDS } from './formatKinds';
import { readKinds } from './readKinds';
import { readTagging } from './readTagging';

const DOWNLOAD_FIELD = { name: 'download', label: 'Download', kinds: DOWNLOAD_KINDS };

const ALSO_RETURN_FIELD = {
	name: 'alsoReturn',
	label: 'Also Return',
	kinds: FORMAT_KINDS.map(({ name }) => name),
};

/**
 * What the form asks for of a result.
 *
 * @param field the output field of the edited file
 * @throws NodeOperationError for a file or text that the form does not offer
 */
export function readResultOptions(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
): ResultOptions {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const isTool = isToolUse(context);
	const isPerFile = !isTool && options.oneItemPerFile === true;
	const returnAs: unknown = context.getNodeParameter('returnAs', itemIndex, 'json');
	const names = readKinds(context, itemIndex, ALSO_RETURN_FIELD);
	const downloads = readKinds(context, itemIndex, DOWNLOAD_FIELD);
	const isFetched = !isTool && downloads.includes('edited');
	return {
		field,
		downloads,
		formatKinds: FORMAT_KINDS.filter(({ name }) => names.includes(name)),
		// n8n drops the files that a tool outputs.
		textsAreFiles: !isTool && (isPerFile || returnAs === 'files'),
		transcript: {
			hasSpeakers: options.transcriptSpeakers !== false,
			hasTimes: options.transcriptTimes === true,
		},
		isSimple: context.getNodeParameter('simplify', itemIndex) as boolean,
		withRepeats: false,
		tagging: isFetched ? readTagging(context, itemIndex) : undefined,
		cutsSoundbites: isFetched && options.cutSoundbites === true,
		isPerFile,
	};
}
