import { randomUUID } from 'crypto';

import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type WorkflowExecuteMode,
	Workflow,
} from 'n8n-workflow';

import { EngineNodeTypes, FixedItems } from './engineNodeTypes';
import { additionalData } from './n8nEngine';
import { OUR_CREDENTIALS, OUR_NODES } from './ourNodes';
import { type ServiceAccess, credentialFor } from './workflows';

/** A poll trigger of ours in an active workflow, polled by hand. */
export interface PolledNode {
	/**
	 * Polls once and gives what was emitted.
	 *
	 * @param budgetMs how long n8n waits for it
	 */
	poll(mode?: WorkflowExecuteMode, budgetMs?: number): Promise<INodeExecutionData[]>;
	/** What n8n would keep in its database between polls. */
	readonly staticData: IDataObject;
}

/** What n8n-core's context does by itself: emit, report, commit, run, and find the static data. */
const OWN_DOINGS = [undefined, undefined, undefined, undefined, undefined] as const;

/** Puts a poll trigger of ours into a workflow, with what earlier polls kept. */
export function polledNode(
	access: ServiceAccess,
	type: string,
	parameters: INodeParameters,
	staticData: IDataObject = {},
): PolledNode {
	const fullType = `n8n-nodes-audio-editing.${type}`;
	const node = {
		id: 'trigger',
		name: 'Trigger',
		type: fullType,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
		credentials: { audioEditingApi: { id: '1', name: 'Audio Editing' } },
	};
	const workflow = new Workflow({
		// Polls of one workflow do not overlap; those of different tests may.
		id: randomUUID(),
		name: 'test',
		active: true,
		nodes: [node],
		connections: {},
		nodeTypes: new EngineNodeTypes(OUR_NODES, new FixedItems()),
		staticData,
	});
	const data = additionalData({
		credentialTypes: OUR_CREDENTIALS,
		credentials: { audioEditingApi: credentialFor(access) },
	});
	const poll = async (mode: WorkflowExecuteMode = 'trigger', budgetMs = 300_000) => {
		const context = new PollContext(
			workflow,
			workflow.getNode('Trigger')!,
			data,
			mode,
			'activate',
			...OWN_DOINGS,
			() => budgetMs,
		);
		return (await OUR_NODES[fullType].poll?.call(context))?.[0] ?? [];
	};
	return {
		poll,
		// What the database gives back is a copy.
		get staticData() {
			return JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
		},
	};
}
