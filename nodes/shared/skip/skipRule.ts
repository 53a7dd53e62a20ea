import { hasMemory } from './alreadyEdited';
import { hashOf, unsigned } from './identity';
import { fieldError } from '../form/parameters';
import type { IfUncertain, SkipWay } from './skipFields';
import { readText } from '../form/texts';
import type { NodeRun } from '../run/nodeRun';

/** How recordings are recognised, and what happens to one whose earlier submission is uncertain. */
export interface SkipChoice {
	readonly way: SkipWay;
	readonly ifUncertain: IfUncertain;
	/** The user's value, where that is the way. */
	readonly value?: string;
}

/** The choice for one recording. */
export interface SkipRule extends SkipChoice {
	/** A hash of what identifies the recording: names and URLs must not be stored. */
	readonly key: string;
}

/** A file as people recognise it. */
export interface NamedFile {
	/** The name that it is sent under, unless it has another one of its own. */
	readonly fileName: string;
	/** Its own name, by which it is recognised: the same file may be sent under the name of the day. */
	readonly sourceFileName?: string;
	/** In bytes. */
	readonly sizeBytes: number;
}

/**
 * The choice in the form; undefined if it is off.
 *
 * @throws NodeOperationError if this n8n has no memory, or the user's value is empty
 */
export function readSkipChoice(run: NodeRun, itemIndex: number): SkipChoice | undefined {
	const way = run.option('skipEdited', itemIndex, '') as SkipWay | '';
	if (way === '') return undefined;
	const ifUncertain = run.option('ifUncertain', itemIndex, 'fail') as IfUncertain;
	if (hasMemory(run.context)) {
		return { way, ifUncertain, ...(way === 'value' && { value: readSkipValue(run, itemIndex) }) };
	}
	const message =
		"'Skip Recordings Already Edited' needs a newer n8n: this one cannot remember recordings";
	const advice = 'Update n8n, or remove the option.';
	throw fieldError(run, itemIndex, message, advice);
}

/** What identifies a recording: the files or the URLs of its tracks. */
export interface Identity {
	readonly files?: readonly NamedFile[];
	readonly urls?: readonly string[];
}

/** The rule for one recording. The order of its tracks does not make another recording. */
export function skipRuleFor(choice: SkipChoice, { files = [], urls = [] }: Identity): SkipRule {
	const identities = {
		nameAndSize: files.map(nameAndSizeOf),
		url: urls.map(unsigned),
		value: [choice.value ?? ''],
	};
	return { ...choice, key: hashOf([choice.way, ...identities[choice.way].sort()]) };
}

/** The name in Unicode's composed form: a Mac and a server may write the same umlaut in two ways. */
function nameAndSizeOf({ fileName, sourceFileName = fileName, sizeBytes }: NamedFile): string {
	return JSON.stringify([sourceFileName.normalize('NFC'), sizeBytes]);
}

/** The user's value. @throws NodeOperationError if it is empty: all recordings would be the same */
function readSkipValue(run: NodeRun, itemIndex: number): string {
	const value = readText(run.option('skipValue', itemIndex, '')).trim();
	if (value !== '') return value;
	const message = "'Your Own Value' is empty";
	const advice =
		"Enter an expression for a text or a number that is different for each recording, such as {{ $json.id }}, or choose another way in 'Skip Recordings Already Edited'.";
	throw fieldError(run, itemIndex, message, advice);
}
