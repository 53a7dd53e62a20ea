/** The lines below the nodes on the canvas, for everything that can be chosen. */
import {
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type NodeParameterValueType,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';

import { type Description, allFields, choicesOf } from './form.mts';
import { wordsNotInTitleCase } from './titleCase.mts';

const PARAMETER = /\$(?:rawP|p)arameter(?:\?\.)?(?:\["|\.)(\w+)/g;

/** What people type into a text field. In Title Case, so that only our own words can be wrong. */
const TYPED = 'Typed';

const TEMPLATE = { __rl: true, mode: 'id', value: '12' };

function valuesOf(form: Description, name: string): NodeParameterValueType[] {
	const fields = allFields(form).filter((field) => field.name === name);
	const choices = [...new Set(fields.flatMap(choicesOf).map(({ value }) => value as string))];
	const field = fields.at(0);
	if (field?.type === 'multiOptions') return [...choices.map((value) => [value]), choices, []];
	if (choices.length > 0) return choices;
	if (field?.type === 'resourceLocator') return [TEMPLATE];
	return field?.type === 'string' ? [TYPED] : [field?.default];
}

/** Returns every combination of the values of the fields that a form's subtitle reads. */
function settings(form: Description): INodeParameters[] {
	const matches = [...(form.subtitle ?? '').matchAll(PARAMETER)];
	const names = [...new Set(matches.map(([, name]) => name))];
	return names.reduce<INodeParameters[]>(
		(before, name) =>
			before.flatMap((one) => valuesOf(form, name).map((value) => ({ ...one, [name]: value }))),
		[{}],
	);
}

/** Returns each line that n8n can show below a node. */
export async function subtitlesOf(type: INodeType): Promise<string[]> {
	const { description } = type;
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const lines = new Set<string>();
	for (const chosen of settings(description)) {
		const node = {
			id: '1',
			name: 'Node',
			type: description.name,
			position: [0, 0] as [number, number],
			typeVersion: Number(description.version),
			parameters: chosen,
		};
		const { properties } = description;
		const all = NodeHelpers.getNodeParameters(properties, chosen, true, false, node, description);
		node.parameters = { ...all, ...chosen };
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		await workflow.expression.acquireIsolate();
		const { subtitle } = description;
		const line = workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
		await workflow.expression.releaseIsolate();
		if (typeof line === 'string') lines.add(line);
	}
	return [...lines];
}

/** Whether a subtitle has a raw value of the workflow or words that are not in Title Case. */
export function isRaw(line: string, form: Description): boolean {
	const choices = allFields(form).flatMap(choicesOf);
	const raw = choices.filter(({ name, value }) => name !== value).map(({ value }) => value);
	return (
		raw.includes(line) || /\b\p{Ll}\w*\p{Lu}/u.test(line) || wordsNotInTitleCase(line).length > 0
	);
}
