import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { messageOf } from '../../../../api/failure';
import { passportOf } from '../../../../formats/passport/passport';
import { type Cue, subtitleCues } from '../../../../formats/transcript/subtitles';
import type { TranscriptOptions } from '../../../../formats/transcript/transcript';
import { safeFileName, withoutExtension } from '../../files/mediaTypes';
import { FORMAT_OPTIONS } from './formatFields';
import {
	type FormatKind,
	type FormatMaterial,
	type FormatOutput,
	TEXT_OPTIONS,
	makeFormat,
} from './formatKinds';
import type { MissingTexts } from './missingTexts';
import { type EditedTexts, type FeedForm, feedDetails } from './feedItem';
import type { SpeakerForm } from './speakerNames';
import type { NodeRun } from '../../run/nodeRun';

/** What to make of the texts of a result. */
export interface FormatOptions {
	/** The output field of the edited file, which names the fields of these files. */
	readonly field: string;
	readonly formatKinds: readonly FormatKind[];
	/** Whether the outputs become files, not JSON. */
	readonly textsAreFiles: boolean;
	readonly transcript: TranscriptOptions;
	readonly speakers: SpeakerForm;
	/** Whether the passport names the person who approved the cuts. */
	readonly namesApprover: boolean;
	/** If a feed item is chosen. */
	readonly feed?: FeedForm;
}

/** What a result adds to an item. */
export interface ResultOutputs {
	readonly json: IDataObject;
	readonly binary: IBinaryKeyData;
	/** What the file in a field is, such as `edited`, or `subtitlesSrt` as under 'Also Return'. */
	readonly kinds: Readonly<Record<string, string>>;
}

/** An output that was made, or why it is left out and which others the same hint names. */
type Attempt = { readonly kind: FormatKind } & (
	| { readonly made: FormatOutput }
	| { readonly made?: undefined; readonly group: string; readonly why: string }
);

/**
 * Makes what the person chose under 'Also Return' from a result. What cannot be made is left out with a
 * hint: the edit is charged and its files are downloaded by now, so nothing here fails the item.
 */
export async function formatOutputs(
	run: NodeRun,
	texts: EditedTexts & { readonly missing?: MissingTexts },
	options: FormatOptions,
): Promise<ResultOutputs> {
	const { editId, result, missing } = texts;
	const baseName = baseNameOf(result?.filename, editId);
	const { namesApprover, feed = { transcripts: [], alternates: [], hasPassport: false } } = options;
	const named = options.speakers.people.filter(({ role }) => role !== '');
	const published = { ...texts, baseName, people: named };
	let divided: readonly Cue[] | undefined;
	const passport = () => passportOf(texts.received, { ...texts.lengths, namesApprover });
	const material: FormatMaterial = {
		result,
		passport,
		options: options.transcript,
		cues: () => (divided ??= subtitleCues(result)),
		feed: () => feedDetails(run, feed, { ...published, passport }),
	};
	const attempts = options.formatKinds.map((kind) => attempt(kind, material, missing));
	hintAtLeftOut(run, attempts, editId);
	if (options.textsAreFiles) return await storeFiles(run, attempts, options.field, baseName);
	const values = attempts.flatMap(({ kind, made }) => (made ? [[kind.name, made.value]] : []));
	return { json: { formats: Object.fromEntries(values) }, binary: {}, kinds: {} };
}

function attempt(kind: FormatKind, material: FormatMaterial, missing?: MissingTexts): Attempt {
	const { configKey } = kind;
	if (missing?.kinds.includes(kind)) return { kind, group: 'missing', why: `${missing.why}.` };
	try {
		const made = makeFormat(kind, material);
		if (made !== undefined) return { kind, made };
	} catch (error) {
		const reason = messageOf(error);
		const why = `they could not be made from what the service returned: ${reason}. The rest of the result is here; the raw output contains what the service returned.`;
		return { kind, group: reason, why };
	}
	if (configKey === undefined) {
		return { kind, group: kind.name, why: 'the result states nothing of what was done.' };
	}
	const isThere = (material.result?.[TEXT_OPTIONS[configKey].field] ?? undefined) !== undefined;
	const why = isThere
		? 'the service returned no usable texts or times for it.'
		: `the result has nothing for it. Switch on '${TEXT_OPTIONS[configKey].label}' when you create the edit.`;
	return { kind, group: configKey, why };
}

/** Adds one hint for each configuration key that was off, and for each error. */
function hintAtLeftOut(run: NodeRun, attempts: readonly Attempt[], editId: string): void {
	const leftOut = attempts.flatMap((attempt) => (attempt.made ? [] : [attempt]));
	for (const group of new Set(leftOut.map((one) => one.group))) {
		const members = leftOut.filter((one) => one.group === group);
		const titles = members.map(
			({ kind }) => FORMAT_OPTIONS.find(({ value }) => value === kind.name)?.name,
		);
		run.hints.add(`${titles.join(', ')} left out, because ${members[0].why}`, `edit ${editId}`);
	}
}

async function storeFiles(
	run: NodeRun,
	attempts: readonly Attempt[],
	field: string,
	baseName: string,
): Promise<ResultOutputs> {
	const binary: IBinaryKeyData = {};
	const kinds: Record<string, string> = {};
	for (const { kind, made } of attempts) {
		for (const { suffix, text, mimeType } of made?.files ?? []) {
			const fileName = `${baseName}${suffix.startsWith('.') ? '' : '-'}${suffix}`;
			// `.srt` goes to `data_srt`, `show-notes.html` to `data_show_notes_html`.
			const key = `${field}_${suffix.replace(/^\./, '').replace(/[-.]/g, '_')}`;
			const content = Buffer.from(text);
			binary[key] = await run.context.helpers.prepareBinaryData(content, fileName, mimeType);
			kinds[key] = kind.name;
		}
	}
	return { json: {}, binary, kinds };
}

/** The result's file name without its extension; the edit's ID where it has none. */
export function baseNameOf(fileName: string | undefined, editId: string): string {
	return withoutExtension(safeFileName(fileName ?? '', '')) || safeFileName(editId, 'edit');
}
