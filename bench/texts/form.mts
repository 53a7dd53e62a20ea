/** A node's form as the rules see it. */
import { type INodeProperties, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

export type Description = Pick<
	INodeTypeDescription,
	'displayName' | 'name' | 'version' | 'subtitle' | 'properties'
> &
	Partial<INodeTypeDescription>;

/** What can be chosen in a field. */
export interface Choice {
	readonly name: string;
	readonly value: unknown;
	readonly description?: string;
	readonly action?: string;
}

/** Returns the fields at the top level of a form for people or, if `isTool`, of an agent's tool, in order. */
export function fieldsOf({ properties }: Description, isTool = false): INodeProperties[] {
	return properties.filter(({ displayOptions: { show, hide } = {} }) => {
		const matches = (conditions: typeof show) =>
			conditions?.['@tool'] && NodeHelpers.checkConditions(conditions['@tool'], [isTool]);
		return matches(show) !== false && matches(hide) !== true;
	});
}

/** Returns the fields inside a field. */
function innerFields({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
}

/** Returns all fields, also those inside collections. */
export function allFields({ properties }: Pick<Description, 'properties'>): INodeProperties[] {
	return properties.flatMap((field) => [field, ...allFields({ properties: innerFields(field) })]);
}

/** Returns what can be chosen in a field. */
export function choicesOf({ options = [] }: INodeProperties): Choice[] {
	return options.filter((option) => 'value' in option);
}
