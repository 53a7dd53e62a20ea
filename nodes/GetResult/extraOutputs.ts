import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Edit, EditResult } from '../../api/contract';
import type { TranscriptOptions } from '../../formats/transcript';
import { extensionOf, safeFileName } from '../shared/fileNames';
import { addHint } from '../shared/hints';
import { isToolUse } from '../shared/toolUse';
import {
	EXTRA_KINDS,
	type ExtraFile,
	type ExtraKind,
	extraContext,
	hasMaterialFor,
} from './extraKinds';
import { readKinds } from './readKinds';

const ALSO_RETURN_FIELD = {
	name: 'alsoReturn',
	label: 'Also Return',
	kinds: EXTRA_KINDS.map(({ name }) => name),
};

/** What the extra outputs add to an item. */
export interface ExtraOutputs {
	readonly json: IDataObject;
	readonly binary: IBinaryKeyData;
	/** The option under 'Also Return' that each field of `binary` is made for. */
	readonly kinds: Readonly<Record<string, string>>;
}

/** What the outputs of one item are made for. */
interface ExtraTask {
	readonly editId: string;
	readonly itemIndex: number;
	/** The output field of the edited file, which the fields of these files are named after. */
	readonly field: string;
	/** Whether the texts become files whatever 'Return As' says. */
	readonly isOnlyFiles: boolean;
}

interface TranscriptFields {
	readonly transcriptSpeakers?: unknown;
	readonly transcriptTimes?: unknown;
}

/** What the person asked for under 'Also Return'. */
export function readExtraKinds(context: IExecuteFunctions, itemIndex: number): ExtraKind[] {
	const names = readKinds(context, itemIndex, ALSO_RETURN_FIELD);
	return EXTRA_KINDS.filter(({ name }) => names.includes(name));
}

/**
 * Makes what the person asked for under 'Also Return' of a result. What the result has no material for
 * is left out, and a hint says which configuration key brings it. What cannot be made is left out with a
 * hint as well: the result is paid for, and its files are downloaded by now.
 */
export async function extraOutputs(
	context: IExecuteFunctions,
	{ result }: Edit,
	kinds: readonly ExtraKind[],
	{ editId, itemIndex, field, isOnlyFiles }: ExtraTask,
): Promise<ExtraOutputs> {
	if (kinds.length === 0) return { json: {}, binary: {}, kinds: {} };
	const { made, missing, unmade } = makeKinds(kinds, result, readOptions(context, itemIndex));
	sayWhatIsMissing(context, missing, result, editId);
	sayWhatCouldNotBeMade(context, unmade, editId);
	const returnsFiles =
		isOnlyFiles || context.getNodeParameter('returnAs', itemIndex, 'json') === 'files';
	if (!returnsFiles || isToolUse(context)) {
		const formats = Object.fromEntries(made.map(({ kind, value }) => [kind.name, value]));
		return { json: { formats }, binary: {}, kinds: {} };
	}
	return {
		json: {},
		...(await storeFiles(context, made, field, baseNameOf(result?.filename, editId))),
	};
}

async function storeFiles(
	context: IExecuteFunctions,
	made: readonly Made[],
	field: string,
	baseName: string,
): Promise<Pick<ExtraOutputs, 'binary' | 'kinds'>> {
	const binary: IBinaryKeyData = {};
	const kinds: Record<string, string> = {};
	for (const { kind, files } of made) {
		for (const { suffix, text, mimeType } of files) {
			const name = suffix.startsWith('.') ? `${baseName}${suffix}` : `${baseName}-${suffix}`;
			const key = `${field}_${fieldSuffix(suffix)}`;
			binary[key] = await context.helpers.prepareBinaryData(Buffer.from(text), name, mimeType);
			kinds[key] = kind.name;
		}
	}
	return { binary, kinds };
}

interface Made {
	readonly kind: ExtraKind;
	readonly value: IDataObject | string;
	readonly files: readonly ExtraFile[];
}

/** A kind whose making broke off, and why. */
interface Unmade {
	readonly kind: ExtraKind;
	readonly reason: string;
}

function makeKinds(
	kinds: readonly ExtraKind[],
	result: EditResult | undefined,
	options: TranscriptOptions,
): { made: Made[]; missing: ExtraKind[]; unmade: Unmade[] } {
	const context = extraContext(result, options);
	const made: Made[] = [];
	const missing: ExtraKind[] = [];
	const unmade: Unmade[] = [];
	for (const kind of kinds) {
		try {
			const output = kind.make(result, context);
			if (output === undefined) missing.push(kind);
			else made.push({ kind, ...output });
		} catch (error) {
			unmade.push({ kind, reason: error instanceof Error ? error.message : String(error) });
		}
	}
	return { made, missing, unmade };
}

function readOptions(context: IExecuteFunctions, itemIndex: number): TranscriptOptions {
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
		addHint(context, `${what}, since ${why}`, `edit ${editId}`);
	}
}

/** One hint for each reason. */
function sayWhatCouldNotBeMade(
	context: IExecuteFunctions,
	unmade: readonly Unmade[],
	editId: string,
): void {
	for (const reason of new Set(unmade.map((one) => one.reason))) {
		const kinds = unmade.filter((one) => one.reason === reason);
		const titles = kinds.map(({ kind }) => kind.title).join(', ');
		addHint(
			context,
			`${titles} left out, since they could not be made of what the service gave: ${reason}. Everything else of the result is here; switch Simplify off to get the raw material.`,
			`edit ${editId}`,
		);
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
