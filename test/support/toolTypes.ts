import {
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { OUR_NODES } from './ourNodes';

const TOOL_DESCRIPTION: INodeProperties = {
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	default: 'a tool',
};

/** Our nodes as n8n turns them into tools: another description, and 'Tool' at the end of the type. */
export const OUR_TOOLS: Record<string, INodeType> = Object.fromEntries(
	Object.entries(OUR_NODES)
		.filter(([, { description }]) => description.usableAsTool)
		.map(([type, node]) => [`${type}Tool`, asTool(node)]),
);

function asTool(original: INodeType): INodeType {
	const { name, properties } = original.description;
	const description: INodeTypeDescription = {
		...original.description,
		name: `${name}Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		properties: [TOOL_DESCRIPTION, ...properties],
	};
	return Object.create(original, { description: { value: description } }) as INodeType;
}
