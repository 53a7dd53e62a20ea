import type { INodeParameters } from 'n8n-workflow';

import { OUR_NODES } from './ourNodes';

/**
 * Returns the fields of one of our nodes as n8n saves them. Tests name a field; whether the form has it
 * under 'Options' is for the form to know.
 *
 * @param type the node's short name
 */
export function placed(type: string, fields: INodeParameters): INodeParameters {
	const node = OUR_NODES[`n8n-nodes-audio-editing.${type.replace(/Tool$/, '')}`];
	const properties = node?.description.properties ?? [];
	const collection = properties.find(({ name }) => name === 'options');
	const isOption = ([field]: [string, unknown]) =>
		properties.every(({ name }) => name !== field) &&
		collection?.options?.some(({ name }) => name === field);
	const entries = Object.entries(fields);
	const moved = entries.filter(isOption);
	if (moved.length === 0) return fields;
	const left = entries.filter((entry) => !moved.includes(entry));
	const options = { ...(fields.options as INodeParameters), ...Object.fromEntries(moved) };
	return { ...Object.fromEntries(left), options };
}
