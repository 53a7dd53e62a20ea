import { type INodeProperties, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { OPTION_COLLECTIONS } from '../../nodes/core/form/optionGroups';
import { OPTION_WORDS } from './optionWords';

const optionsOf = ({ options = [] }: INodeProperties) => options as INodeProperties[];

/** The fields and groups that n8n's editor shows when it opens the form of a new node. */
export function openForm(description: INodeTypeDescription) {
	const { properties } = description;
	const values =
		NodeHelpers.getNodeParameters(properties, {}, true, false, null, description) ?? {};
	const shown = properties.filter((field) =>
		NodeHelpers.displayParameter(values, field, { typeVersion: 1 }, description),
	);
	const groups = shown.filter(({ name }) => OPTION_COLLECTIONS.has(name));
	return { fields: shown.filter((field) => !groups.includes(field)), groups };
}

/** Returns the words whose option is in none of their groups, and which n8n's filter finds in no label. */
export function missedWords(description: INodeTypeDescription): string[] {
	const { fields, groups } = openForm(description);
	const inGroup = (group: string) =>
		group === 'form' ? fields : groups.filter(({ name }) => name === group).flatMap(optionsOf);
	const all = [...fields, ...groups.flatMap(optionsOf)];
	const missed = OPTION_WORDS.filter(({ word, groups: likely, fields: doing }) => {
		const filtered = all.filter(({ displayName }) => displayName.toLowerCase().includes(word));
		return ![...likely.flatMap(inGroup), ...filtered].some(({ name }) => doing.includes(name));
	});
	return missed.map(({ word }) => word);
}

/** Returns the longest list of options to add in a form, also of those inside an option. */
export function longestCollection(properties: readonly INodeProperties[]): INodeProperties {
	const collections = properties.flatMap((field) =>
		field.type === 'collection' ? [field, ...optionsOf(field)] : [],
	);
	const lists = collections.filter(({ type }) => type === 'collection');
	return lists.reduce((one, other) =>
		optionsOf(one).length < optionsOf(other).length ? other : one,
	);
}
