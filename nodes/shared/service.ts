import type { INode } from 'n8n-workflow';

import { type Client, createClient } from '../../api/client';
import { type FailureContext, toNodeError } from '../../api/errors';
import type { Outcome } from '../../api/outcome';
import { type ServiceContext, openTransport } from '../../api/transport';

/** The client for one item, with the item's credential. */
export async function openClient(context: ServiceContext, itemIndex = 0): Promise<Client> {
	const door = await openTransport(context, itemIndex);
	const doing = 'use the credential';
	return createClient(valueOrThrow(door, context.getNode(), { itemIndex, doing }));
}

/** The value of an outcome, or the error that n8n shows for its failure. */
export function valueOrThrow<T>(outcome: Outcome<T>, node: INode, context: FailureContext): T {
	if (outcome.ok) return outcome.value;
	throw toNodeError(node, outcome.failure, context);
}
