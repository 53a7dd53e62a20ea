import { ExecuteContext } from 'n8n-core';
import {
	type IConnections,
	type INode,
	type INodeParameters,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	Workflow,
	createRunExecutionData,
} from 'n8n-workflow';

import { EngineNodeTypes, FixedItems } from './engineNodeTypes';
import { additionalData } from './n8nEngine';
import { OUR_CREDENTIALS, OUR_NODES } from './ourNodes';
import { type ServiceAccess, credentialFor } from './workflows';

/** What an agent's tool can do, as far as tests need it. */
interface Tool {
	invoke(input: object): Promise<unknown>;
}

const AGENT = 'test.agent';
const TOOL = 'test.tool';

/**
 * Calls one of our nodes as an agent does: through n8n's own wrapping of nodes as tools, with Retry On
 * Fail. Returns what the agent is told.
 *
 * @param nodeName short name of the node, such as `createEdit`
 */
export async function callAsTool(
	access: ServiceAccess,
	nodeName: string,
	parameters: INodeParameters,
	maxTries: number,
): Promise<string> {
	const nodes = [
		node('tool', TOOL, {
			parameters: { ...parameters, toolDescription: 'a tool' },
			credentials: { audioEditingApi: { id: '1', name: 'Audio Editing' } },
			retryOnFail: true,
			maxTries,
			waitBetweenTries: 0,
		}),
		node('agent', AGENT),
	];
	const connections: IConnections = {
		tool: { ai_tool: [[{ node: 'agent', type: NodeConnectionTypes.AiTool, index: 0 }]] },
	};
	const types = {
		[TOOL]: asTool(OUR_NODES[`n8n-nodes-audio-editing.${nodeName}`]),
		[AGENT]: agent(),
	};
	const nodeTypes = new EngineNodeTypes(types, new FixedItems());
	const workflow = new Workflow({
		id: 'test',
		name: 'test',
		active: false,
		nodes,
		connections,
		nodeTypes,
	});
	const data = additionalData({
		credentialTypes: OUR_CREDENTIALS,
		credentials: { audioEditingApi: credentialFor(access) },
	});
	const input = [{ json: {} }];
	const entry = { node: workflow.getNode('agent')!, data: { main: [input] }, source: null };
	const run = createRunExecutionData({});
	const context = new ExecuteContext(
		workflow,
		entry.node,
		data,
		'manual',
		run,
		0,
		input,
		entry.data,
		entry,
		[],
	);
	const tools = await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	const [tool] = [tools].flat() as Tool[];
	return JSON.stringify(await tool.invoke({}).catch((error: Error) => error.message));
}

function node(name: string, type: string, more: Partial<INode> = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...more };
}

/** n8n turns a node into a tool by changing its description; so does this. */
function asTool(original: INodeType): INodeType {
	const text = (name: string, value: string) =>
		({ displayName: name, name, type: 'string', default: value }) as const;
	const properties = [
		...original.description.properties,
		text('toolDescription', ''),
		text('descriptionType', 'manual'),
	];
	const changes = { name: TOOL, inputs: [], outputs: [NodeConnectionTypes.AiTool], properties };
	const description: INodeTypeDescription = { ...original.description, ...changes };
	return Object.create(original, { description: { value: description } }) as INodeType;
}

function agent(): INodeType {
	const node = new FixedItems();
	const inputs = [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool }];
	return Object.create(node, {
		description: { value: { ...node.description, name: AGENT, inputs } },
	}) as INodeType;
}
