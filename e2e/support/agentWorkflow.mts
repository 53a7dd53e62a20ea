import type { INode, NodeConnectionType } from 'n8n-workflow';

import type { CredentialReference, Editor, Execution, NewWorkflow } from './pages/editor.mts';
import type { Link } from './nodes.mts';
import { chain } from './workflowFiles.mts';

/** The name of the trigger that the editor's chat starts. */
export const CHAT = 'When chat message received';

/**
 * Returns a workflow in which an agent of version 3.1 has these nodes, as they were put on the canvas.
 *
 * @param credential what our nodes use
 * @param start the node before the agent
 * @param helpers the nodes below the agent, by the kind of their connection to it
 */
export function agentWith(
	credential: CredentialReference,
	start: Link,
	helpers: Partial<Record<NodeConnectionType, Link>>,
): NewWorkflow {
	const agent = { name: 'AI Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 3.1 };
	const workflow = chain('Agent', credential, [start, agent]);
	const below = Object.entries(helpers).map(([kind, helper]) => {
		const [node] = chain('Helper', credential, [helper]).nodes as [INode];
		const link = { node: agent.name, type: kind as NodeConnectionType, index: 0 };
		return { node, connections: { [node.name]: { [kind]: [[link]] } } };
	});
	return {
		...workflow,
		nodes: [...workflow.nodes, ...below.map(({ node }) => node)],
		connections: Object.assign(
			{},
			workflow.connections,
			...below.map(({ connections }) => connections),
		) as NewWorkflow['connections'],
	};
}

/** Writes into the editor's chat and waits for the answer. */
export async function chat(
	editor: Editor,
	workflowId: string,
	chatInput: string,
): Promise<Execution> {
	const message = { sessionId: 'e2e', action: 'sendMessage', chatInput };
	return await editor.reached(await editor.run(workflowId, CHAT, message));
}
