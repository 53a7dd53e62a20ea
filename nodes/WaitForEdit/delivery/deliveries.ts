import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { sanitizeText, withoutSecrets } from '../../../api/sanitizeText';
import type { FailedEditFacts } from '../../shared/errors/failureTexts';
import { hashOf } from '../../shared/skip/identity';
import { uploadedFiles } from '../../shared/skip/readSkipRule';
import { readText } from '../../shared/form/texts';
import type { NodeRun } from '../../shared/run/nodeRun';
import { recordIn } from '../../shared/run/submissionLedger';

/*
 * Which edits the service delivers to which execution. We keep this in the context that n8n stores with
 * an execution: item fields get lost on the way, and an edit whose file nobody takes is charged and ends
 * in FAILURE. Each entry has the execution's ID, because a retried execution inherits the context.
 */

/** The field of the item with the ID of the execution that its edit is delivered to. */
export const DELIVERS_TO = 'deliversTo';

/**
 * The query parameter that holds the key of a delivery. All edits of an execution have the address of the
 * execution, and a file may come late or twice: the key says which edit it is of. It is a secret, like
 * n8n's signature, so we keep only its hash.
 */
const KEY_PARAMETER = 'delivery';

const DELIVERIES = 'audioEditingDeliveries';
const PARKS = 'audioEditingParks';

/** In the context of a node that parks: the hash of the key of the file that it waits for. */
const AWAITED = 'awaitedDelivery';

/** An execution that takes the file of an edit. */
export interface Delivery {
	readonly executionId: string;
	/** The address of the execution, with n8n's signature if n8n signs it, and with the key. */
	readonly signedUrl: string;
	/** The names of the nodes that can take the file. */
	readonly receivers: readonly string[];
}

/** What the context holds of a delivery. */
interface NotedDelivery {
	readonly executionId: string;
	readonly keyHash: string;
	/** How often each node that can take the file had run when the edit was created. */
	readonly runs: Readonly<Record<string, number>>;
}

function deliveriesOf({ context }: NodeRun): Record<string, NotedDelivery | undefined> {
	return recordIn(context.getContext('flow'), DELIVERIES);
}

/** The names of the nodes that have parked, by the edit that each has parked for. */
function parksOf({ context }: NodeRun): Record<string, string | undefined> {
	return recordIn(context.getContext('flow'), PARKS);
}

/** The address of an execution with the key of a delivery. */
export function withDeliveryKey(resumeUrl: string, key: string): string {
	const url = new URL(resumeUrl);
	url.searchParams.set(KEY_PARAMETER, key);
	return url.toString();
}

/** Notes that the service delivers an edit to this execution. */
export function noteDelivery(
	run: NodeRun,
	editId: string,
	{ executionId, signedUrl, receivers }: Delivery,
): void {
	const keyHash = hashOf({ key: new URL(signedUrl).searchParams.get(KEY_PARAMETER) });
	const runs = Object.fromEntries(receivers.map((name) => [name, runsOf(run, name)]));
	deliveriesOf(run)[editId] = { executionId, keyHash, runs };
}

/** Notes that this node parks the execution until an edit is delivered. */
export function notePark(run: NodeRun, editId: string): void {
	parksOf(run)[editId] = run.node.name;
	const own: IDataObject = run.context.getContext('node');
	own[AWAITED] = deliveriesOf(run)[editId]?.keyHash;
}

/** Whether a request has the key of the delivery that the node has parked for. */
export function isAwaited(context: IWebhookFunctions): boolean {
	// The context of a webhook has no getContext. Braces in a name would end the expression.
	const name = JSON.stringify(context.getNode().name).replaceAll('}', '\\u007d');
	const awaited = context.evaluateExpression(`{{ $node[${name}].context.${AWAITED} }}`);
	const { [KEY_PARAMETER]: key } = context.getQueryData() as IDataObject;
	return typeof key === 'string' && hashOf({ key }) === awaited;
}

/** The IDs of the edits that the service has yet to deliver to this execution. */
export function deliveriesHere(run: NodeRun): ReadonlySet<string> {
	const executionId = run.context.getExecutionId();
	const deliveries = deliveriesOf(run);
	const isOpen = (id: string) =>
		deliveries[id]?.executionId === executionId && !wasDelivered(run, id);
	return new Set(Object.keys(deliveries).filter(isOpen));
}

/** The ID of an edit that is to be delivered to this execution and has not been waited for; if there is one. */
export function deliveryUnderWay(run: NodeRun): string | undefined {
	const deliveries = deliveriesOf(run);
	return [...deliveriesHere(run)].find((id) =>
		// Nothing else runs while a node is parked: if it has run since, its wait has ended.
		Object.entries(deliveries[id]?.runs ?? {}).every(([name, runs]) => runsOf(run, name) === runs),
	);
}

/** How often a node has run in this execution. */
function runsOf(run: NodeRun, nodeName: string): number {
	const { $node } = run.context.getWorkflowDataProxy(0) as {
		$node: Record<string, { runIndex: number }>;
	};
	return $node[nodeName].runIndex + 1;
}

/** Whether the node that parked for an edit has taken its file. Items of other branches do not show it. */
function wasDelivered(run: NodeRun, editId: string): boolean {
	const parkedBy = parksOf(run)[editId];
	if (parkedBy === undefined) return false;
	try {
		const proxy = run.context.getWorkflowDataProxy(0) as {
			$: (name: string) => { last: () => { json: IDataObject } };
		};
		const { json } = proxy.$(parkedBy).last();
		return json.editId === editId && json.delivered === true;
	} catch {
		// The node is still parked, or its time was up without an output.
		return false;
	}
}

/** What an item says of its edit if that ends in FAILURE. */
export function failedEditFacts({ json = {} }: { json?: IDataObject }): FailedEditFacts {
	return { more: failedDeliveryAdvice(json), wasUploaded: uploadedFiles(json).length > 0 };
}

/** What to do if an edit with a delivery ends in FAILURE; undefined for any other edit. */
function failedDeliveryAdvice(json: IDataObject): string | undefined {
	const execution = readText(json[DELIVERS_TO]);
	if (execution !== '') {
		return `The service was asked to deliver the file to execution ${execution} of n8n. Perhaps it could not reach n8n at the address in WEBHOOK_URL, no Wait For Edit had parked that execution, or its maximum wait was over. Switch 'Deliver to This Workflow' off in Create Edit, create a new edit, and download its file with Get Result.`;
	}
	const signedUrl = readText((json.config as IDataObject | undefined)?.signed_url);
	if (signedUrl === '') return undefined;
	// The item may come from another node, with the signature still in the URL.
	const target = sanitizeText(withoutSecrets(signedUrl));
	return `The service was asked to deliver the file to ${target}. That signed URL may have expired, or may not accept a PUT. Create a new edit with a fresh signed URL, or without one to let Get Result download the file.`;
}
