import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isWebUrl } from '../../../api/contract';
import { type Delivery, deliveryUnderWay, withDeliveryKey } from './deliveries';
import { fieldError } from '../../shared/form/parameters';
import type { NodeRun } from '../../shared/run/nodeRun';

/** A node after this one. Old n8n versions leave out `disabled` and `parameters`. */
type LaterNode = ReturnType<IExecuteFunctions['getChildNodes']>[number];

/** The node up to which the user runs the workflow; n8n 1 has only its name. */
type Destination = string | { readonly nodeName: string; readonly mode?: string };

/** n8n has no method for what the user runs, and its oldest versions do not show it to nodes. */
type WithRunData = IExecuteFunctions & {
	readonly runExecutionData?: { readonly startData?: { readonly destinationNode?: Destination } };
};

/**
 * The delivery to this execution, if the form asks for it.
 *
 * @throws NodeOperationError if no node after this one can take the file: the edit would be charged and
 * end in FAILURE
 */
export function readDelivery(run: NodeRun, itemIndex: number): Delivery | undefined {
	if (run.option('deliverHere', itemIndex, false) !== true) {
		refuseParkWithoutDelivery(run, itemIndex);
		return undefined;
	}
	refuseSeveral(run, itemIndex);
	const receivers = readReceivers(run, itemIndex);
	refuseStep(run, itemIndex, receivers);
	const executionId = run.context.getExecutionId();
	const resumeUrl: unknown = run.context.evaluateExpression(
		'{{ $execution.resumeUrl }}',
		itemIndex,
	);
	if (executionId && typeof resumeUrl === 'string' && isWebUrl(resumeUrl)) {
		return { executionId, signedUrl: withDeliveryKey(resumeUrl, randomUUID()), receivers };
	}
	const message =
		"'Deliver to This Workflow' needs the address of this execution, which n8n does not provide";
	const advice = "Switch it off, or set 'Signed URL' to your own storage.";
	throw fieldError(run, itemIndex, message, advice);
}

/**
 * Refuses a second delivery to an execution that has yet to wait for the first: the file that comes while it
 * waits for the other would be refused, and its edit end in FAILURE.
 */
export function refuseWhileDelivering(run: NodeRun, itemIndex: number): void {
	const editId = deliveryUnderWay(run);
	if (editId === undefined) return;
	const message = `'Deliver to This Workflow' works for one edit at a time, but edit ${editId} is still to be delivered to this execution`;
	const advice =
		'Put the Wait For Edit for that edit before this node, or give this edit its own execution, with Execute Sub-workflow.';
	throw fieldError(run, itemIndex, message, advice);
}

function refuseSeveral(run: NodeRun, itemIndex: number): void {
	const recordings = run.parameter('itemsAre', 0) === 'tracks' ? 1 : run.items.length;
	if (recordings < 2) return;
	const message = `'Deliver to This Workflow' works for one edit at a time, but the input has ${recordings} items`;
	const advice =
		'An execution can wait for one file at a time. Use a Loop Over Items with a Wait For Edit in it, or Execute Sub-workflow for each item.';
	throw fieldError(run, itemIndex, message, advice);
}

/** Refuses a run that 'Execute step' ends before every node that can take the file, if n8n shows that. */
function refuseStep(run: NodeRun, itemIndex: number, receivers: readonly string[]): void {
	const { runExecutionData }: WithRunData = run.context;
	const destination = runExecutionData?.startData?.destinationNode;
	if (destination === undefined) return;
	const { nodeName, mode = '' } =
		typeof destination === 'string' ? { nodeName: destination } : destination;
	const before = run.context.getParentNodes(nodeName).map(({ name }) => name);
	const last = mode === 'exclusive' ? [] : [nodeName];
	if (receivers.some((receiver) => [...before, ...last].includes(receiver))) return;
	const message = `'Deliver to This Workflow' needs '${receivers[0]}' to run, but this run ends before it`;
	const advice = `Run the whole workflow, or a node after '${receivers[0]}'.`;
	throw fieldError(run, itemIndex, message, advice);
}

/**
 * The names of the nodes after this one that can take the file. When the user runs only this node, n8n still
 * lists them.
 *
 * @throws NodeOperationError if there is none
 */
function readReceivers(run: NodeRun, itemIndex: number): string[] {
	const waits = waitsAfter(run);
	const keepRunning = waits.filter((node) => !node.disabled && !canReceive(node));
	const isAfterRunning = (node: LaterNode) => {
		const before = run.context.getParentNodes(node.name);
		return keepRunning.some((wait) => before.some((other) => other.name === wait.name));
	};
	const receivers = waits.filter((node) => canReceive(node) && !isAfterRunning(node));
	if (receivers.length > 0) return receivers.map(({ name }) => name);
	throw fieldError(run, itemIndex, ...refusalFor(keepRunning.at(0) ?? waits.at(0)));
}

/** Refuses an edit without a delivery if the Wait For Edit after it would park until one. */
function refuseParkWithoutDelivery(run: NodeRun, itemIndex: number): void {
	const { name, type } = run.node;
	const isForOthers = (wait: LaterNode) =>
		run.context.getParentNodes(wait.name).some((node) => node.type === type && node.name !== name);
	const parks = ({ disabled, parameters }: LaterNode) =>
		!disabled && parameters?.whileWaiting === 'park';
	const parked = waitsAfter(run).find(parks);
	if (parked === undefined || isForOthers(parked)) return;
	const message = `'${parked.name}' parks until the file is delivered, but 'Deliver to This Workflow' is off`;
	const advice = `Switch it on, or set 'While Waiting' of '${parked.name}' to 'Automatic'.`;
	throw fieldError(run, itemIndex, message, advice);
}

/** Each Wait For Edit after this node. n8n's own Wait is none: it would take the file of any edit. */
function waitsAfter(run: NodeRun): LaterNode[] {
	const { name, type } = run.node;
	const waitType = `${type.slice(0, type.lastIndexOf('.') + 1)}waitForEdit`;
	const later = run.context.getChildNodes(name, { includeNodeParameters: true });
	return later.filter((node) => node.type === waitType);
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

/** Whether a Wait For Edit can take the file: if it parks. */
function canReceive({ disabled, parameters }: LaterNode): boolean {
	if (disabled || parameters === undefined) return !disabled;
	return parameters.whileWaiting === 'automatic' || parameters.whileWaiting === 'park';
}
