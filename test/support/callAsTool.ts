import { ExecuteContext } from 'n8n-core';
import {
	type IConnections,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	NodeConnectionTypes,
	Workflow,
	createRunExecutionData,
} from 'n8n-workflow';

import { EngineNodeTypes, FixedItems } from './engineNodeTypes';
import { additionalData } from './n8nEngine';
import { OUR_CREDENTIALS, versionOf } from './ourNodes';
import { placed } from './placed';
import { OUR_TOOLS } from './toolTypes';
import { type ServiceAccess, credentialFor } from './workflows';

/** The part of an agent's tool that tests need. */
interface Tool {
	invoke(input: object): Promise<unknown>;
}

const AGENT = 'test.agent';

/** A node as a tool, and the values a model fills in for each call. */
export interface ToolCalls {
	/** Short name of the node, such as `createEdit`. */
	readonly nodeName: string;
	readonly parameters: INodeParameters;
	readonly inputs?: readonly IDataObject[];
	readonly items?: INodeExecutionData[];
	/** Whether the model makes all calls in one turn: these agents then make them at the same time. */
	readonly atOnce?: boolean;
}

/**
 * Calls one of our nodes as sub-agents and agents before version 3 do: through n8n's own wrapping of
 * nodes as tools. Returns the tool's answer to each input.
 */
export async function callAsTool(
	access: ServiceAccess,
	{ nodeName, parameters, inputs = [{}], items = [{ json: {} }], atOnce = false }: ToolCalls,
): Promise<string[]> {
	const toolType = `n8n-nodes-audio-editing.${nodeName}Tool`;
	const toolNode = node('tool', toolType, {
		typeVersion: versionOf(nodeName),
		parameters: placed(nodeName, parameters),
		credentials: { audioEditingApi: { id: '1', name: 'Audio Editing' } },
	});
	const connections: IConnections = {
		tool: { ai_tool: [[{ node: 'agent', type: NodeConnectionTypes.AiTool, index: 0 }]] },
	};
	const types = { [toolType]: OUR_TOOLS[toolType], [AGENT]: agent() };
	const nodeTypes = new EngineNodeTypes(types, new FixedItems());
	const workflow = new Workflow({
		id: 'test',
		name: 'test',
		active: false,
		nodes: [toolNode, node('agent', AGENT)],
		connections,
		nodeTypes,
	});
	const context = agentContext(workflow, access, items);
	const tools = await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	const [called] = [tools].flat() as Tool[];
	const answerTo = async (input: IDataObject) =>
		JSON.stringify(await called.invoke(input).catch((error: Error) => error.message));
	if (atOnce) return await Promise.all(inputs.map(answerTo));
	const answers: string[] = [];
	for (const input of inputs) answers.push(await answerTo(input));
	return answers;
}

function agentContext(
	workflow: Workflow,
	access: ServiceAccess,
	items: INodeExecutionData[],
): ExecuteContext {
	const data = additionalData({
		credentialTypes: OUR_CREDENTIALS,
		credentials: { audioEditingApi: credentialFor(access) },
	});
	const entry = { node: workflow.getNode('agent')!, data: { main: [items] }, source: null };
	const run = createRunExecutionData({});
	return new ExecuteContext(
		workflow,
		entry.node,
		data,
		'manual',
		run,
		0,
		items,
		entry.data,
		entry,
		[],
	);
}

function node(name: string, type: string, more: Partial<INode> = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...more };
}

function agent(): INodeType {
	const node = new FixedItems();
	const inputs = [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool }];
	return Object.create(node, {
		description: { value: { ...node.description, name: AGENT, inputs } },
	}) as INodeType;
}
