import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Edit, EditResult } from '../../api/contract';
import { extensionOf, safeFileName } from '../shared/fileNames';
import { addHint } from '../shared/items';
import {
	EXTRA_KINDS,
	type ExtraContext,
	type ExtraFile,
	type ExtraKind,
	hasMaterialFor,
} from './extraKinds';

/** What the extra outputs add to an item. */
export interface ExtraOutputs {
	readonly json: IDataObject;
	readonly binary: IBinaryKeyData;
}

interface TranscriptFields {
	readonly transcriptSpeakers?: unknown;
	readonly transcriptTimes?: unknown;
}

/**
 * Makes what the person asked for under 'Also Return' of a result. What the result has no material for
 * is left out, and a hint says which configuration key brings it.
 *
 * @param field the output field of the edited file, which the fields of these files are named after
 */
export async function extraOutputs(
	context: IExecuteFunctions,
	{ result }: Edit,
	{ editId, itemIndex, field }: { editId: string; itemIndex: number; field: string },
): Promise<ExtraOutputs> {
	const asked: unknown = context.getNodeParameter('alsoReturn', itemIndex, []);
	const names = Array.isArray(asked) ? asked : [];
	const kinds = EXTRA_KINDS.filter(({ name }) => names.includes(name));
	if (kinds.length === 0) return { json: {}, binary: {} };
	const made = makeKinds(kinds, result, readOptions(context, itemIndex));
	const missing = kinds.filter(({ name }) => !made.some(({ kind }) => kind.name === name));
	sayWhatIsMissing(context, missing, result, editId);
	if (context.getNodeParameter('returnAs', itemIndex, 'json') !== 'files') {
		const formats = Object.fromEntries(made.map(({ kind, value }) => [kind.name, value]));
		return { json: { formats }, binary: {} };
	}
	const baseName = baseNameOf(result?.filename, editId);
	const binary: IBinaryKeyData = {};
	for (const { suffix, text, mimeType } of made.flatMap(({ files }) => files)) {
		const name = suffix.startsWith('.') ? `${baseName}${suffix}` : `${baseName}-${suffix}`;
		const key = `${field}_${fieldSuffix(suffix)}`;
		binary[key] = await context.helpers.prepareBinaryData(Buffer.from(text), name, mimeType);
	}
	return { json: {}, binary };
}

interface Made {
	readonly kind: ExtraKind;
	readonly value: IDataObject | string;
	readonly files: readonly ExtraFile[];
}

function makeKinds(
	kinds: readonly ExtraKind[],
	result: EditResult | undefined,
	options: ExtraContext,
): Made[] {
	return kinds.flatMap((kind) => {
		const made = kind.make(result, options);
		return made === undefined ? [] : [{ kind, ...made }];
	});
}

function readOptions(context: IExecuteFunctions, itemIndex: number): ExtraContext {
	const options = context.getNodeParameter('options', itemIndex, {}) as TranscriptFields;
	return {
		hasSpeakers: options.transcriptSpeakers !== false,
		hasTimes: options.transcriptTimes === true,
	};
}

/** One hint for each configuration key that was off. */
function sayWhatIsMissing(
	context: IExecuteFunctions,
	missing: readonly ExtraKind[],
	result: EditResult | undefined,
	editId: string,
): void {
	for (const key of new Set(missing.map(({ configKey }) => configKey))) {
		const titles = missing.filter(({ configKey }) => configKey === key).map(({ title }) => title);
		const what = `${titles.join(', ')} left out`;
		const isThere = hasMaterialFor(key, result);
		const why = isThere
			? 'what the service gave for it has no usable texts or times.'
			: `the result has no material for it. Set '${key}' to true when you create the edit.`;
		addHint(context, `Edit ${editId}: ${what}, since ${why}`);
	}
}

/** The result's file name without its extension; the edit's ID where it has none. */
function baseNameOf(fileName: string | undefined, editId: string): string {
	const safe = safeFileName(fileName ?? '', '');
	const extension = extensionOf(safe);
	const base = extension === '' ? safe : safe.slice(0, -extension.length - 1);
	return base || safeFileName(editId, 'edit');
}

/** `.srt` goes to `data_srt`, `show-notes.html` to `data_show_notes_html`. */
function fieldSuffix(suffix: string): string {
	return suffix.replace(/^\./, '').replace(/[-.]/g, '_');
}
