import type { INode } from 'n8n-workflow';

import { type OptionGroup, optionsIn } from '../form/optionGroups';

/** An output of a node, and the option with which it is there; without one, it is always there. */
export interface NodeOutput<Name extends string = string> {
	readonly name: Name;
	/** What the canvas shows if there are several. */
	readonly label: string;
	readonly group?: OptionGroup;
	readonly option?: string;
	/** The value of the option; any value if missing. */
	readonly value?: string;
}

/** The expression for the outputs of a node, by its options, which take no expression themselves. */
export function outputsExpression(outputs: readonly NodeOutput[]): `={{${string}}}` {
	const conditions = outputs.filter(({ option }) => option !== undefined).map(condition);
	const entries = outputs.map((output) => {
		const entry = `[{ type: "main", displayName: "${output.label}" }]`;
		return output.option === undefined ? entry : `${condition(output)} ? ${entry} : []`;
	});
	return `={{ ${conditions.join(' || ')} ? [].concat(${entries.join(', ')}) : ["main"] }}`;
}

function condition({ group, option, value }: NodeOutput): string {
	const given = `$parameter["${group}"]?.["${option}"]`;
	return value === undefined ? given : `${given} === "${value}"`;
}

/** The number of an output of a node, from 0; that of the first one where it is not there. */
export function outputNumber<Name extends string>(
	{ parameters }: INode,
	outputs: ReadonlyArray<NodeOutput<Name>>,
	name: Name,
): number {
	const options = optionsIn(parameters);
	const there = outputs.filter(({ option, value }) => {
		const given = option === undefined || (options[option] ?? '');
		return value === undefined ? Boolean(given) : given === value;
	});
	return Math.max(
		there.findIndex((output) => output.name === name),
		0,
	);
}
