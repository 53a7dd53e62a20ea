import {
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { OUR_NODES } from './ourNodes';

/** The field that n8n adds to a tool without one. It ignores the text in `usableAsTool.replacements`. */
const toolDescription = (text: string): INodeProperties => ({
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	default: text,
});

/** Our nodes as n8n turns them into tools: another description, and 'Tool' at the end of the type. */
export const OUR_TOOLS: Record<string, INodeType> = Object.fromEntries(
	Object.entries(OUR_NODES)
		.filter(([, { description }]) => description.usableAsTool)
		.map(([type, node]) => [`${type}Tool`, asTool(node)]),
);

function asTool(original: INodeType): INodeType {
	const { name, properties, description: text } = original.description;
	const hasOwn = properties.some((property) => property.name === 'toolDescription');
	const description: INodeTypeDescription = {
		...original.description,
		name: `${name}Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		properties: hasOwn ? properties : [toolDescription(text), ...properties],
	};
	return Object.create(original, { description: { value: description } }) as INodeType;
}
