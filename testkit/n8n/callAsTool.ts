import { ExecuteContext } from 'n8n-core';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	NodeConnectionTypes,
	type Workflow,
	createRunExecutionData,
} from 'n8n-workflow';

import { testDescription, workflowOf } from './engineNodeTypes';
import { OUR_TOOLS } from './toolTypes';
import { type ServiceAccess, chain, dataFor } from './workflows';

/** The part of an agent's tool that tests need. */
interface Tool {
	invoke(input: object): Promise<unknown>;
}

const AGENT = 'test.agent';

const AGENT_TYPE = {
	description: testDescription({
		inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool }],
	}),
};

/** A node as a tool, and the values a model fills in for each call. */
interface ToolCalls {
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
	const { nodes } = chain(
		{ type: 'agent', settings: { type: AGENT } },
		{ type: `${nodeName}Tool`, name: 'tool', parameters },
	);
	const toAgent = { node: 'agent', type: NodeConnectionTypes.AiTool, index: 0 };
	const workflow = workflowOf(
		{ nodes, connections: { tool: { ai_tool: [[toAgent]] } } },
		{ ...OUR_TOOLS, [AGENT]: AGENT_TYPE },
	);
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
	const entry = { node: workflow.getNode('agent')!, data: { main: [items] }, source: null };
	return new ExecuteContext(
		workflow,
		entry.node,
		dataFor(access),
		'manual',
		createRunExecutionData({}),
		0,
		items,
		entry.data,
		entry,
		[],
	);
}
