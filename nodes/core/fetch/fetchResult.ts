import type { IBinaryData } from 'n8n-workflow';

import type { Edit } from '../../../api/contract';
import { sanitizeText } from '../../../api/sanitizeText';
import { type Detail, describeEdit, durationAfter } from './editJson';
import { linksOf } from './resultLinks';
import {
	DOWNLOAD_KINDS,
	type DownloadKind,
	assertResultFiles,
	downloadAll,
	wantedDownloads,
	withoutRepeats,
} from './downloads';
import type { FinishedEdit } from './finishedEdit';
import { EditedFile, type EditedFileOptions } from './editedFile';
import {
	type FormatOptions,
	type ResultOutputs,
	baseNameOf,
	formatOutputs,
} from './texts/formatOutputs';
import { failOnceFor, missingTexts } from './texts/missingTexts';
import { withChapters } from '../../../formats/notes/chapters';
import { readTagging } from './tags/readTagging';
import { readFeedItem } from './texts/feedItem';
import { PURPOSES, hasField } from './texts/formatFields';
import { FORMAT_KINDS } from './texts/formatKinds';
import { nameSpeakers, readSpeakers } from './texts/speakerNames';
import { EDIT_FIELDS } from '../form/fields';
import { readOutputField } from '../form/parameters';
import type { Form } from '../form/values';
import type { NodeRun } from '../run/nodeRun';

/** What to fetch of a result, and what to make of it. */
export interface ResultOptions extends FormatOptions, EditedFileOptions {
	readonly downloads: readonly DownloadKind[];
	readonly detail: Detail;
	/** Whether each file becomes its own item. */
	readonly isPerFile: boolean;
	/** Whether the item keeps its input files. */
	readonly keepsInputFiles: boolean;
}

/** The names of the formats that the form chooses under each chosen purpose. */
function formatsIn({ fields }: Form): string[] {
	const { alsoReturn: purposes = [] } = fields;
	return PURPOSES.filter(({ value }) => purposes.includes(value)).flatMap((purpose) =>
		hasField(purpose) ? (fields[purpose.value] ?? []) : purpose.formats,
	);
}

/**
 * What the form asks for of a result.
 *
 * @param outputField the output field of the edited file, as the form has it
 * @param download which files to fetch
 * @throws NodeOperationError for a value that cannot be written or published
 */
export function readResultOptions(
	run: NodeRun,
	form: Form,
	outputField: unknown,
	download: readonly string[] = ['edited'],
): ResultOptions {
	const { itemIndex, fields, options } = form;
	const { returnAs = 'automatic' } = fields;
	const transcriptShows = options.transcriptShows ?? ['speakers'];
	const { isTool } = run;
	const isPerFile = !isTool && options.oneItemPerFile === true;
	const names = formatsIn(form);
	const downloads = DOWNLOAD_KINDS.filter((kind) => download.includes(kind));
	const isFetched = !isTool && downloads.includes('edited');
	return {
		field: readOutputField(run, itemIndex, outputField),
		downloads,
		formatKinds: FORMAT_KINDS.filter(({ name }) => names.includes(name)),
		// n8n drops the files that a tool outputs.
		textsAreFiles:
			!isTool && (isPerFile || returnAs === 'files' || (returnAs === 'automatic' && isFetched)),
		speakers: readSpeakers(options),
		...(names.includes('feedItem') && { feed: readFeedItem(run, form) }),
		namesApprover: fields.namesApprover === true,
		transcript: {
			hasSpeakers: transcriptShows.includes('speakers'),
			hasTimes: transcriptShows.includes('times'),
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

/** What a result adds to an item, and the name of the edited file. */
export interface FetchedResult extends ResultOutputs {
	readonly editedFileName: string | null;
}

/**
 * Fetches the files of a finished edit into n8n's binary store, and makes what was asked for of its
 * texts. For an agent, it returns links instead of files.
 *
 * @throws NodeApiError or NodeOperationError if a file is missing or cannot be fetched, and once if its
 * transcription failed although texts were chosen
 */
export async function fetchResult(
	run: NodeRun,
	{ itemIndex, editId, edit, names, isTranscribed, durationBeforeSeconds }: FinishedEdit,
	options: ResultOptions,
): Promise<FetchedResult> {
	const { downloads: kinds, field, speakers } = options;
	const { client } = await run.openService();
	assertResultFiles(run, edit, { editId, itemIndex }, kinds);
	const asksForTexts = options.formatKinds.length > 0;
	const missing = asksForTexts ? missingTexts(edit, options.formatKinds, isTranscribed) : undefined;
	if (missing !== undefined) await failOnceFor(run, missing, { itemIndex, editId, edit });
	const wanted = withoutRepeats(wantedDownloads(edit, kinds, field));
	const named = nameSpeakers(run, edit.result, speakers, { editId, ...names });
	const { chapters } = options.tagging ?? {};
	const isEntered = chapters !== undefined && chapters !== 'summary';
	const result = isEntered ? withChapters(named, chapters) : named;
	const { isTool } = run;
	const toAlter = { run, client, itemIndex, editId, result };
	const isFetched = !isTool && kinds.includes('edited');
	const altered = isFetched ? await EditedFile.open(toAlter, options) : undefined;
	const toFetch = isTool ? [] : wanted;
	const task = { client, kinds, field, wanted: toFetch, itemIndex, editId, altered };
	const binary = await downloadAll(run, task);
	sayIfNotPlayed(run, binary[field]);
	sayNotes(run, edit, editId);
	const soundbites = await altered?.storeSoundbites(baseNameOf(edit.result?.filename, editId));
	const fileNote = altered?.noted();
	const read = { before: durationBeforeSeconds, after: altered?.durationSeconds };
	const durationSeconds = durationAfter(result, read);
	const lengths = { beforeSeconds: read.before, afterSeconds: read.after };
	const about = { received: edit.result, lengths, durationSeconds };
	const texts = { editId, result, missing, edited: binary[field], ...about };
	const formats = asksForTexts ? await formatOutputs(run, texts, options) : undefined;
	return {
		editedFileName: (binary[field]?.fileName ?? result?.filename) || null,
		json: {
			...describeEdit(edit, editId, options.detail, read),
			...formats?.json,
			...(fileNote !== undefined && { fileNote }),
			...(isTool && wanted.length > 0 && { links: { ...linksOf(edit, kinds) } }),
		},
		binary: { ...binary, ...soundbites?.binary, ...formats?.binary },
		kinds: {
			...Object.fromEntries(wanted.map((file) => [file.field, file.kind])),
			...soundbites?.kinds,
			...formats?.kinds,
		},
	};
}

/** Notes of a result that become hints. */
const MAX_NOTES = 10;

/** Says how the result differs from the request, where the service notes it. */
function sayNotes(run: NodeRun, { result }: Edit, editId: string): void {
	for (const note of result?.notes?.slice(0, MAX_NOTES) ?? []) {
		run.hints.add(sanitizeText(note), `edit ${editId}`);
	}
}

/** The sound and video that n8n's output panel has a button to play for. */
const PLAYED = ['audio/mpeg', 'audio/ogg', 'audio/wav', 'video/mp4', 'video/ogg', 'video/webm'];

/** Says why n8n shows no View for the edited file. */
function sayIfNotPlayed(run: NodeRun, edited: IBinaryData | undefined): void {
	const [, kind] = /^(audio|video)\//.exec(edited?.mimeType ?? '') ?? [];
	if (edited === undefined || kind === undefined || PLAYED.includes(edited.mimeType)) return;
	const other =
		kind === 'audio' ? ", or set 'Export Format (MP3, WAV …)' to MP3 when you create the edit" : '';
	const message = `n8n cannot play ${edited.mimeType}, so there is no 'View' button. Download the file to play it${other}.`;
	run.hints.add(message, edited.fileName);
}
