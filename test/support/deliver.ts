/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they take requests */
import type { IncomingMessage, ServerResponse } from 'http';
import { WebhookContext } from 'n8n-core';
import {
	type IRunExecutionData,
	type IWebhookData,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';

import { EngineNodeTypes, FixedItems } from './engineNodeTypes';
import { INSTANCE, type WorkflowJson } from './n8nEngine';
import { OUR_NODES } from './ourNodes';

/** The two express methods that nodes call on a response. */
interface ResponseWithStatus extends ServerResponse {
	status(code: number): ResponseWithStatus;
	json(body: object): void;
}

/**
 * Passes a request to the webhook of the node that parked an execution, as n8n does for its resume URL.
 * Returns whether the node woke the execution up; if so, the parked data contains its items.
 */
export async function deliver(
	{ nodes, connections }: WorkflowJson,
	parked: IRunExecutionData,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<boolean> {
	const [entry] = parked.executionData!.nodeExecutionStack;
	const nodeTypes = new EngineNodeTypes(OUR_NODES, new FixedItems());
	const workflow = new Workflow({
		id: 'test',
		name: 'test',
		active: false,
		nodes,
		connections,
		nodeTypes,
	});
	const node = workflow.getNode(entry.node.name)!;
	const nodeType = nodeTypes.getByName(node.type);
	const answer: ResponseWithStatus = Object.assign(response, {
		status: (code: number) => Object.assign(answer, { statusCode: code }),
		json: (body: object) => response.end(JSON.stringify(body)),
	});
	const { searchParams } = new URL(request.url ?? '', 'http://localhost');
	// As express does.
	Object.assign(request, { query: Object.fromEntries(searchParams) });
	const base: Partial<IWorkflowExecuteAdditionalData> = {
		...INSTANCE,
		httpRequest: request as IWorkflowExecuteAdditionalData['httpRequest'],
		httpResponse: answer as object as IWorkflowExecuteAdditionalData['httpResponse'],
	};
	const [description] = nodeType.description.webhooks!;
	const webhook = { webhookDescription: description, node: node.name, path: '' } as IWebhookData;
	const data = base as IWorkflowExecuteAdditionalData;
	const context = new WebhookContext(workflow, node, data, 'trigger', webhook, [], parked);
	const { workflowData } = await nodeType.webhook!.call(context);
	if (workflowData === undefined) return false;
	entry.data.main = workflowData;
	return true;
}
