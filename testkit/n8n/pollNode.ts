import { randomUUID } from 'crypto';

import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { workflowOf } from './engineNodeTypes';
import { OUR_NODES } from './ourNodes';
import { type ServiceAccess, chain, dataFor } from './workflows';

const BUDGET_MS = 300_000;

/** Leaves to n8n-core's context what it does itself: emit, report, commit, run, find static data. */
const OWN_DOINGS = [undefined, undefined, undefined, undefined, undefined] as const;

/** Puts our poll trigger into an active workflow, with the data of earlier polls. */
export function polledNode(
	access: ServiceAccess,
	parameters: INodeParameters,
	staticData: IDataObject = {},
) {
	// Polls of one workflow do not overlap, but polls of different tests may.
	const workflow = activeWorkflow(randomUUID(), parameters, staticData);
	const node = workflow.getNode('Trigger')!;
	const data = dataFor(access);
	/** Polls once and returns what was emitted; n8n waits for it for `budgetMs`. */
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
		/** What n8n would keep in its database between polls. */
		get staticData() {
			return copyOf(workflow.staticData);
		},
	};
}

/**
 * Puts our poll trigger into an active workflow of an n8n with poll cursors in a table and its own poll
 * scheduler. n8n-core decides when to commit a cursor; n8n itself does the commit, so this does it the same
 * way.
 */
export function durablePolledNode(access: ServiceAccess, parameters: INodeParameters) {
	const id = randomUUID();
	const data = dataFor(access);
	let staticData: IDataObject = {};
	let cursor: IDataObject = {};
	const poll = async (isActivation: boolean) => {
		const workflow = activeWorkflow(id, parameters, copyOf(staticData));
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
		/** Polls as n8n does when the workflow is activated. @returns what was emitted */
		activate: async () => await poll(true),
		/** Polls as n8n's scheduler does. @returns what was emitted */
		tick: async () => await poll(false),
		/** What n8n keeps for the whole workflow; the node's own part is in the table of cursors. */
		get staticData() {
			return copyOf(staticData);
		},
	};
}

function activeWorkflow(
	id: string,
	parameters: INodeParameters,
	staticData: IDataObject,
): Workflow {
	const { nodes } = chain({ type: 'editFinishedTrigger', name: 'Trigger', parameters });
	const workflow = { nodes: nodes.slice(1), connections: {} };
	return workflowOf(workflow, OUR_NODES, undefined, { id, active: true, staticData });
}

/** Returns a copy, as the database does. */
function copyOf(data: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(data)) as IDataObject;
}
