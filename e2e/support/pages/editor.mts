import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'flatted';
import type { IDataObject, INodeTypeDescription, ITaskData, IWorkflowBase } from 'n8n-workflow';

import { eventually } from '../../../testkit/time/eventually.mts';

/** The only user of the tested n8n. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'E2E',
	lastName: 'Owner',
	password: 'Passw0rd-e2e',
};

/** What n8n returns about an execution. */
export interface Execution {
	readonly id: string;
	readonly status: string;
	/** All its data, as flatted text. */
	readonly data: string;
}

/** The body of a request that creates a workflow. */
export type NewWorkflow = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings'>;

/** A credential as nodes refer to it. */
export interface CredentialReference {
	readonly id: string;
	readonly name: string;
}

/** The data of our credential. */
export interface CredentialData {
	readonly baseUrl: string;
	readonly apiKey: string;
}

/** What n8n's editor reads about a node. */
type NodeType = Pick<
	INodeTypeDescription,
	'name' | 'version' | 'defaultVersion' | 'inputs' | 'outputs'
>;

export const CREDENTIAL_TYPE = 'audioEditingApi';

const ENDED = (status: string) => !['new', 'running', 'waiting'].includes(status);

/** Acts as a person at n8n's editor: sends the requests of its pages. */
export class Editor {
	private cookie = '';

	constructor(readonly url: string) {}

	/** Sets the owner up on a fresh database, otherwise logs in. */
	async enter(): Promise<void> {
		// For a moment after it is ready, n8n still answers that it is starting up, or not at all.
		const { userManagement } = await eventually('n8n returns its settings', async () => {
			const response = await this.send('GET', '/rest/settings').catch(() => undefined);
			if (response?.ok !== true) return undefined;
			const body = (await response.json()) as {
				data?: { userManagement: { showSetupOnFirstLoad: boolean } };
			};
			return body.data;
		});
		if (userManagement.showSetupOnFirstLoad) await this.ask('POST', '/rest/owner/setup', OWNER);
		const { email, password } = OWNER;
		await this.ask('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** Creates a credential, of our type by default. */
	async createCredential(
		name: string,
		data: CredentialData | Readonly<Record<string, unknown>>,
		type = CREDENTIAL_TYPE,
	): Promise<CredentialReference> {
		const body = { name, type, data };
		const { id } = await this.ask<{ id: string }>('POST', '/rest/credentials', body);
		return { id, name };
	}

	/** Returns n8n's own test of a credential: the green or red box under its form. */
	async testCredential(
		{ id, name }: CredentialReference,
		data: CredentialData,
	): Promise<{ status: string; message: string }> {
		const credentials = { id, name, type: CREDENTIAL_TYPE, data };
		return await this.ask('POST', '/rest/credentials/test', { credentials });
	}

	/** Returns every node that the editor offers. */
	async nodeTypes(): Promise<NodeType[]> {
		const response = await this.send('GET', '/types/nodes.json');
		return (await response.json()) as INodeTypeDescription[];
	}

	/** @returns the workflow's id */
	async createWorkflow(workflow: NewWorkflow): Promise<string> {
		const created = await this.ask<{ id: string }>('POST', '/rest/workflows', workflow);
		return created.id;
	}

	/** Creates a workflow and activates it. @returns the workflow's id */
	async published(workflow: NewWorkflow): Promise<string> {
		const id = await this.createWorkflow(workflow);
		await this.publish(id);
		return id;
	}

	/** Creates a workflow and presses "Execute workflow". @returns the execution's id */
	async started(workflow: NewWorkflow, trigger = 'Start'): Promise<string> {
		return await this.run(await this.createWorkflow(workflow), trigger);
	}

	/** Sends something to a webhook. @throws unless n8n takes it */
	async post(path: string, body: unknown = {}): Promise<void> {
		const headers = { 'Content-Type': 'application/json' };
		const url = `${this.url}/webhook/${path}`;
		const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
	}

	/** Returns a workflow as it is saved. */
	async workflow(id: string): Promise<NewWorkflow> {
		return await this.ask('GET', `/rest/workflows/${id}`);
	}

	/** Saves a workflow again, as a person does after changing it. */
	async change(id: string, workflow: NewWorkflow): Promise<void> {
		const path = `/rest/workflows/${id}`;
		const { versionId } = await this.ask<{ versionId: string }>('GET', path);
		await this.ask('PATCH', path, { ...workflow, versionId });
	}

	/** Activates a workflow and waits until its triggers listen. */
	async publish(id: string): Promise<void> {
		const path = await this.activate(id);
		await eventually(`workflow ${id} is published`, async () => {
			const answer = await this.ask<{ status: string }>('GET', `${path}/publication-status`);
			if (answer.status === 'failed') throw new Error(JSON.stringify(answer));
			return answer.status === 'published' ? true : undefined;
		});
	}

	/** @returns the workflow's path */
	protected async activate(id: string): Promise<string> {
		const path = `/rest/workflows/${id}`;
		const { versionId } = await this.ask<{ versionId: string }>('GET', path);
		await this.ask('POST', `${path}/activate`, { versionId });
		return path;
	}

	/**
	 * Presses "Execute workflow".
	 *
	 * @param item the trigger's output; without it the trigger runs
	 * @returns the execution's id
	 */
	async run(id: string, trigger: string, item?: IDataObject): Promise<string> {
		const answer = await this.ask<{ executionId?: string }>(
			'POST',
			`/rest/workflows/${id}/run`,
			await this.runBody(id, trigger, item),
		);
		if (answer.executionId === undefined) throw new Error(`Not run: ${JSON.stringify(answer)}`);
		return answer.executionId;
	}

	/** Returns what n8n needs to run a workflow. */
	protected async runBody(_id: string, trigger: string, item?: IDataObject): Promise<object> {
		const data = item === undefined ? undefined : triggered(item);
		return await Promise.resolve({ triggerToStartFrom: { name: trigger, data } });
	}

	async execution(id: string): Promise<Execution> {
		return await this.ask('GET', `/rest/executions/${id}`);
	}

	/** Returns the executions of a workflow, newest first. */
	async executionsOf(workflowId: string): Promise<{ id: string; status: string }[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const path = `/rest/executions?limit=100&filter=${filter}`;
		const { results } = await this.ask<{ results: { id: string; status: string }[] }>('GET', path);
		return results;
	}

	/** Stops an execution. @throws unless it then counts as canceled */
	async stop(id: string): Promise<void> {
		await this.ask('POST', `/rest/executions/${id}/stop`);
		const { status } = await this.reached(id);
		if (status !== 'canceled') throw new Error(`Execution ${id} ended ${status}`);
	}

	/** Waits until an execution of the workflow is parked. @returns the execution's id */
	async parked(workflowId: string): Promise<string> {
		return await eventually(`an execution of ${workflowId} is parked`, async () => {
			const executions = await this.executionsOf(workflowId);
			return executions.find(({ status }) => status === 'waiting')?.id;
		});
	}

	/** Waits until an execution has ended and n8n has stored its data, which may follow shortly afterwards. */
	async reached(id: string): Promise<Execution> {
		return await eventually(`execution ${id} has ended`, async () => {
			const execution = await this.execution(id);
			const { status, data } = execution;
			const hasData = !['success', 'error'].includes(status) || parse(data) !== undefined;
			if (ENDED(status) && hasData) return execution;
			await sleep(300);
			return undefined;
		});
	}

	/** Waits until this many executions of a workflow have ended; each look costs n8n time. */
	async allEnded(
		workflowId: string,
		count: number,
		lookEveryMs: number,
	): Promise<{ id: string; status: string }[]> {
		return await eventually(`${count} executions of ${workflowId} have ended`, async () => {
			await sleep(lookEveryMs);
			const over = (await this.executionsOf(workflowId)).filter(({ status }) => ENDED(status));
			return over.length === count ? over : undefined;
		});
	}

	/** Returns a file from n8n's binary store. */
	async download(binaryId: string): Promise<Buffer> {
		const query = new URLSearchParams({ id: binaryId, action: 'download' });
		const response = await this.send('GET', `/rest/binary-data?${query.toString()}`);
		if (!response.ok) throw new Error(`${binaryId}: ${response.status} ${await response.text()}`);
		return Buffer.from(await response.arrayBuffer());
	}

	/** Reads a page or a list to its end. @throws unless n8n answers 2xx */
	async open(path: string): Promise<void> {
		const response = await this.send('GET', path);
		await response.arrayBuffer();
		if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
	}

	/** Sends one request of the editor. @throws unless n8n answers 2xx */
	async ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return (JSON.parse(text) as { data: Answer }).data;
	}

	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		// A busy n8n may end an idle connection just as the next request goes out on it.
		const headers = new Headers({ cookie: this.cookie, connection: 'close' });
		if (body !== undefined) headers.set('content-type', 'application/json');
		const text = body === undefined ? null : JSON.stringify(body);
		const response = await eventually(`n8n has its database for ${path}`, async () => {
			const answer = await fetch(this.url + path, { method, headers, body: text });
			// A busy n8n answers this before it looks at the request.
			return answer.status === 503 ? undefined : answer;
		});
		const cookie = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (cookie !== undefined) this.cookie = cookie.split(';', 1)[0] ?? '';
		return response;
	}
}

/** Acts as a person at the editor of n8n 2.0: sends the requests that differ from today's. */
export class OldEditor extends Editor {
	override async createWorkflow(workflow: NewWorkflow): Promise<string> {
		const inactive = { ...workflow, active: false };
		return await super.createWorkflow(inactive);
	}

	/** Activates a workflow; its triggers listen when n8n responds. */
	override async publish(id: string): Promise<void> {
		await this.activate(id);
	}

	protected override async runBody(id: string, trigger: string): Promise<object> {
		const workflowData = await this.ask('GET', `/rest/workflows/${id}`);
		return { workflowData, ...(await super.runBody(id, trigger)) };
	}
}

/** Returns what the editor sends about a trigger that already has an output. */
function triggered(json: IDataObject): ITaskData {
	return {
		startTime: Date.now(),
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success',
		source: [null],
		data: { main: [[{ json }]] },
	};
}
