import type { IDataObject } from 'n8n-workflow';

import { DOWNLOAD_KINDS } from './download/downloads';
import type { ResultOptions } from './fetchResult';
import { PURPOSES } from './texts/formatFields';
import { FORMAT_KINDS } from './texts/formatKinds';
import { readFeedItem } from './texts/readFeedItem';
import { readDetail, readKinds } from './readKinds';
import { readTagging } from './tags/readTagging';
import { readSpeakers } from './texts/speakerNames';
import type { NodeRun } from '../shared/run/nodeRun';

const DOWNLOAD_FIELD = { name: 'download', label: 'Download', kinds: DOWNLOAD_KINDS };

/** The names of the formats that the form chooses under each chosen purpose. */
function readFormats(run: NodeRun, itemIndex: number): string[] {
	const kinds = PURPOSES.map(({ value }) => String(value));
	const chosen = readKinds(run, itemIndex, { name: 'alsoReturn', label: 'Also Return', kinds });
	return PURPOSES.filter(({ value }) => chosen.includes(String(value))).flatMap(
		({ name: label, value, formats }) =>
			formats.length === 1
				? formats
				: readKinds(run, itemIndex, { name: String(value), label, kinds: formats }),
	);
}

/**
 * What the form asks for of a result.
 *
 * @param field the output field of the edited file
 * @throws NodeOperationError for a file or text that the form does not offer
 */
export function readResultOptions(run: NodeRun, itemIndex: number, field: string): ResultOptions {
	const options = run.parameter('options', itemIndex, {}) as IDataObject;
	const isTool = run.isTool;
	const isPerFile = !isTool && options.oneItemPerFile === true;
	const returnAs: unknown = run.parameter('returnAs', itemIndex, 'json');
	const names = readFormats(run, itemIndex);
	const downloads = readKinds(run, itemIndex, DOWNLOAD_FIELD);
	const isFetched = !isTool && downloads.includes('edited');
	return {
		field,
		downloads,
		formatKinds: FORMAT_KINDS.filter(({ name }) => names.includes(name)),
		// n8n drops the files that a tool outputs.
		textsAreFiles: !isTool && (isPerFile || returnAs === 'files'),
		speakers: readSpeakers(options),
		...(names.includes('feedItem') && { feed: readFeedItem(run, itemIndex) }),
		transcript: {
			hasSpeakers: options.transcriptSpeakers !== false,
			hasTimes: options.transcriptTimes === true,
		},
		detail: readDetail(run, itemIndex),
		tagging: isFetched ? readTagging(run, itemIndex) : undefined,
		cutsSoundbites: isFetched && options.cutSoundbites === true,
		isPerFile,
	};
}
