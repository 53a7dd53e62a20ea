/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import { once } from 'events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'http';
import { WebhookContext } from 'n8n-core';
import type {
	IRun,
	IRunExecutionData,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type { AddressInfo } from 'net';

import { workflowOf } from './engineNodeTypes';
import { INSTANCE, type WorkflowJson } from './n8nEngine';
import { OUR_NODES } from './ourNodes';
import type { ScriptedService } from './scriptedService';
import { runChain } from './workflows';

// n8n's database stores executions as flatted; JSON would hide what does not survive that.
type Flatted = typeof import('flatted', { with: { 'resolution-mode': 'import' } });
const { parse, stringify } = jest.requireActual<Flatted>('flatted');

/** Returns an execution as n8n's database returns it between parking and waking up. */
export function throughDatabase(run: IRun): IRunExecutionData {
	return parse(stringify(run.data)) as IRunExecutionData;
}

/** The two express methods that nodes call on a response. */
interface ResponseWithStatus extends ServerResponse {
	status(code: number): ResponseWithStatus;
	json(body: object): void;
}

/**
 * Passes a request to the webhook of the node that parked an execution, as n8n does for its resume URL.
 * Returns whether the node woke the execution up; if so, the parked data contains its items.
 */
async function deliver(
	workflowJson: WorkflowJson,
	parked: IRunExecutionData,
	message: IncomingMessage,
	response: ServerResponse,
): Promise<boolean> {
	const [entry] = parked.executionData!.nodeExecutionStack;
	const workflow = workflowOf(workflowJson, OUR_NODES);
	const node = workflow.getNode(entry.node.name)!;
	const nodeType = OUR_NODES[node.type];
	const answer: ResponseWithStatus = Object.assign(response, {
		status: (code: number) => Object.assign(answer, { statusCode: code }),
		json: (body: object) => response.end(JSON.stringify(body)),
	});
	const { searchParams } = new URL(message.url ?? '', 'http://localhost');
	// As express does.
	Object.assign(message, { query: Object.fromEntries(searchParams) });
	const base: Partial<IWorkflowExecuteAdditionalData> = {
		...INSTANCE,
		httpRequest: message as IWorkflowExecuteAdditionalData['httpRequest'],
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

/** Returns the addresses that the service was asked to deliver edits to, in order. */
export function deliveryUrls({ seen }: Pick<ScriptedService, 'seen'>): URL[] {
	return seen.flatMap(({ method, body }) => {
		if (method !== 'POST') return [];
		const { input } = JSON.parse(body) as { input: { config: { signed_url?: string } } };
		return input.config.signed_url ? [new URL(input.config.signed_url)] : [];
	});
}

/**
 * Opens a server that passes each PUT to the parked node, and wakes the execution up if that agrees. It has
 * its own host and path, and the queries of the addresses that the service knows.
 */
export async function openResumeUrl(
	access: ScriptedService,
	workflow: WorkflowJson,
	parked: IRunExecutionData,
) {
	/** The runs of the execution since it woke up. */
	const woken: Promise<IRun>[] = [];
	const server = createServer((message, response) => {
		void deliver(workflow, parked, message, response).then((woke) => {
			if (!woke) return;
			// n8n answers before the execution continues.
			response.end();
			woken.push(runChain(access, workflow, [], { resumeFrom: parked }));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	/** Where the service delivers each edit to, in the order of their creation. */
	const urls = deliveryUrls(access).map(({ search }) => `${origin}${search}`);
	/** Where the service delivers the newest edit to. */
	const url = urls.at(-1) ?? origin;
	const close = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url, urls, woken, close };
}

/** Sends a file to an address with PUT. Returns the response status. */
export async function put(
	url: string,
	body: Buffer,
	headers: Record<string, string | number> = {},
): Promise<number> {
	const message = request(url, {
		method: 'PUT',
		headers: { 'Content-Type': 'audio/mpeg', 'Content-Length': body.length, ...headers },
	});
	message.end(body);
	const [response] = (await once(message, 'response')) as [IncomingMessage];
	response.resume();
	return response.statusCode ?? 0;
}
