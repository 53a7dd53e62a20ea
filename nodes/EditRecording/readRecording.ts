import type { IExecuteFunctions } from 'n8n-workflow';

import { fileIdentity, fingerprintOf } from '../CreateEdit/fingerprint';
import {
	type RequestHint,
	checkConfiguration,
	namesInOne,
	sourceFileNames,
} from '../CreateEdit/prepareEdit';
import { type Configuration, readConfiguration } from '../CreateEdit/readConfiguration';
import { linkHints, readLinks } from '../CreateEdit/readLinks';
import { refuseUploads } from '../CreateEdit/readSkipRule';
import type { ResultOptions } from '../GetResult/fetchResult';
import { readResultOptions } from '../GetResult/readResultOptions';
import { readUploadOptions } from '../Upload/readUploadOptions';
import { checkSource } from '../Upload/source';
import type { UploadOptions } from '../Upload/uploadFiles';
import { nameInUrl } from '../shared/fileNames';
import { hashOf } from '../shared/identity';
import { fieldError, readOutputField } from '../shared/parameters';
import { isToolUse } from '../shared/toolUse';
import type { WhenTimeIsUp } from './fields';
import { type RecognisedBy, readRecognisedBy } from './recognisedBy';
import { type UnfinishedEdit, unfinishedEditOf } from './unfinishedItem';

/** The files to upload, with a hash of what identifies them, or the URLs that the service fetches. */
export type RecordingSource =
	| { readonly upload: UploadOptions; readonly filesKey: string }
	| { readonly urls: readonly string[] };

/** A recording that has no edit yet. */
export interface NewRecording {
	readonly source: RecordingSource;
	/** See `fingerprintOf`. */
	readonly fingerprint: string;
	readonly configuration: Configuration;
	readonly hints: readonly RequestHint[];
	/** The name of the recording, for errors and outputs; the names of its tracks if there are several. */
	readonly sourceFileName: string;
	/** The field that the recording came in; `data` for URLs. */
	readonly inputField: string;
	/** How it is recognised, if recordings already edited are skipped. */
	readonly skip?: RecognisedBy;
}

/** What an item asks for. */
export interface RecordingForm {
	readonly itemIndex: number;
	readonly recording: NewRecording | UnfinishedEdit;
	readonly result: ResultOptions;
	readonly whenTimeIsUp: WhenTimeIsUp;
	readonly deletesWhenFetched: boolean;
}

/**
 * Reads the form for one item. All checks are here, before the first request.
 *
 * @throws NodeOperationError if a field cannot be used, or a file is missing or not audio or video
 */
export function readRecording(
	context: IExecuteFunctions,
	[itemIndex]: readonly number[],
): RecordingForm {
	const recording = unfinishedEditOf(context, itemIndex) ?? readNew(context, itemIndex);
	const field = readOutputField(context, itemIndex, 'outputField', recording.inputField);
	const result = readResultOptions(context, itemIndex, field);
	return {
		itemIndex,
		recording,
		result,
		// The node has one set of outputs for all items.
		whenTimeIsUp: context.getNodeParameter('whenTimeIsUp', 0) as WhenTimeIsUp,
		deletesWhenFetched: readDeletion(context, itemIndex, result),
	};
}

/** Whether the edit is deleted once it is fetched. Refuses to delete an edited file that is not fetched. */
function readDeletion(
	context: IExecuteFunctions,
	itemIndex: number,
	{ downloads }: ResultOptions,
): boolean {
	if (context.getNodeParameter('options.deleteWhenFetched', itemIndex, false) !== true)
		return false;
	if (downloads.includes('edited') || isToolUse(context)) return true;
	throw fieldError(
		context,
		itemIndex,
		"'Delete Edit When Fetched' would delete the edited file, which is not fetched",
		"Choose 'Edited File' under Download, or remove the option.",
	);
}

function readNew(context: IExecuteFunctions, itemIndex: number): NewRecording {
	const isUrl =
		isToolUse(context) || context.getNodeParameter('recordingFrom', itemIndex) === 'url';
	return isUrl ? readUrls(context, itemIndex) : readFiles(context, itemIndex);
}

const WITHOUT_UPLOAD =
	"Choose 'By Your Own Value'. Or remove the Upload node, and set 'Recording From' to 'File of the Item'.";

function readUrls(context: IExecuteFunctions, itemIndex: number): NewRecording {
	const links = readLinks(context, itemIndex);
	const urls = links.map(({ url }) => url);
	const names = urls.map(nameInUrl);
	const skip = readRecognisedBy(context, itemIndex, 'url');
	if (skip?.way === 'url') refuseUploads(context, [itemIndex], urls, WITHOUT_UPLOAD);
	return {
		source: { urls },
		fingerprint: fingerprintOf(context),
		...readChecked(context, itemIndex, names, linkHints(links)),
		skip,
		sourceFileName: sourceFileNames(context, [itemIndex], urls),
		inputField: 'data',
	};
}

function readFiles(context: IExecuteFunctions, itemIndex: number): NewRecording {
	const upload = readUploadOptions(context, itemIndex);
	const { fields, given } = upload;
	const sources = fields.map((field) => checkSource(context, itemIndex, field, given));
	const names = sources.map(({ fileName }) => fileName);
	const files = sources.map(({ binary }, index) => fileIdentity(fields[index], binary));
	const [first] = fields;
	return {
		source: { upload, filesKey: hashOf([files, given, context.getNode().credentials]) },
		fingerprint: fingerprintOf(context, files),
		...readChecked(context, itemIndex, names),
		skip: readRecognisedBy(context, itemIndex, 'nameAndSize'),
		sourceFileName: namesInOne(names),
		// An expression may also return the file itself.
		inputField: typeof first === 'string' ? first : 'data',
	};
}

function readChecked(
	context: IExecuteFunctions,
	itemIndex: number,
	names: readonly string[],
	more: readonly RequestHint[] = [],
): Pick<NewRecording, 'configuration' | 'hints'> {
	const configuration = readConfiguration(context, itemIndex);
	const hints = checkConfiguration(context, itemIndex, configuration, names);
	return { configuration, hints: [...hints, ...more] };
}
