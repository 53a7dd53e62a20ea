import type { Detail } from '../../../formats/summaries';
import { DOWNLOAD_KINDS } from './downloads';
import type { ResultOptions } from './fetchResult';
import { readTagging } from './tags/readTagging';
import { PURPOSES } from './texts/formatFields';
import { FORMAT_KINDS } from './texts/formatKinds';
import { readFeedItem } from './texts/feedItem';
import { readSpeakers } from './texts/speakerNames';
import type { Form } from '../form/values';
import { EDIT_FIELDS } from '../form/fields';
import type { NodeRun } from '../run/nodeRun';

/** The names of the formats that the form chooses under each chosen purpose. */
function formatsIn({ fields }: Form): string[] {
	const { alsoReturn: purposes = [] } = fields;
	return PURPOSES.filter(({ value }) => purposes.includes(value)).flatMap(({ value, formats }) =>
		value === 'socialPosts' ? formats : (fields[value] ?? []),
	);
}

/**
 * What the form asks for of a result.
 *
 * @param field the output field of the edited file
 * @param download which files to fetch
 * @throws NodeOperationError for a value that cannot be written or published
 */
export function readResultOptions(
	run: NodeRun,
	form: Form,
	field: string,
	download: readonly string[] = ['edited'],
): ResultOptions {
	const { fields, options } = form;
	const { isTool } = run;
	const isPerFile = !isTool && options.oneItemPerFile === true;
	const names = formatsIn(form);
	const downloads = DOWNLOAD_KINDS.filter((kind) => download.includes(kind));
	const isFetched = !isTool && downloads.includes('edited');
	return {
		field,
		downloads,
		formatKinds: FORMAT_KINDS.filter(({ name }) => names.includes(name)),
		// n8n drops the files that a tool outputs.
		textsAreFiles: !isTool && (isPerFile || fields.returnAs === 'files'),
		...(('speakers' in options || 'speakersFromTracks' in options) && {
			speakers: readSpeakers(options),
		}),
		...(names.includes('feedItem') && { feed: readFeedItem(run, form) }),
		transcript: {
			hasSpeakers: options.transcriptSpeakers !== false,
			hasTimes: options.transcriptTimes === true,
		},
		detail: detailIn(form),
		tagging: isFetched ? readTagging(run, form) : undefined,
		cutsSoundbites: isFetched && options.cutSoundbites === true,
		isPerFile,
		keepsInputFiles: options.keepInputFiles === true,
	};
}

/** How much of an edit to return: by 'Output' in newer tools of an agent, otherwise by 'Simplify'. */
export function detailIn({ fields, options }: Form): Detail {
	const { output, fieldsToInclude: chosen = [] } = fields;
	if (output === 'selected') return INCLUDABLE.filter((name) => chosen.includes(name));
	if (output !== undefined) return output === 'raw' ? 'rawForModel' : 'simplified';
	return options.simplify === false ? 'raw' : 'simplified';
}

const INCLUDABLE = EDIT_FIELDS.map(({ value }) => value);
