import {
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { CREDENTIAL_NAME } from '../../api/credential';

/**
 * The connection that items travel on. n8n up to 1.82 has no list of connection types, and reading from
 * it would keep every node of the package from loading.
 */
export const MAIN = NodeConnectionTypes?.Main ?? 'main';

/** What every node of the package says alike; n8n's lint wants the icons in each node's own file. */
export const COMMON_DESCRIPTION = {
	version: 1,
	credentials: [{ name: CREDENTIAL_NAME, required: true }],
} satisfies Partial<INodeTypeDescription>;

/**
 * A map from the values of a field to their labels, for the expression of a node's subtitle: people read
 * labels there, not the values of a saved workflow.
 */
export const labelsOf = (options: readonly INodePropertyOptions[]): string =>
	`(${JSON.stringify(Object.fromEntries(options.map(({ name, value }) => [value, name])))})`;

/** Shows a field in the versions of its node up to this one. */
export const untilVersion = (version: number): NonNullable<INodeProperties['displayOptions']> => ({
	show: { '@version': [{ _cnd: { lte: version } }] },
});

/** Shows a field in the versions of its node from this one on. */
export const fromVersion = (version: number): NonNullable<INodeProperties['displayOptions']> => ({
	show: { '@version': [{ _cnd: { gte: version } }] },
});

/**
 * Shows a field from this version of its node on, unless the node is an agent's tool. n8n versions that
 * do not know `@tool` hide nothing for it, so they show this field for tools as well.
 */
export const outsideTools = (version: number): NonNullable<INodeProperties['displayOptions']> => ({
	...fromVersion(version),
	hide: { '@tool': [true] },
});

/** Shows a field from this version of its node on, where the node is an agent's tool. */
export const forTools = (version: number): NonNullable<INodeProperties['displayOptions']> => ({
	show: { ...fromVersion(version).show, '@tool': [true] },
});

/**
 * The value of a field that the agent's model fills in. The comment is what n8n's editor writes for its
 * button ✨, so that it shows the field as filled in by the model.
 *
 * It must be the default of a field in the node itself, not in `usableAsTool.replacements`: n8n does not
 * save what equals the default in the editor, and runs the tool with the defaults of the node.
 *
 * @param key letters, digits and underscores
 * @param description what the model reads; without backticks
 * @param otherwise what it is where the model leaves it out
 */
export const filledByModel = (key: string, description: string, otherwise?: string): string => {
	const fallback = otherwise === undefined ? '' : `, '${otherwise}'`;
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, 'string'${fallback}) }}`;
};

/** A text field, and the field of the input item that it stands for when it is left empty. */
type InheritingField = Pick<INodeProperties, 'displayName' | 'name' | 'typeOptions' | 'hint'> & {
	readonly placeholder: string;
	readonly description: string;
	readonly inherits: string;
	/** What an agent's model reads about the field. */
	readonly forModel: string;
};

/**
 * A field that takes its value from the input item, so that people can chain nodes without typing.
 * Before `version` it holds an expression, and a value dropped into the field lands inside it. From
 * `version` on it is empty, and empty means the same; in an agent's tool the model fills it in.
 */
export function inheritingField(
	version: number,
	{ inherits, forModel, ...field }: InheritingField,
): INodeProperties[] {
	const newField: INodeProperties = {
		...field,
		type: 'string',
		default: '',
		placeholder: `${inherits} of the input item, or ${field.placeholder}`,
		description: `${field.description}. Leave empty to use '${inherits}' of the input item.`,
	};
	return [
		{
			...field,
			type: 'string',
			required: true,
			default: `={{ $json.${inherits} }}`,
			displayOptions: untilVersion(version - 1),
		},
		{ ...newField, displayOptions: outsideTools(version) },
		{
			...newField,
			default: filledByModel(inherits, forModel),
			displayOptions: forTools(version),
		},
	];
}

/**
 * The field for the edit's ID.
 *
 * @param version the first version of the node in which it is empty
 */
export const editIdFields = (version: number): INodeProperties[] =>
	inheritingField(version, {
		displayName: 'Edit ID',
		name: 'editId',
		inherits: 'editId',
		placeholder: 'e.g. 7f9c24e5-2d1b-4f0e-9a53-0c3b1f6f2a11',
		description: 'ID of the edit, from the output of Create Edit',
		forModel: 'The editId that Create Edit returned',
	});

/** Whether the output is the summary or everything. */
export const SIMPLIFY_FIELD: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** How many files travel at the same time, an entry of the node's options. */
export const TRANSFERS_AT_ONCE_FIELD: INodeProperties = {
	displayName: 'Transfers at Once',
	name: 'transfersAtOnce',
	type: 'number',
	default: 2,
	typeOptions: { minValue: 1, maxValue: 10, numberPrecision: 0 },
	description: 'How many items have their files on the way at the same time',
};
