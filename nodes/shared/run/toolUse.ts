import type { IExecuteFunctions, INode } from 'n8n-workflow';

/**
 * Whether an agent runs the node. n8n appends 'Tool' to the type of a node used as a tool. AI Agents from
 * version 3 on run tools like any other node, so `isToolExecution()` is false there.
 */
export function isToolUse(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;
}

interface FieldAdvice {
	readonly name: string;
	readonly label: string;
	readonly inWorkflow: string;
	/** For the agent's model, if it fills in the field. */
	readonly forModel: string;
}

/** What to do about an unusable field: in a workflow, as a model, or in a tool where ✨ is off. */
export function adviceOn(
	{ isTool, node }: { readonly isTool: boolean; readonly node: INode },
	{ name, label, inWorkflow, forModel }: FieldAdvice,
): string {
	if (!isTool) return inWorkflow;
	const isFilledByModel = String(node.parameters[name]).includes('$fromAI');
	return isFilledByModel
		? forModel
		: `In the form of this tool, press ✨ at '${label}' so that the agent's model fills it in.`;
}
