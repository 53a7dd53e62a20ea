import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { OUR_CREDENTIALS, OUR_NODES } from './ourNodes';

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** The labels of a form's fields, and of the choices in them. */
export function labelsIn(entries: readonly Entry[] = []): string[] {
	return entries.flatMap((entry) => {
		const label = 'displayName' in entry ? entry.displayName : entry.name;
		const inner = [
			...('options' in entry ? (entry.options ?? []) : []),
			...('values' in entry ? entry.values : []),
		];
		return [label, ...labelsIn(inner)];
	});
}

const CREDENTIAL = labelsIn(Object.values(OUR_CREDENTIALS).flatMap(({ properties }) => properties));

/** What texts call a node, from its short name: `createEdit` is Create Edit. */
function titleOf(type: string): string {
	return type.replace(/^./, (first) => first.toUpperCase()).replace(/(?!^)[A-Z]/g, ' $&');
}

/** The labels that a person sees at each node, by what texts call it. */
const FORMS = new Map(
	Object.values(OUR_NODES).map(({ description: { name, properties } }) => [
		titleOf(name),
		new Set([...labelsIn(properties), ...CREDENTIAL]),
	]),
);

const ALL = new Set([...FORMS.values()].flatMap((labels) => [...labels]));

/** Says in which node a field is: in one that creates edits, or in one by the name it has in the workflow. */
const ELSEWHERE = /when you created? the edit|on the edit\b|' of '/;

/**
 * Returns the fields and choices of other forms that a text of a node names, unless the sentence says in
 * which node they are.
 *
 * @param node the node's short name, or what texts call it; for anything else, nothing is returned
 */
export function foreignFields(node: string, text: string): string[] {
	const own = FORMS.get(node) ?? FORMS.get(titleOf(node));
	if (own === undefined) return [];
	return text.split(/(?<=[.:;])\s+/).flatMap((sentence) => {
		const named = [...sentence.matchAll(/'([A-Z][^']{1,60})'/g)].map(([, label]) => label);
		const saysWhere = (label: string) =>
			ELSEWHERE.test(sentence) ||
			[...FORMS].some(([other, labels]) => sentence.includes(other) && labels.has(label));
		return named.filter((label) => ALL.has(label) && !own.has(label) && !saysWhere(label));
	});
}
