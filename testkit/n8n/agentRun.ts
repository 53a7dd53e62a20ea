import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	ITaskData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testDescription } from './engineNodeTypes';
import type { RunRequest } from './n8nEngine';
import { OUR_NODES } from './ourNodes';
import { OUR_TOOLS } from './toolTypes';
import { type NodeSpec, type ServiceAccess, chain, runChain } from './workflows';

/** A model's call of a tool: the name of the tool's node, and the values it fills in. */
export interface ToolCall {
	readonly tool: string;
	readonly input?: IDataObject;
}

const AGENT = 'test.agent';

/**
 * Runs an agent of version 3 whose model makes the given calls. Like n8n's own agent, it asks the engine
 * to run its tools, so that each runs in an ordinary execution context.
 *
 * @param tools our nodes by their short names, such as `createEdit`
 * @param turns the calls of each of the model's turns
 */
export async function runAgent(
	access: ServiceAccess,
	tools: readonly NodeSpec[],
	turns: ReadonlyArray<readonly ToolCall[]>,
	more: Partial<RunRequest> = {},
) {
	/** The answers to the model's calls, in their order. */
	const answers: string[] = [];
	const { nodes, connections } = chain({ type: AGENT, name: 'agent', settings: { type: AGENT } });
	for (const tool of tools) {
		const [, node] = chain({
			...tool,
			type: `${tool.type}Tool`,
			name: tool.name ?? tool.type,
		}).nodes;
		nodes.push({ ...node, id: node.name });
		connections[node.name] = {
			ai_tool: [[{ node: 'agent', type: NodeConnectionTypes.AiTool, index: 0 }]],
		};
	}
	const nodeTypes = { ...OUR_NODES, ...OUR_TOOLS, [AGENT]: agent(turns, answers) };
	const run = await runChain(access, { nodes, connections }, undefined, { nodeTypes, ...more });
	return { run, answers };
}

/** The part of the state n8n's agent sends with a request that matters here. */
interface AgentState {
	readonly turn?: number;
	readonly itemIndex?: number;
}

function agent(turns: ReadonlyArray<readonly ToolCall[]>, answers: string[]): INodeType {
	const inputs = [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool }];
	return {
		description: testDescription({ name: AGENT, inputs }),
		async execute(
			this: IExecuteFunctions,
			response?: EngineResponse<AgentState>,
		): Promise<INodeExecutionData[][] | EngineRequest<AgentState>> {
			answers.push(...(response?.actionResponses ?? []).map(({ data }) => observation(data)));
			const turn = response?.metadata?.turn ?? 0;
			if (turn === turns.length) return [[{ json: { output: 'done' } }]];
			const actions = turns[turn].map(({ tool, input = {} }, index) => ({
				actionType: 'ExecutionNodeAction' as const,
				nodeName: tool,
				input,
				type: NodeConnectionTypes.AiTool,
				id: `call-${turn}-${index}`,
				metadata: { itemIndex: 0 },
			}));
			return { actions, metadata: { turn: turn + 1 } };
		},
	};
}

/** Returns what n8n's agent passes to its model after a tool's run. */
function observation({ data, error }: ITaskData): string {
	const items = data?.ai_tool?.[0]?.map(({ json }) => json) ?? [];
	if (items.length > 0) return JSON.stringify(items);
	return JSON.stringify(error === undefined ? '' : { error: error.message });
}
