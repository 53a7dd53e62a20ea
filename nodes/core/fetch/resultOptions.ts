import type { Detail } from '../../../formats/summaries';
import { DOWNLOAD_KINDS } from './downloads';
import type { ResultOptions } from './fetchResult';
import { readTagging } from './tags/readTagging';
import { PURPOSES } from './texts/formatFields';
import { FORMAT_KINDS } from './texts/formatKinds';
import { readFeedItem } from './texts/feedItem';
import { readSpeakers } from './texts/speakerNames';
import { isOn, severalOf } from '../form/texts';
import { EDIT_FIELDS } from '../form/fields';
import type { NodeRun } from '../run/nodeRun';

/** The names of the formats that the form chooses under each chosen purpose. */
function readFormats(run: NodeRun, itemIndex: number): string[] {
	const kinds = PURPOSES.map(({ value }) => String(value));
	const chosen = readKinds(run, itemIndex, 'alsoReturn', kinds);
	return PURPOSES.filter(({ value }) => chosen.includes(String(value))).flatMap(
		({ value, formats }) =>
			formats.length === 1 ? formats : readKinds(run, itemIndex, String(value), formats),
	);
}

/**
 * What the form asks for of a result.
 *
 * @param field the output field of the edited file
 * @param download the name of the field 'Download'
 * @throws NodeOperationError for a value that cannot be written or published
 */
export function readResultOptions(
	run: NodeRun,
	itemIndex: number,
	field: string,
	download = 'download',
): ResultOptions {
	const hasOption = (name: string) => isOn(run.option(name, itemIndex));
	const isTool = run.isTool;
	const isPerFile = !isTool && hasOption('oneItemPerFile');
	const returnAs: unknown = run.parameter('returnAs', itemIndex, 'json');
	const names = readFormats(run, itemIndex);
	const downloads = readKinds(run, itemIndex, download, DOWNLOAD_KINDS, ['edited']);
	const isFetched = !isTool && downloads.includes('edited');
	return {
		field,
		downloads,
		formatKinds: FORMAT_KINDS.filter(({ name }) => names.includes(name)),
		// n8n drops the files that a tool outputs.
		textsAreFiles: !isTool && (isPerFile || returnAs === 'files'),
		speakers: readSpeakers(run, itemIndex),
		...(names.includes('feedItem') && { feed: readFeedItem(run, itemIndex) }),
		transcript: {
			hasSpeakers: isOn(run.option('transcriptSpeakers', itemIndex, true)),
			hasTimes: hasOption('transcriptTimes'),
		},
		detail: readDetail(run, itemIndex),
		tagging: isFetched ? readTagging(run, itemIndex) : undefined,
		cutsSoundbites: isFetched && hasOption('cutSoundbites'),
		isPerFile,
	};
}

/**
 * The values chosen in a field, in the order of `kinds`. The form's check has refused all others.
 *
 * @param name of the field
 */
function readKinds<Kind extends string>(
	run: NodeRun,
	itemIndex: number,
	name: string,
	kinds: readonly Kind[],
	otherwise: readonly Kind[] = [],
): Kind[] {
	const chosen = severalOf(run.parameter(name, itemIndex, otherwise));
	return kinds.filter((kind) => chosen.includes(kind));
}

const INCLUDABLE = EDIT_FIELDS.map(({ value }) => value);

/** How much of an edit to return: by 'Output' in newer tools of an agent, otherwise by 'Simplify'. */
export function readDetail(run: NodeRun, itemIndex: number): Detail {
	const output: unknown = run.parameter('output', itemIndex, null);
	if (output === 'selected') return readKinds(run, itemIndex, 'fieldsToInclude', INCLUDABLE);
	if (output !== null) return output === 'raw' ? 'rawForModel' : 'simplified';
	return isOn(run.option('simplify', itemIndex, true)) ? 'simplified' : 'raw';
}
