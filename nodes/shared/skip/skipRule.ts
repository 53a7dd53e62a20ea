import { hasMemory } from './alreadyEdited';
import { hashOf } from './identity';
import { fieldError } from '../form/parameters';
import type { IfUncertain, SkipWay } from './skipFields';
import { readText } from '../form/texts';
import type { NodeRun } from '../run/nodeRun';

/** How recordings are recognised, and what happens to one whose earlier submission is uncertain. */
export interface SkipChoice {
	readonly way: SkipWay;
	readonly ifUncertain: IfUncertain;
}

/** The choice for one recording. */
export interface SkipRule extends SkipChoice {
	/** A hash of what identifies the recording: names and URLs must not be stored. */
	readonly key: string;
}

/** A file as people recognise it. */
export interface NamedFile {
	readonly fileName: string;
	/** In bytes. */
	readonly sizeBytes: number;
}

/** The choice in the form; undefined if it is off. @throws NodeOperationError if this n8n has no memory */
export function readSkipChoice(run: NodeRun, itemIndex: number): SkipChoice | undefined {
	const way = run.option('skipEdited', itemIndex, '') as SkipWay | '';
	if (way === '') return undefined;
	const ifUncertain = run.option('ifUncertain', itemIndex, 'fail') as IfUncertain;
	if (hasMemory(run.context)) return { way, ifUncertain };
	const message =
		"'Skip Recordings Already Edited' needs a newer n8n: this one cannot remember recordings";
	const advice = 'Update n8n, or remove the option.';
	throw fieldError(run, itemIndex, message, advice);
}

/**
 * The rule for one recording.
 *
 * @param identity what identifies each of its tracks; their order does not make another recording
 */
export function skipRuleFor(choice: SkipChoice, identity: readonly string[]): SkipRule {
	return { ...choice, key: hashOf([choice.way, ...[...identity].sort()]) };
}

/** What identifies files by name and size. */
export function namesAndSizes(files: readonly NamedFile[]): string[] {
	return files.map(({ fileName, sizeBytes }) => JSON.stringify([fileName, sizeBytes]));
}

/** The user's value. @throws NodeOperationError if it is empty: all recordings would be the same */
export function readSkipValue(run: NodeRun, itemIndex: number): string {
	const value = readText(run.option('skipValue', itemIndex, '')).trim();
	if (value !== '') return value;
	const message = "'Value of the Recording' is empty";
	const advice =
		"Enter an expression for a text or a number that is different for each recording, such as {{ $json.id }}, or choose another way in 'Skip Recordings Already Edited'.";
	throw fieldError(run, itemIndex, message, advice);
}
