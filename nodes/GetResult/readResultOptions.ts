import type { Detail } from '../../formats/summaries';
import { DOWNLOAD_KINDS } from './download/downloads';
import type { ResultOptions } from './fetchResult';
import { readTagging } from './tags/readTagging';
import { PURPOSES } from './texts/formatFields';
import { FORMAT_KINDS } from './texts/formatKinds';
import { readFeedItem } from './texts/readFeedItem';
import { readSpeakers } from './texts/speakerNames';
import { EDIT_FIELDS } from '../shared/form/fields';
import { fieldError } from '../shared/form/parameters';
import type { NodeRun } from '../shared/run/nodeRun';

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
 * @param download the name of the field 'Download'
 * @throws NodeOperationError for a file or text that the form does not offer
 */
export function readResultOptions(
	run: NodeRun,
	itemIndex: number,
	field: string,
	download = 'download',
): ResultOptions {
	const isOn = (name: string) => run.option(name, itemIndex) === true;
	const isTool = run.isTool;
	const isPerFile = !isTool && isOn('oneItemPerFile');
	const returnAs: unknown = run.parameter('returnAs', itemIndex, 'json');
	const names = readFormats(run, itemIndex);
	const downloads = readKinds(
		run,
		itemIndex,
		{ name: download, label: 'Download', kinds: DOWNLOAD_KINDS },
		['edited'],
	);
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
			hasSpeakers: run.option('transcriptSpeakers', itemIndex) !== false,
			hasTimes: isOn('transcriptTimes'),
		},
		detail: readDetail(run, itemIndex),
		tagging: isFetched ? readTagging(run, itemIndex) : undefined,
		cutsSoundbites: isFetched && isOn('cutSoundbites'),
		isPerFile,
	};
}

/**
 * The values chosen in a field, in the order of `field.kinds`. An expression may also return a text with
 * commas, or nothing.
 *
 * @throws NodeOperationError for a value that the field does not offer
 */
function readKinds<Kind extends string>(
	run: NodeRun,
	itemIndex: number,
	{ name, label, kinds }: { name: string; label: string; kinds: readonly Kind[] },
	otherwise: readonly Kind[] = [],
): Kind[] {
	const value: unknown = run.parameter(name, itemIndex, otherwise);
	const listed = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value;
	const chosen: readonly unknown[] = [listed ?? []].flat().filter((entry) => entry !== '');
	const known: readonly unknown[] = kinds;
	const unknown = chosen.find((entry) => !known.includes(entry));
	if (unknown === undefined) return kinds.filter((kind) => chosen.includes(kind));
	const message = `'${label}' has no option ${JSON.stringify(unknown) ?? 'this value'}`;
	const advice = `Choose from ${kinds.join(', ')}, or leave it empty.`;
	throw fieldError(run, itemIndex, message, advice);
}

const FIELDS_TO_INCLUDE = {
	name: 'fieldsToInclude',
	label: 'Fields to Include',
	kinds: [...EDIT_FIELDS.map(({ value }) => String(value)), 'editId'],
};

/** How much of an edit to return: by 'Output' in newer tools of an agent, otherwise by 'Simplify'. */
export function readDetail(run: NodeRun, itemIndex: number): Detail {
	const output: unknown = run.parameter('output', itemIndex, null);
	if (output === 'selected') return readKinds(run, itemIndex, FIELDS_TO_INCLUDE);
	if (output !== null) return output === 'raw' ? 'rawForModel' : 'simplified';
	return run.option('simplify', itemIndex, true) ? 'simplified' : 'raw';
}
