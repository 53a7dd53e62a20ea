import type { IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { operationError } from '../shared/errors';
import { DELIVERS_TO, deliveriesHere } from '../shared/deliveries';
import { givenOrInherited, jsonOf } from '../shared/parameters';
import { readText } from '../shared/texts';
import { isToolUse } from '../shared/toolUse';
import type { WhileWaiting } from './fields';

/** What the execution does while it waits, once 'Automatic' is decided. */
export type WaitMode = Exclude<WhileWaiting, 'automatic'>;

/**
 * What the execution does while it waits. 'Automatic' parks if an item's edit is delivered to this
 * execution. A tool keeps running, because its agent waits for the output.
 */
export function readMode(context: IExecuteFunctions): WaitMode {
	if (isToolUse(context)) return 'keepRunning';
	const chosen = context.getNodeParameter('whileWaiting', 0) as WhileWaiting;
	if (chosen !== 'automatic') return chosen;
	return firstDelivered(context) === undefined ? 'keepRunning' : 'park';
}

/** Refuses to park for an edit that is not delivered here: the wait would never succeed. */
export function refuseParkWithoutDelivery(context: IExecuteFunctions): void {
	if (firstDelivered(context) !== undefined) return;
	const elsewhere = readText(jsonOf(context, 0)[DELIVERS_TO]);
	const where = elsewhere === '' ? '' : ` The service will deliver it to execution ${elsewhere}.`;
	throw refusal(
		context,
		0,
		'will not be delivered to this execution',
		`'Park Until Delivered' would wait until the time is up, and no file would arrive.${where} Set 'While Waiting' to 'Automatic' to wait for it here. To have the file delivered, switch 'Deliver to This Workflow' on in Create Edit, and let both nodes run in one execution.`,
	);
}

/** Refuses to keep running for an edit that is delivered here: only a parked execution can take it. */
export function refuseToKeepRunning(context: IExecuteFunctions): void {
	if (isToolUse(context)) return;
	const itemIndex = firstDelivered(context);
	if (itemIndex === undefined) return;
	throw refusal(
		context,
		itemIndex,
		'will be delivered to this execution, which can receive it only while it is parked',
		"Set 'While Waiting' to 'Automatic' or 'Park Until Delivered', and run the workflow again. This edit is charged, and ends with FAILURE if no execution receives its file.",
	);
}

/** The index of the first item whose edit has yet to be delivered to this execution. */
function firstDelivered(context: IExecuteFunctions): number | undefined {
	const editIds = deliveriesHere(context);
	if (editIds.size === 0) return undefined;
	const isDue = (_item: unknown, itemIndex: number) =>
		!jsonOf(context, itemIndex).delivered && editIds.has(knownId(context, itemIndex));
	const index = context.getInputData().findIndex(isDue);
	return index < 0 ? undefined : index;
}

/** An item's edit ID; empty if it cannot be read, which the wait reports later. */
function knownId(context: IExecuteFunctions, itemIndex: number): string {
	try {
		return readText(givenOrInherited(context, itemIndex, 'editId', 'editId')).trim();
	} catch {
		return '';
	}
}

function refusal(
	context: IExecuteFunctions,
	itemIndex: number,
	what: string,
	description: string,
): NodeOperationError {
	const editId = knownId(context, itemIndex) || '(no ID)';
	const message = `Edit ${editId} ${what} [item ${itemIndex}]`;
	return operationError(context.getNode(), message, { itemIndex, description });
}
