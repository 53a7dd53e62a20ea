import { randomUUID } from 'crypto';

import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor } from 'n8n-core';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
	Workflow,
} from 'n8n-workflow';

import { EngineNodeTypes, FixedItems } from './engineNodeTypes';
import { additionalData } from './n8nEngine';
import { OUR_CREDENTIALS, OUR_NODES } from './ourNodes';
import { type ServiceAccess, credentialFor } from './workflows';

/** One of our poll triggers in an active workflow, polled by hand. */
export interface PolledNode {
	/**
	 * Polls once and returns what was emitted.
	 *
	 * @param budgetMs how long n8n waits for it
	 */
	poll(mode?: WorkflowExecuteMode, budgetMs?: number): Promise<INodeExecutionData[]>;
	/** What n8n would keep in its database between polls. */
	readonly staticData: IDataObject;
}

/** One of our poll triggers in an n8n with poll cursors in a table and its own poll scheduler. */
export interface DurablePolledNode {
	/** Polls as n8n does when the workflow is activated. @returns what was emitted */
	activate(): Promise<INodeExecutionData[]>;
	/** Polls as n8n's scheduler does. @returns what was emitted */
	tick(): Promise<INodeExecutionData[]>;
	/** What n8n keeps for the whole workflow; the node's own part is in the table of cursors. */
	readonly staticData: IDataObject;
}

const BUDGET_MS = 300_000;

/** Leaves to n8n-core's context what it does itself: emit, report, commit, run, find static data. */
const OWN_DOINGS = [undefined, undefined, undefined, undefined, undefined] as const;

/** Puts one of our poll triggers into a workflow, with the data of earlier polls. */
export function polledNode(
	access: ServiceAccess,
	type: string,
	parameters: INodeParameters,
	staticData: IDataObject = {},
): PolledNode {
	// Polls of one workflow do not overlap, but polls of different tests may.
	const workflow = workflowOf(randomUUID(), type, parameters, staticData);
	const node = workflow.getNode('Trigger')!;
	const data = dataFor(access);
	const poll = async (mode: WorkflowExecuteMode = 'trigger', budgetMs = BUDGET_MS) => {
		const context = new PollContext(
			workflow,
			node,
			data,
			mode,
			'activate',
			...OWN_DOINGS,
			() => budgetMs,
		);
		return (await OUR_NODES[node.type].poll?.call(context))?.[0] ?? [];
	};
	return {
		poll,
		get staticData() {
			return copyOf(workflow.staticData);
		},
	};
}

/**
 * Puts one of our poll triggers into a workflow of an n8n with durable poll cursors. n8n-core decides
 * when to commit a cursor; n8n itself does the commit, so this does it the same way.
 */
export function durablePolledNode(
	access: ServiceAccess,
	type: string,
	parameters: INodeParameters,
): DurablePolledNode {
	const id = randomUUID();
	const data = dataFor(access);
	let staticData: IDataObject = {};
	let cursor: IDataObject = {};
	const poll = async (isActivation: boolean) => {
		const workflow = workflowOf(id, type, parameters, copyOf(staticData));
		const node = workflow.getNode('Trigger')!;
		const staged = copyOf(cursor);
		const emitted: INodeExecutionData[] = [];
		const commit = () => {
			cursor = copyOf(staged);
		};
		const save = () => {
			staticData = copyOf(workflow.staticData);
		};
		const emit = (items: INodeExecutionData[][]) => {
			emitted.push(...items[0]);
			commit();
			save();
		};
		const report = (error: Error) => {
			throw error;
		};
		const context = new PollContext(
			workflow,
			node,
			data,
			'trigger',
			isActivation ? 'activate' : 'update',
			emit,
			report,
			async () => commit(),
			undefined,
			() => staged,
			() => BUDGET_MS,
		);
		const executor = Container.get(PollTriggerExecutor);
		await executor.create(workflow, node, context, () => true)(isActivation);
		if (isActivation) save();
		return emitted;
	};
	return {
		activate: async () => await poll(true),
		tick: async () => await poll(false),
		get staticData() {
			return copyOf(staticData);
		},
	};
}

function workflowOf(
	id: string,
	type: string,
	parameters: INodeParameters,
	staticData: IDataObject,
): Workflow {
	const node = {
		id: 'trigger',
		name: 'Trigger',
		type: `n8n-nodes-audio-editing.${type}`,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
		credentials: { audioEditingApi: { id: '1', name: 'Audio Editing' } },
	};
	return new Workflow({
		id,
		name: 'test',
		active: true,
		nodes: [node],
		connections: {},
		nodeTypes: new EngineNodeTypes(OUR_NODES, new FixedItems()),
		staticData,
	});
}

function dataFor(access: ServiceAccess): IWorkflowExecuteAdditionalData {
	return additionalData({
		credentialTypes: OUR_CREDENTIALS,
		credentials: { audioEditingApi: credentialFor(access) },
	});
}

/** Returns a copy, as the database does. */
function copyOf(data: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(data)) as IDataObject;
}
