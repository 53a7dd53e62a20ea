import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isToolUse } from '../shared/toolUse';
import { DOWNLOAD_KINDS } from './downloads';
import type { ResultOptions } from './fetchResult';
import { PURPOSES } from './formatFields';
import { FORMAT_KINDS } from './formatKinds';
import { readFeedItem } from './readFeedItem';
import { readDetail, readKinds } from './readKinds';
import { readTagging } from './readTagging';
import { readSpeakers } from './speakerNames';

const DOWNLOAD_FIELD = { name: 'download', label: 'Download', kinds: DOWNLOAD_KINDS };

/**
 * The names of the formats chosen in the form: those of the chosen purposes, or the list of formats in
 * node versions without purposes.
 */
function readFormats(context: IExecuteFunctions, itemIndex: number): string[] {
	const kinds = [
		...PURPOSES.map(({ value }) => String(value)),
		...FORMAT_KINDS.map(({ name }) => name),
	];
	const field = { name: 'alsoReturn', label: 'Also Return', kinds };
	return readKinds(context, itemIndex, field).flatMap((chosen) => {
		const purpose = PURPOSES.find(({ value }) => value === chosen);
		if (purpose === undefined || purpose.formats.includes(chosen)) return [chosen];
		const { name: label, formats } = purpose;
		return readKinds(context, itemIndex, { name: chosen, label, kinds: formats });
	});
}

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
	const names = readFormats(context, itemIndex);
	const downloads = readKinds(context, itemIndex, DOWNLOAD_FIELD);
	const isFetched = !isTool && downloads.includes('edited');
	return {
		field,
		downloads,
		formatKinds: FORMAT_KINDS.filter(({ name }) => names.includes(name)),
		// n8n drops the files that a tool outputs.
		textsAreFiles: !isTool && (isPerFile || returnAs === 'files'),
		speakers: readSpeakers(options),
		...(names.includes('feedItem') && { feed: readFeedItem(context, itemIndex) }),
		transcript: {
			hasSpeakers: options.transcriptSpeakers !== false,
			hasTimes: options.transcriptTimes === true,
		},
		detail: readDetail(context, itemIndex),
		withRepeats: false,
		tagging: isFetched ? readTagging(context, itemIndex) : undefined,
		cutsSoundbites: isFetched && options.cutSoundbites === true,
		isPerFile,
	};
}
