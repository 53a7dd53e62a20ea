import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { sanitizeText, withoutSecrets } from '../../api/sanitizeText';
import { readText } from './parameters';

/*
 * Which edits the service is to deliver to which execution. It stands in the context that n8n keeps
 * with an execution: fields of items get lost on the way, and an edit that nobody takes is charged and
 * ends in FAILURE. Each entry has the execution's ID, since a retried execution inherits the context.
 */

/** The text field of the item that says to which execution its edit is to be delivered. */
export const DELIVERS_TO = 'deliversTo';

function deliveriesOf(context: IExecuteFunctions): Record<string, unknown> {
	return recordOf(context, 'audioEditingDeliveries');
}

function recordOf(context: IExecuteFunctions, key: string): Record<string, unknown> {
	const flow: IDataObject = context.getContext('flow');
	flow[key] ??= {};
	return flow[key] as Record<string, unknown>;
}

/** Notes that the service is to deliver an edit to this execution. */
export function noteDelivery(context: IExecuteFunctions, editId: string): void {
	deliveriesOf(context)[editId] = context.getExecutionId();
}

/** Notes that this node parks the execution for the delivery of an edit. */
export function notePark(context: IExecuteFunctions, editId: string): void {
	recordOf(context, 'audioEditingParks')[editId] = context.getNode().name;
}

/** The IDs of the edits that the service is still to deliver to this very execution. */
export function deliveriesHere(context: IExecuteFunctions): ReadonlySet<string> {
	const executionId = context.getExecutionId();
	const isHere = ([editId, to]: [string, unknown]) =>
		to === executionId && !hasCome(context, editId);
	return new Set(
		Object.entries(deliveriesOf(context))
			.filter(isHere)
			.map(([editId]) => editId),
	);
}

/** Whether a node that parked for an edit has taken its file: a node on another branch cannot see that. */
function hasCome(context: IExecuteFunctions, editId: string): boolean {
	const parkedBy = readText(recordOf(context, 'audioEditingParks')[editId]);
	if (parkedBy === '') return false;
	try {
		const proxy = context.getWorkflowDataProxy(0) as {
			$: (name: string) => { last: () => { json: IDataObject } };
		};
		const { json } = proxy.$(parkedBy).last();
		return json.editId === editId && json.delivered === true;
	} catch {
		// The node has not gone on yet, or its time was up with nothing to show.
		return false;
	}
}

/** What to do about the FAILURE of an edit that was to be delivered; undefined for any other edit. */
export function failedDeliveryAdvice({ json = {} }: { json?: IDataObject }): string | undefined {
	const { config } = json;
	const target = readText((config as IDataObject | undefined)?.signed_url);
	const execution = readText(json[DELIVERS_TO]);
	if (execution !== '') return failedHere(execution);
	// Any item may come in here, also one that has the whole signed URL.
	return target === '' ? undefined : failedAtStorage(sanitizeText(withoutSecrets(target)));
}

function failedHere(execution: string): string {
	return `The service gives no reason. It was to deliver the file to execution ${execution} of n8n. It may not reach n8n at the address in WEBHOOK_URL, or a Wait For Edit had not parked that execution, or had parked it for too short a time. Create a new edit with 'Deliver to This Workflow' off, and Get Result downloads its file.`;
}

function failedAtStorage(target: string): string {
	return `The service gives no reason. It was to deliver the file to ${target}. That signed URL may have expired, or does not take a PUT. Create a new edit with a fresh signed URL, or without one to let Get Result download the file.`;
}
