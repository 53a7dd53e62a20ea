import {
	type RequestHint,
	checkConfiguration,
	editRequestFor,
	fingerprintOf,
} from '../core/submit/prepareEdit';
import { type Configuration, readConfiguration } from '../core/config/readConfiguration';
import { type KitPart, uploadedIdentities } from '../core/config/showKit';
import { readShowKit } from '../core/submit/readShowKit';
import { fileIdentity } from '../core/files/fileIdentity';
import type { SubmissionKey } from '../core/ledger/submissionLedger';
import { linkHints, readLinks } from '../core/submit/links';
import { refuseUploads } from '../core/skip/skipIdentity';
import { DELIVERED_FOR } from '../core/fetch/downloads';
import { type ResultOptions, readResultOptions } from '../core/fetch/fetchResult';
import { FORMAT_OPTIONS } from '../core/fetch/texts/formatFields';
import { type UploadOptions, readUploadOptions } from '../core/upload/uploadFiles';
import { checkSource } from '../core/upload/source';
import { nameInUrl } from '../core/files/mediaTypes';
import { hashOf } from '../core/ledger/identity';
import { fieldError } from '../core/form/fieldError';
import { readPreviewMinutes } from '../core/upload/preview';
import { readForm } from '../core/form/readForm';
import { TRACK_FIELDS } from './fields';
import { type SourceNames, namesInOne, namesOfFiles, sourceNames } from '../core/files/sourceNames';
import type { Form } from '../core/form/values';
import { type SkipChoice, readRecognizedBy } from '../core/skip/skipRule';
import type { UnfinishedEdit } from '../core/output/editedItems';
import type { NodeRun } from '../core/run/nodeRun';
import type { Wanted } from './outputFormats';
import { configurationOfPreview, refuseUnheard, resultOfPreview } from './preview';
import { withOutputs } from './wantedOutputs';

/** The files to upload, with a hash of what identifies them, or the URLs that the service fetches. */
export type RecordingSource =
	| { readonly uploads: readonly TrackUpload[]; readonly filesKey: string }
	| { readonly urls: readonly string[] };

/** The files of an item to upload: a recording may have several items as its tracks. */
export interface TrackUpload {
	readonly itemIndex: number;
	readonly upload: UploadOptions;
}

/** A recording that has no edit yet. */
export interface NewRecording {
	/** Its items: its tracks, if there are several. */
	readonly itemIndices: readonly number[];
	readonly source: RecordingSource;
	/** What the ledger recognizes its submission by, before its files are uploaded. */
	readonly submission: SubmissionKey;
	readonly configuration: Configuration;
	readonly hints: readonly RequestHint[];
	/** For errors and outputs. */
	readonly names: SourceNames;
	/** How it is recognized, if recordings already edited are skipped. */
	readonly skip?: SkipChoice;
	/** If only a part of it is edited: how many minutes. */
	readonly previewMinutes?: number;
}

/** What an item asks for. */
export interface RecordingRequest {
	/** The first of its items. */
	readonly itemIndex: number;
	/** All of them: its tracks, if there are several. */
	readonly itemIndices: readonly number[];
	/** Whether the node uploads the recording's files; otherwise the service fetches them. */
	readonly isUploaded: boolean;
	/** The edit that an item of this node goes on with, or a recording that has none yet. */
	readonly recording: NewRecording | UnfinishedEdit;
	readonly result: ResultOptions;
	readonly deletesWhenFetched: boolean;
}

/**
 * Reads the form for one item. All checks are here, before the first request.
 *
 * @param form of the first item
 * @param itemIndices the items with the recording's files, which are its tracks if there are several
 * @param unfinished the edit that the item goes on with, if it has one
 * @throws NodeOperationError if a field cannot be used, or a file is missing or not audio or video
 */
export function readRequest(
	run: NodeRun,
	form: Form,
	itemIndices: readonly number[],
	unfinished?: UnfinishedEdit,
): RecordingRequest {
	const { itemIndex, fields, options } = form;
	const isUploaded = !run.isTool && fields.recordingFrom !== 'url';
	const asked = readResultOptions(run, form, options.outputField, options.download);
	const result = 'previewMinutes' in options ? resultOfPreview(asked) : asked;
	const tracks = { itemIndices, isUploaded };
	return {
		itemIndex,
		...tracks,
		recording: unfinished ?? readRecording(run, form, tracks, wantedOf(result)),
		result,
		deletesWhenFetched: readDeletion(run, form, result),
	};
}

/** A video is often an MP4, which has chapters, too. */
const CHAPTERS: Wanted = {
	output: 'Chapters to Embed',
	keys: ['summarize'],
	onlyIn: { formats: ['mp3', 'm4a'], isForVideo: true },
};

const SOUNDBITES: Wanted = {
	output: 'Cut Soundbites',
	keys: ['transcription'],
	onlyIn: { formats: ['mp3'], isForVideo: false },
};

function wantedOf(options: ResultOptions): Wanted[] {
	const { formatKinds, downloads, tagging, cutsSoundbites } = options;
	return [
		...formatKinds.flatMap(({ name, configKey }): Wanted[] => {
			// A feed item can be made without a summary, from the fields of the form.
			if (name === 'feedItem' || configKey === undefined) return [];
			const option = FORMAT_OPTIONS.find(({ value }) => value === name);
			return [{ output: option?.name ?? name, keys: [configKey] }];
		}),
		...DELIVERED_FOR.filter(({ kind }) => downloads.includes(kind)).map(
			({ title, keys }): Wanted => ({ output: title, keys }),
		),
		...(tagging?.chapters === 'summary' ? [CHAPTERS] : []),
		...(cutsSoundbites ? [SOUNDBITES] : []),
	];
}

/** Whether the edit is deleted once it is fetched. Refuses to delete an edited file that is not fetched. */
function readDeletion(
	run: NodeRun,
	{ itemIndex, options }: Form,
	{ downloads }: ResultOptions,
): boolean {
	if (options.deleteWhenFetched !== true) return false;
	if (downloads.includes('edited') || run.isTool) return true;
	const message =
		"'Delete Edit When Fetched' would delete the edited file, but this node does not fetch it";
	const advice = "Choose 'Edited File' under Download, or remove the option.";
	throw fieldError(run, itemIndex, message, advice);
}

const WITHOUT_UPLOAD =
	"Choose 'By Your Own Value'. Or remove the Audio Editing Upload node, and set 'Recording From' to 'File of the Item'.";

function readRecording(
	run: NodeRun,
	form: Form,
	{ itemIndices, isUploaded }: Pick<RecordingRequest, 'itemIndices' | 'isUploaded'>,
	wanted: readonly Wanted[],
): NewRecording {
	const [, ...others] = itemIndices;
	const forms = others.map((index) =>
		readForm(run.context, TRACK_FIELDS, index, run.isTool, 'item'),
	);
	const tracks = [form, ...forms];
	const previewMinutes = readPreviewMinutes(run, form);
	return isUploaded
		? readFiles(run, form, tracks, { wanted, previewMinutes })
		: readUrls(run, form, tracks, wanted);
}

function readUrls(
	run: NodeRun,
	form: Form,
	tracks: readonly Form[],
	wanted: readonly Wanted[],
): NewRecording {
	const { itemIndex, options } = form;
	const itemIndices = tracks.map((track) => track.itemIndex);
	const links = tracks.flatMap((track) => readLinks(run, { ...track, options }));
	const urls = links.map(({ url }) => url);
	const names = urls.map(nameInUrl);
	const skip = readRecognizedBy(run, form, 'url');
	if (skip?.way === 'url') refuseUploads(run, itemIndices, urls, WITHOUT_UPLOAD);
	const kit = readShowKit(run, form);
	const fingerprint = fingerprintOf(run, uploadedIdentities(kit));
	const { configuration, hints } = readChecked(run, form, names, { fingerprint, wanted, kit });
	const request = editRequestFor(configuration, urls);
	return {
		itemIndices,
		source: { urls },
		submission: { itemIndex, fingerprint, request },
		configuration,
		hints: [...hints, ...linkHints(links)],
		skip,
		names: sourceNames(run, itemIndices, urls),
	};
}

function readFiles(
	run: NodeRun,
	form: Form,
	tracks: readonly Form[],
	{ wanted, previewMinutes }: { wanted: readonly Wanted[]; previewMinutes: number | undefined },
): NewRecording {
	const { itemIndex } = form;
	const uploads = tracks.map((track) => {
		const upload = { ...readUploadOptions(run, track), readsDuration: true };
		return { itemIndex: track.itemIndex, upload };
	});
	const sources = uploads.flatMap(({ itemIndex: index, upload: { fields, given } }) =>
		fields.map((field) => ({ field, ...checkSource(run, index, field, given) })),
	);
	const names = sources.map(({ fileName }) => fileName);
	const ownNames = sources.map(({ sourceFileName }) => sourceFileName);
	const files = sources.map(({ field, binary }) => fileIdentity(field, binary));
	const given = uploads.map(({ upload }) => upload.given);
	const kit = readShowKit(run, form);
	const fingerprint = fingerprintOf(run, [...files, ...uploadedIdentities(kit)]);
	const skip = readRecognizedBy(run, form, 'file');
	return {
		itemIndices: tracks.map((track) => track.itemIndex),
		source: { uploads, filesKey: hashOf([files, given, run.node.credentials, previewMinutes]) },
		submission: { itemIndex, fingerprint },
		...readChecked(run, form, names, { fingerprint, wanted, kit }),
		skip: skip && { ...skip, previewMinutes },
		previewMinutes,
		names: namesOfFiles(ownNames, namesInOne(ownNames)),
	};
}

/** The configuration of a recording, with what its outputs need, and the hints about it. */
function readChecked(
	run: NodeRun,
	form: Form,
	names: readonly string[],
	{
		fingerprint,
		wanted,
		kit,
	}: {
		fingerprint: string;
		wanted: readonly Wanted[];
		kit: readonly KitPart[] | undefined;
	},
): Pick<NewRecording, 'configuration' | 'hints'> {
	const { itemIndex } = form;
	const said = { ...readConfiguration(run, form, names), ...(kit && { kit }) };
	const isPreview = 'previewMinutes' in form.options;
	const read = isPreview ? configurationOfPreview(said) : said;
	if (isPreview) refuseUnheard(run, itemIndex, read);
	// What an edit has that was charged before a retry is fetched all the same.
	const isCharged = run.ledger.find({ itemIndex, fingerprint })?.state === 'accepted';
	const outputs = isCharged ? [] : wanted;
	const { configuration, hints } = withOutputs(run, form, read, outputs);
	return {
		configuration,
		hints: [...checkConfiguration(run, itemIndex, configuration, names), ...hints],
	};
}
