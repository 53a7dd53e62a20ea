import { operationError } from '../../shared/errors/errors';
import { DELIVERS_TO, deliveriesHere } from './deliveries';
import { givenOrInherited, jsonOf } from '../../shared/form/parameters';
import { readText } from '../../shared/form/texts';
import type { WhileWaiting } from '../fields';
import type { NodeRun } from '../../shared/run/nodeRun';

/** What the execution does while it waits, once 'Automatic' is decided. */
export type WaitMode = Exclude<WhileWaiting, 'automatic'>;

/**
 * What the execution does while it waits. 'Automatic' parks if an item's edit is delivered to this
 * execution. A tool keeps running, because its agent waits for the output.
 */
export function readMode(run: NodeRun): WaitMode {
	if (run.isTool) return 'keepRunning';
	const chosen = run.parameter('whileWaiting', 0) as WhileWaiting;
	if (chosen !== 'automatic') return chosen;
	return firstDelivered(run) === undefined ? 'keepRunning' : 'park';
}

/** Refuses to park for an edit that is not delivered here: the wait would never succeed. */
export function refuseParkWithoutDelivery(run: NodeRun): void {
	if (firstDelivered(run) !== undefined) return;
	const elsewhere = readText(jsonOf(run, 0)[DELIVERS_TO]);
	const where = elsewhere === '' ? '' : ` The service will deliver it to execution ${elsewhere}.`;
	const what = 'will not be delivered to this execution';
	const advice = `'Park Until Delivered' would wait until time is up, and no file would arrive.${where} Set 'While Waiting' to 'Automatic' to wait for it here. To have the file delivered, switch 'Deliver to This Workflow' on in Create Edit, and let both nodes run in one execution.`;
	throw refusal(run, 0, what, advice);
}

/** Refuses to keep running for an edit that is delivered here: only a parked execution can take it. */
export function refuseToKeepRunning(run: NodeRun): void {
	if (run.isTool) return;
	const itemIndex = firstDelivered(run);
	if (itemIndex === undefined) return;
	const what = 'will be delivered to this execution, which can receive it only while it is parked';
	const advice =
		"Set 'While Waiting' to 'Automatic' or 'Park Until Delivered', and run the workflow again. This edit is charged, and ends with FAILURE if no execution receives its file.";
	throw refusal(run, itemIndex, what, advice);
}

/** The index of the first item whose edit has yet to be delivered to this execution. */
function firstDelivered(run: NodeRun): number | undefined {
	const editIds = deliveriesHere(run);
	if (editIds.size === 0) return undefined;
	const isDue = (_item: unknown, itemIndex: number) =>
		!jsonOf(run, itemIndex).delivered && editIds.has(knownId(run, itemIndex));
	const index = run.items.findIndex(isDue);
	return index < 0 ? undefined : index;
}

/** An item's edit ID; empty if it cannot be read, which the wait reports later. */
function knownId(run: NodeRun, itemIndex: number): string {
	try {
		return readText(givenOrInherited(run, itemIndex, 'editId', 'editId')).trim();
	} catch {
		return '';
	}
}

function refusal(run: NodeRun, itemIndex: number, what: string, description: string) {
	const editId = knownId(run, itemIndex) || '(no ID)';
	const message = `Edit ${editId} ${what} [item ${itemIndex}]`;
	return operationError(run.node, message, { itemIndex, description });
}
