import type { IExecuteFunctions } from 'n8n-workflow';

import { type EditConfig, isWebUrl } from '../../api/contract';
import { fieldError } from '../shared/parameters';

/** An execution that is to take the finished file. */
export interface Delivery {
	readonly executionId: string;
	/** Its address, with n8n's signature where n8n signs it. */
	readonly signedUrl: string;
}

/** Workflows with an earlier version may deliver by a signed URL that they make themselves. */
const REFUSES_VAIN_PARKS_FROM = 2;

/** A node after this one, as far as n8n tells: old versions tell neither whether it is deactivated nor its parameters. */
type LaterNode = ReturnType<IExecuteFunctions['getChildNodes']>[number];

/**
 * Where the finished file is to be delivered to when this execution itself is to take it.
 *
 * @throws NodeOperationError where nothing after this node can take it: such an edit would be charged
 * and end in FAILURE
 */
export function readDelivery(context: IExecuteFunctions, itemIndex: number): Delivery | undefined {
	if (context.getNodeParameter('deliverHere', itemIndex, false) !== true) {
		refuseVainPark(context, itemIndex);
		return undefined;
	}
	refuseSeveral(context, itemIndex);
	refuseWithoutTaker(context, itemIndex);
	const executionId = context.getExecutionId();
	const signedUrl: unknown = context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex);
	if (executionId && typeof signedUrl === 'string' && isWebUrl(signedUrl)) {
		return { executionId, signedUrl };
	}
	throw fieldError(
		context,
		itemIndex,
		"'Deliver to This Workflow' needs the address of this execution, and n8n gives none",
		"Switch it off, or set 'Signed URL' to your own storage.",
	);
}

/** What a delivery adds to the configuration. */
export function deliveryConfig(delivery: Delivery | undefined): Pick<EditConfig, 'signed_url'> {
	return delivery === undefined ? {} : { signed_url: delivery.signedUrl };
}

/** Before 2.16 n8n gives an execution an address without a signature, made of the execution's number. */
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
		`'Deliver to This Workflow' works for one edit in an execution, and there are ${recordings}`,
		'An execution has one address to deliver to. Give each item its own execution, with Execute Sub-workflow for each item.',
	);
}

/** In a run of this node alone n8n lists the nodes after it, too; the form warns of that. */
function refuseWithoutTaker(context: IExecuteFunctions, itemIndex: number): void {
	const { name, type } = context.getNode();
	const waitType = type.replace(/[^.]*$/, 'waitForEdit');
	const later = context.getChildNodes(name, { includeNodeParameters: true });
	const waits = later.filter((node) => node.type === waitType);
	const runningOn = waits.filter((node) => !node.disabled && !mayTake(node, waitType));
	const comesTooLate = (node: LaterNode) => {
		const before = context.getParentNodes(node.name);
		return runningOn.some((wait) => before.some((other) => other.name === wait.name));
	};
	if (later.some((node) => mayTake(node, waitType) && !comesTooLate(node))) return;
	throw fieldError(context, itemIndex, ...refusalFor(runningOn.at(0) ?? waits.at(0)));
}

/** Refuses an edit that is delivered nowhere where the Wait For Edit after it parks, which would be in vain. */
function refuseVainPark(context: IExecuteFunctions, itemIndex: number): void {
	const { name, type, typeVersion } = context.getNode();
	if (typeVersion < REFUSES_VAIN_PARKS_FROM) return;
	const waitType = type.replace(/[^.]*$/, 'waitForEdit');
	const isForOthers = (wait: LaterNode) =>
		context.getParentNodes(wait.name).some((node) => node.type === type && node.name !== name);
	const parked = context
		.getChildNodes(name, { includeNodeParameters: true })
		.find(
			(node) =>
				node.type === waitType && !node.disabled && node.parameters?.whileWaiting === 'park',
		);
	if (parked === undefined || isForOthers(parked)) return;
	throw fieldError(
		context,
		itemIndex,
		`'${parked.name}' parks until the file is delivered, and 'Deliver to This Workflow' is off`,
		`Switch it on, or set 'While Waiting' of '${parked.name}' to 'Automatic'.`,
	);
}

/** A refusal's message and advice. */
function refusalFor(wait: LaterNode | undefined): [message: string, advice: string] {
	const off = "switch 'Deliver to This Workflow' off.";
	const needed = "'Deliver to This Workflow' needs a Wait For Edit after this node";
	if (wait === undefined) {
		return [`${needed}, and there is none`, `Connect a Wait For Edit after this node, or ${off}`];
	}
	const { name } = wait;
	return wait.disabled
		? [`${needed}, and '${name}' is deactivated`, `Activate '${name}', or ${off}`]
		: [
				`${needed} that parks, and '${name}' keeps running`,
				`Set 'While Waiting' of '${name}' to 'Automatic' or 'Park Until Delivered', or ${off}`,
			];
}

/** n8n's own Wait node can take the file, too. */
function mayTake({ type, disabled, parameters }: LaterNode, waitType: string): boolean {
	if (disabled) return false;
	if (type === waitType) {
		const { whileWaiting } = parameters ?? {};
		return parameters === undefined || whileWaiting === 'automatic' || whileWaiting === 'park';
	}
	return (
		type === 'n8n-nodes-base.wait' &&
		(parameters === undefined ||
			(parameters.resume === 'webhook' && parameters.httpMethod === 'PUT'))
	);
}
