import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { messageOf } from '../../../api/failure';
import { sanitizeText } from '../../../api/sanitizeText';
import { type Remembered, begin, confirm, forget } from './alreadyEdited';
import { operationError, toNodeError } from '../errors/errors';
import { say } from '../run/progress';
import type { SkipRule } from './skipRule';
import type { NodeRun } from '../run/nodeRun';

const RECOGNISED: Readonly<Record<SkipRule['way'], string>> = {
	nameAndSize: 'the file name and size',
	url: 'the URL',
	value: 'your value',
};

/**
 * Whether a recording is skipped, because this node submitted it before. Otherwise its submission begins:
 * call {@link rememberEdited} or {@link forgetEdited} when it is certain what became of it.
 *
 * @throws NodeOperationError if an earlier submission is uncertain, or n8n cannot look it up
 */
export async function isSkipped(run: NodeRun, itemIndex: number, rule: SkipRule): Promise<boolean> {
	const remembered = await lookUp(run, itemIndex, rule);
	if (remembered === 'new') return false;
	if (remembered === 'edited') return true;
	if (rule.ifUncertain === 'fail') throw uncertainRecording(run, itemIndex);
	if (rule.ifUncertain === 'submit') return false;
	await rememberEdited(run, rule);
	return true;
}

/** Remembers a recording whose edit the service has accepted. Never throws: the edit ID matters more. */
export async function rememberEdited(run: NodeRun, { key }: Pick<SkipRule, 'key'>): Promise<void> {
	const message =
		'n8n could not store that this recording was submitted. The next execution will treat it as uncertain and not submit it.';
	await hintUnlessStored(run, confirm(run.context, key), message);
}

/** Forgets a recording whose edit was refused, or ended with FAILURE. Never throws: that failure matters more. */
export async function forgetEdited(run: NodeRun, { key }: Pick<SkipRule, 'key'>): Promise<void> {
	const message =
		"n8n could not store that this recording has no edit. To submit it in the next execution, set 'If Uncertain' to 'Submit Again'.";
	await hintUnlessStored(run, forget(run.context, key), message);
}

/**
 * The item of a skipped recording.
 *
 * @param about what is known of the recording
 */
export function skippedItem(
	{ way }: SkipRule,
	about: IDataObject,
	files: Pick<INodeExecutionData, 'binary'>,
): INodeExecutionData {
	const skipReason = `This node has submitted this recording before: it recognised ${RECOGNISED[way]}. n8n does not keep the edit ID: look for it among the recent edits on the service, or in n8n's log.`;
	return { json: { skipped: true, skipReason, ...about }, ...files };
}

/**
 * Looks up a recording in the node's memory, and remembers that its submission begins.
 *
 * @throws NodeOperationError if n8n cannot look it up, or the execution is stopped meanwhile
 */
export async function lookUp(
	run: NodeRun,
	itemIndex: number,
	{ key }: Pick<SkipRule, 'key'>,
): Promise<Remembered> {
	try {
		return await begin(run.context, key);
	} catch (error) {
		const doing = 'look up whether the recording was submitted before';
		if (run.context.getExecutionCancelSignal()?.aborted) {
			const failure = { kind: 'stopped', request: 'POST /v2/edits' } as const;
			throw toNodeError(run.node, failure, { itemIndex, doing });
		}
		const message = `Could not ${doing} [item ${itemIndex}]`;
		const description =
			"Nothing was sent. n8n's database did not respond as expected: run the workflow again. If that does not help, look at n8n's log.";
		throw operationError(run.node, message, { itemIndex, description }, [
			sanitizeText(messageOf(error)),
		]);
	}
}

async function hintUnlessStored(run: NodeRun, stored: Promise<void>, message: string) {
	try {
		await stored;
	} catch (error) {
		say(run, `${message} (${sanitizeText(messageOf(error))})`);
		run.hints.add(message);
	}
}

function uncertainRecording(run: NodeRun, itemIndex: number): Error {
	const message = `The recording was not submitted: it may have been submitted before, in an execution that was interrupted or is still running [item ${itemIndex}]`;
	const description = run.isTool
		? 'A second edit would be charged, too. Ask the person to look at the recent edits on the service.'
		: "A second edit would be charged, too. Look at your recent edits on the service. Then run the workflow once with 'If Uncertain' set to 'Skip' if the edit is there, and to 'Submit Again' if it is not.";
	return operationError(run.node, message, { itemIndex, description });
}
