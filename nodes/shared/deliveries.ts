import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { sanitizeText, withoutSecrets } from '../../api/sanitizeText';
import { readText } from './texts';

/*
 * Which edits the service delivers to which execution. We keep this in the context that n8n stores with
 * an execution: item fields get lost on the way, and an edit whose file nobody takes is charged and ends
 * in FAILURE. Each entry has the execution's ID, because a retried execution inherits the context.
 */

/** The field of the item with the ID of the execution that its edit is delivered to. */
export const DELIVERS_TO = 'deliversTo';

const DELIVERIES = 'audioEditingDeliveries';
const PARKS = 'audioEditingParks';

function recordOf(context: IExecuteFunctions, key: string): Record<string, unknown> {
	const flow: IDataObject = context.getContext('flow');
	flow[key] ??= {};
	return flow[key] as Record<string, unknown>;
}

/** Notes that the service delivers an edit to this execution. */
export function noteDelivery(context: IExecuteFunctions, editId: string): void {
	recordOf(context, DELIVERIES)[editId] = context.getExecutionId();
}

/** Notes that this node parks the execution until an edit is delivered. */
export function notePark(context: IExecuteFunctions, editId: string): void {
	recordOf(context, PARKS)[editId] = context.getNode().name;
}

/** The IDs of the edits that the service has yet to deliver to this execution. */
export function deliveriesHere(context: IExecuteFunctions): ReadonlySet<string> {
	const executionId = context.getExecutionId();
	const deliveries = recordOf(context, DELIVERIES);
	const isOpen = (id: string) => deliveries[id] === executionId && !wasDelivered(context, id);
	return new Set(Object.keys(deliveries).filter(isOpen));
}

/** Whether the node that parked for an edit has taken its file. Items of other branches do not show it. */
function wasDelivered(context: IExecuteFunctions, editId: string): boolean {
	const parkedBy = readText(recordOf(context, PARKS)[editId]);
	if (parkedBy === '') return false;
	try {
		const proxy = context.getWorkflowDataProxy(0) as {
			$: (name: string) => { last: () => { json: IDataObject } };
		};
		const { json } = proxy.$(parkedBy).last();
		return json.editId === editId && json.delivered === true;
	} catch {
		// The node is still parked, or its time was up without an output.
		return false;
	}
}

/** What to do if an edit with a delivery ends in FAILURE; undefined for any other edit. */
export function failedDeliveryAdvice({ json = {} }: { json?: IDataObject }): string | undefined {
	const execution = readText(json[DELIVERS_TO]);
	if (execution !== '') {
		return `The service was asked to deliver the file to execution ${execution} of n8n. Perhaps it could not reach n8n at the address in WEBHOOK_URL, no Wait For Edit had parked that execution, or its maximum wait was over. Create a new edit with 'Deliver to This Workflow' off, and download its file with Get Result.`;
	}
	const signedUrl = readText((json.config as IDataObject | undefined)?.signed_url);
	if (signedUrl === '') return undefined;
	// The item may come from another node, with the signature still in the URL.
	const target = sanitizeText(withoutSecrets(signedUrl));
	return `The service was asked to deliver the file to ${target}. That signed URL may have expired, or may not accept a PUT. Create a new edit with a fresh signed URL, or without one to let Get Result download the file.`;
}
