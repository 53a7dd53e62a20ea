/** A node's form as the rules see it. */
import { type INodeProperties, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

export type Description = Pick<
	INodeTypeDescription,
	'displayName' | 'name' | 'version' | 'defaultVersion' | 'subtitle' | 'properties'
> &
	Partial<INodeTypeDescription>;

/** What can be chosen in a field. */
export interface Choice {
	readonly name: string;
	readonly value: unknown;
	readonly description?: string;
	readonly action?: string;
}

export function newestVersionOf({ version, defaultVersion }: Description): number {
	return defaultVersion ?? Math.max(...[version].flat());
}

/** Returns the fields that the newest version shows at the top level, in order. */
export function newestFields(form: Description, isTool = false): INodeProperties[] {
	const version = newestVersionOf(form);
	return form.properties.filter(({ displayOptions: { show, hide } = {} }) => {
		const matches = (conditions: typeof show, key: string, value: number | boolean) =>
			conditions?.[key] && NodeHelpers.checkConditions(conditions[key], [value]);
		return ['@version', '@tool'].every((key) => {
			const value = key === '@tool' ? isTool : version;
			return matches(show, key, value) !== false && matches(hide, key, value) !== true;
		});
	});
}

/** Returns the fields inside a field. */
function innerFields({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
}

/** Returns the fields of all versions, also those inside collections. */
export function allFields({ properties }: Pick<Description, 'properties'>): INodeProperties[] {
	return properties.flatMap((field) => [field, ...allFields({ properties: innerFields(field) })]);
}

/** Returns what can be chosen in a field. */
export function choicesOf({ options = [] }: INodeProperties): Choice[] {
	return options.filter((option) => 'value' in option);
}
