import type { INode } from 'n8n-workflow';

import type { FileBody } from '../../../api/fileBody';
import { hashOf, sha256Of, unsigned } from '../ledger/identity';
import { canRemember, hasMemory } from './memory/nodeMemory';
import type { RecordingKey } from '../ledger/submissionLedger';
import { fieldError } from '../form/fieldError';
import type { AfterFailure, IfUncertain, SkipWay } from './fields';
import { optionsIn } from '../form/optionGroups';
import type { Form } from '../form/values';
import { readText } from '../texts';
import type { NodeRun } from '../run/nodeRun';

/** How recordings are recognized, and what happens to one whose earlier submission is uncertain. */
export interface SkipChoice {
	readonly way: SkipWay;
	readonly ifUncertain: IfUncertain;
	readonly afterFailure: AfterFailure;
	/** The user's value, where that is the way. */
	readonly value?: string;
	/** If only a part of the recording is edited: how many minutes. */
	readonly previewMinutes?: number;
}

/** The choice for one recording, with hashes of what identifies it and of what is asked for it. */
export interface SkipRule extends SkipChoice, RecordingKey {}

/** A file as people recognize it. */
export interface NamedFile {
	/** The name that it is sent under, unless it has another one of its own. */
	readonly fileName: string;
	/** Its own name, by which it is recognized: the same file may be sent under the name of the day. */
	readonly sourceFileName?: string;
	/** In bytes. */
	readonly sizeBytes: number;
	/** Of the content, in hexadecimal digits, where it is known. */
	readonly sha256?: string;
	/** Opens the content, where it is here. */
	open?(): Promise<FileBody['content']>;
}

/**
 * The choice in the form; undefined if it is off.
 *
 * @throws NodeOperationError if this n8n has no memory, the workflow was never saved, or the user's value is empty
 */
export function readSkipChoice(run: NodeRun, { itemIndex, options }: Form): SkipChoice | undefined {
	const { skipEdited: way, ifUncertain = 'fail', afterFailure = 'once', skipValue } = options;
	if (way === undefined) return undefined;
	if (!hasMemory(run.context)) {
		const message =
			"'Skip Recordings Already Edited' needs a newer n8n: this one cannot remember recordings";
		throw fieldError(run, itemIndex, message, 'Update n8n, or remove the option.');
	}
	if (!canRemember(run.context)) {
		const message =
			"'Skip Recordings Already Edited' needs a saved workflow: n8n remembers nothing of this one";
		throw fieldError(run, itemIndex, message, 'Save the workflow, or remove the option.');
	}
	const value = way === 'value' ? readSkipValue(run, itemIndex, skipValue) : undefined;
	return { way, ifUncertain, afterFailure, ...(value !== undefined && { value }) };
}

const LABELS: Readonly<Record<Exclude<SkipWay, 'value'>, string>> = {
	content: 'By Content',
	nameAndSize: 'By File Name and Size',
	url: 'By URL',
};

/** What a recording from each source can be recognized by, besides the user's value. */
const WAYS = { url: ['url'], file: ['nameAndSize', 'content'] } as const;

/**
 * Reads how the recording of an item is recognized; undefined if that is off.
 *
 * @throws NodeOperationError for a way that the source does not have, and for an empty value
 */
export function readRecognizedBy(
	run: NodeRun,
	form: Form,
	source: keyof typeof WAYS,
): SkipChoice | undefined {
	const choice = readSkipChoice(run, form);
	if (choice === undefined || choice.way === 'value') return choice;
	const ways: readonly SkipWay[] = WAYS[source];
	if (ways.includes(choice.way)) return choice;
	const message = `'Skip Recordings Already Edited' is set to '${LABELS[choice.way]}', and the recording is a ${source === 'url' ? 'URL' : 'file'}`;
	const labels = [...WAYS[source].map((way) => LABELS[way]), 'By Your Own Value'];
	const advice = `Choose ${labels.map((label) => `'${label}'`).join(' or ')}.`;
	throw fieldError(run, form.itemIndex, message, advice);
}

/** Whether a node skips recordings: the same for all items, since the option takes no expression. */
export function skipsEdited({ parameters }: INode): boolean {
	const { skipEdited = '' } = optionsIn(parameters);
	return skipEdited !== '';
}

/** What identifies a recording: the files or the URLs of its tracks. */
export interface Identity {
	readonly files?: readonly NamedFile[];
	readonly urls?: readonly string[];
}

/**
 * The rule for one recording. The order of its tracks does not make another recording. A preview counts as another one,
 * and so does one with other settings, since it is made to compare them. Reads the files where their content counts.
 *
 * @param request what is asked for the recording, without what changes each time
 */
export async function skipRuleFor(
	choice: SkipChoice,
	identity: Identity,
	request: object,
): Promise<SkipRule> {
	const identities = await identitiesOf(choice, identity);
	const asked = hashOf(request);
	const { way, previewMinutes } = choice;
	const preview = previewMinutes === undefined ? [] : [['preview', previewMinutes, asked]];
	const key = hashOf([way, ...identities.sort(), ...preview]);
	return { ...choice, key, request: asked };
}

async function identitiesOf(
	{ way, value = '' }: SkipChoice,
	{ files = [], urls = [] }: Identity,
): Promise<string[]> {
	switch (way) {
		case 'nameAndSize':
			return files.map(nameAndSizeOf);
		case 'content': {
			const hashes: string[] = [];
			for (const file of files) hashes.push(await contentOf(file));
			return hashes;
		}
		case 'url':
			return urls.map(unsigned);
		case 'value':
			return [value];
	}
}

async function contentOf({ sha256, open }: NamedFile): Promise<string> {
	return sha256 ?? (open === undefined ? '' : await sha256Of(await open()));
}

/** The name in Unicode's composed form: a Mac and a server may write the same umlaut in two ways. */
function nameAndSizeOf({ fileName, sourceFileName = fileName, sizeBytes }: NamedFile): string {
	return JSON.stringify([sourceFileName.normalize('NFC'), sizeBytes]);
}

/** The user's value. @throws NodeOperationError if it is empty: all recordings would be the same */
function readSkipValue(run: NodeRun, itemIndex: number, given: unknown): string {
	const value = readText(given).trim();
	if (value !== '') return value;
	const message = "'Your Own Value' is empty";
	const advice =
		"Enter an expression for a text or a number that is different for each recording, such as {{ $json.id }}, or choose another way in 'Skip Recordings Already Edited'.";
	throw fieldError(run, itemIndex, message, advice);
}
