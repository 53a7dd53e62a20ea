import type {
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { jsonOf } from './parameters';

/**
 * What an item says about the recording it comes from, for the item that goes on in its place: nobody
 * should have to look back at Upload to learn whose edit this is.
 */
export function sourceFileOf(
	context: IExecuteFunctions,
	itemIndex: number,
): { sourceFileName?: string } {
	const { sourceFileName } = jsonOf(context, itemIndex);
	return typeof sourceFileName === 'string' && sourceFileName !== '' ? { sourceFileName } : {};
}

/** Whether the output also has the files of the input. */
export const KEEP_INPUT_FILES_FIELD: INodeProperties = {
	displayName: 'Keep Input Files',
	name: 'keepInputFiles',
	type: 'boolean',
	default: false,
	description:
		'Whether the output also has the files of the input item. If a field is already used, the input file goes into a field such as data_input.',
};

/**
 * The files of an output item: those that were made, and those of its input items where the person keeps
 * them. None is written over: a field that is taken gets an ending.
 */
export function filesOf(
	context: IExecuteFunctions,
	itemIndices: readonly number[],
	made: IBinaryKeyData = {},
): Pick<INodeExecutionData, 'binary'> {
	const isKept = context.getNodeParameter('keepInputFiles', itemIndices[0], false) === true;
	const items = context.getInputData();
	const binary = besides(made, isKept ? itemIndices.map((index) => items[index].binary ?? {}) : []);
	return Object.keys(binary).length > 0 ? { binary } : {};
}

/** Files beside those that were made. */
export function besides(made: IBinaryKeyData, inputs: readonly IBinaryKeyData[]): IBinaryKeyData {
	const binary = { ...made };
	for (const [name, file] of inputs.flatMap((input) => Object.entries(input))) {
		// A file that was delivered is in both already.
		if (!Object.values(binary).includes(file)) binary[freeField(name, binary)] = file;
	}
	return binary;
}

function freeField(name: string, taken: IBinaryKeyData): string {
	if (!(name in taken)) return name;
	const endings = ['input', ...Object.keys(taken).map((_field, index) => `input_${index + 2}`)];
	return endings.map((ending) => `${name}_${ending}`).find((field) => !(field in taken))!;
}
