import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { jsonOf } from './parameters';
import type { NodeRun } from '../run/nodeRun';

/** The `sourceFileName` of an input item, for its output: it shows which recording an edit belongs to. */
export function sourceFileOf(run: NodeRun, itemIndex: number): { sourceFileName?: string } {
	const { sourceFileName } = jsonOf(run, itemIndex);
	return typeof sourceFileName === 'string' && sourceFileName !== '' ? { sourceFileName } : {};
}

/**
 * The json of an input item, for its output. With Retry On Fail, it lacks the field `error`: n8n takes that
 * for a failure of this node, and runs the whole node again.
 */
export function passedJson(run: NodeRun, itemIndex: number): IDataObject {
	const json = jsonOf(run, itemIndex);
	if (run.node.retryOnFail !== true) return json;
	return Object.fromEntries(Object.entries(json).filter(([key]) => key !== 'error'));
}

/**
 * The files of an output item: those that the node made, and those of its input items if the user keeps
 * them. An input file whose field is taken goes into a field such as `data_input`.
 */
export function filesOf(
	run: NodeRun,
	itemIndices: readonly number[],
	made: IBinaryKeyData = {},
): Pick<INodeExecutionData, 'binary'> {
	const isKept = run.parameter('keepInputFiles', itemIndices[0], false) === true;
	const items = run.items;
	const binary = besides(made, isKept ? itemIndices.map((index) => items[index].binary ?? {}) : []);
	return Object.keys(binary).length > 0 ? { binary } : {};
}

/** Adds the files of input items to those that the node made. */
export function besides(made: IBinaryKeyData, inputs: readonly IBinaryKeyData[]): IBinaryKeyData {
	const binary = { ...made };
	for (const [name, file] of inputs.flatMap((input) => Object.entries(input))) {
		// A delivered file is in both.
		if (!Object.values(binary).includes(file)) binary[freeField(name, binary)] = file;
	}
	return binary;
}

function freeField(name: string, taken: IBinaryKeyData): string {
	if (!(name in taken)) return name;
	const endings = ['input', ...Object.keys(taken).map((_field, index) => `input_${index + 2}`)];
	return endings.map((ending) => `${name}_${ending}`).find((field) => !(field in taken))!;
}
