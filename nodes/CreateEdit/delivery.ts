import type { IExecuteFunctions } from 'n8n-workflow';

import { isWebUrl } from '../../api/contract';
import { fieldError } from '../shared/parameters';

/** The execution that takes the edited file. */
export interface Delivery {
	readonly executionId: string;
	/** Its address, with n8n's signature if n8n signs it. */
	readonly signedUrl: string;
}

/** A node after this one. Old n8n versions leave out `disabled` and `parameters`. */
type LaterNode = ReturnType<IExecuteFunctions['getChildNodes']>[number];

/**
 * The delivery to this execution, if the form asks for it.
 *
 * @throws NodeOperationError if no node after this one can take the file: the edit would be charged and
 * end in FAILURE
 */
export function readDelivery(context: IExecuteFunctions, itemIndex: number): Delivery | undefined {
	if (context.getNodeParameter('options.deliverHere', itemIndex, false) !== true) {
		refuseParkWithoutDelivery(context, itemIndex);
		return undefined;
	}
	refuseSeveral(context, itemIndex);
	refuseWithoutReceiver(context, itemIndex);
	const executionId = context.getExecutionId();
	const signedUrl: unknown = context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex);
	if (executionId && typeof signedUrl === 'string' && isWebUrl(signedUrl)) {
		return { executionId, signedUrl };
	}
	throw fieldError(
		context,
		itemIndex,
		"'Deliver to This Workflow' needs the address of this execution, which n8n does not provide",
		"Switch it off, or set 'Signed URL' to your own storage.",
	);
}

/** A hint if the address has no signature: before 2.16, n8n builds it from the execution's number only. */
export function unsignedHints(delivery: Delivery | undefined): Array<{ message: string }> {
	if (!delivery || new URL(delivery.signedUrl).searchParams.has('signature')) return [];
	const message =
		'This n8n does not sign the address of an execution: anyone who can reach n8n can deliver a file to it. n8n 2.16 and newer sign it.';
	return [{ message }];
}

function refuseSeveral(context: IExecuteFunctions, itemIndex: number): void {
	const recordings =
		context.getNodeParameter('itemsAre', 0) === 'tracks' ? 1 : context.getInputData().length;
	if (recordings < 2) return;
	throw fieldError(
		context,
		itemIndex,
		`'Deliver to This Workflow' works for one edit per execution, but there are ${recordings}`,
		'The service can deliver one file to an execution. Give each item its own execution, with Execute Sub-workflow for each item.',
	);
}

/** When the user runs only this node, n8n still lists the nodes after it; the form warns about that. */
function refuseWithoutReceiver(context: IExecuteFunctions, itemIndex: number): void {
	const { later, waitType } = nodesAfter(context);
	const waits = later.filter((node) => node.type === waitType);
	const keepRunning = waits.filter((node) => !node.disabled && !canReceive(node, waitType));
	const isAfterRunning = (node: LaterNode) => {
		const before = context.getParentNodes(node.name);
		return keepRunning.some((wait) => before.some((other) => other.name === wait.name));
	};
	if (later.some((node) => canReceive(node, waitType) && !isAfterRunning(node))) return;
	throw fieldError(context, itemIndex, ...refusalFor(keepRunning.at(0) ?? waits.at(0)));
}

/** Refuses an edit without a delivery if the Wait For Edit after it would park until one. */
function refuseParkWithoutDelivery(context: IExecuteFunctions, itemIndex: number): void {
	const { name, type } = context.getNode();
	const { later, waitType } = nodesAfter(context);
	const isForOthers = (wait: LaterNode) =>
		context.getParentNodes(wait.name).some((node) => node.type === type && node.name !== name);
	const parked = later.find(
		(node) => node.type === waitType && !node.disabled && node.parameters?.whileWaiting === 'park',
	);
	if (parked === undefined || isForOthers(parked)) return;
	throw fieldError(
		context,
		itemIndex,
		`'${parked.name}' parks until the file is delivered, but 'Deliver to This Workflow' is off`,
		`Switch it on, or set 'While Waiting' of '${parked.name}' to 'Automatic'.`,
	);
}

/** The nodes after this one, and the type of a Wait For Edit among them. */
function nodesAfter(context: IExecuteFunctions): { later: LaterNode[]; waitType: string } {
	const { name, type } = context.getNode();
	const later = context.getChildNodes(name, { includeNodeParameters: true });
	return { later, waitType: type.replace(/[^.]*$/, 'waitForEdit') };
}

function refusalFor(wait: LaterNode | undefined): [message: string, advice: string] {
	const off = "switch 'Deliver to This Workflow' off.";
	const needed = "'Deliver to This Workflow' needs a Wait For Edit after this node";
	if (wait === undefined) {
		return [`${needed}, but there is none`, `Connect a Wait For Edit after this node, or ${off}`];
	}
	const { name } = wait;
	return wait.disabled
		? [`${needed}, but '${name}' is deactivated`, `Activate '${name}', or ${off}`]
		: [
				`${needed} that parks, but '${name}' keeps running`,
				`Set 'While Waiting' of '${name}' to 'Automatic' or 'Park Until Delivered', or ${off}`,
			];
}

/** Whether a node can take the file: a Wait For Edit that parks, or n8n's own Wait node. */
function canReceive({ type, disabled, parameters }: LaterNode, waitType: string): boolean {
	if (disabled) return false;
	if (type !== waitType && type !== 'n8n-nodes-base.wait') return false;
	if (parameters === undefined) return true;
	const { whileWaiting, resume, httpMethod } = parameters;
	return type === waitType
		? whileWaiting === 'automatic' || whileWaiting === 'park'
		: resume === 'webhook' && httpMethod === 'PUT';
}
