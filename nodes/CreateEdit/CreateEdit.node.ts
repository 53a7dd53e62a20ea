import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { COMMON_DESCRIPTION } from '../shared/fields';
import { asNodeError, failedItem, handleEachItem } from '../shared/items';
import { CREATE_EDIT_FIELDS } from './fields';
import { searchTemplates } from './searchTemplates';
import { submitEdit } from './submitEdit';

/** All items as tracks of one recording: one edit, paired with every item. */
async function submitTracks(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const itemIndices = context.getInputData().map((_item, index) => index);
	if (itemIndices.length === 0) return [];
	try {
		const json = await submitEdit(context, itemIndices);
		return [{ json, pairedItem: itemIndices.map((item) => ({ item })) }];
	} catch (error) {
		const nodeError = asNodeError(context.getNode(), error, 0);
		if (!context.continueOnFail()) throw nodeError;
		return [failedItem(nodeError, 0)];
	}
}

export class CreateEdit implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Create Edit',
		name: 'createEdit',
		icon: {
			light: 'file:../../icons/audio-editing.svg',
			dark: 'file:../../icons/audio-editing.dark.svg',
		},
		group: ['transform'],
		subtitle:
			'={{ $parameter["jobType"] === "noise" ? "noise reduction" : ($parameter["configure"] === "json" ? "from JSON" : $parameter["preset"]) }}',
		description:
			'Submit an audio or video file for editing and get the edit ID. Each submission is paid for.',
		defaults: { name: 'Create Edit' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: CREATE_EDIT_FIELDS,
	};

	methods = { listSearch: { searchTemplates } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getNodeParameter('itemsAre', 0) === 'tracks') return [await submitTracks(this)];
		return [
			await handleEachItem(this, async (itemIndex) => ({
				json: await submitEdit(this, [itemIndex]),
				pairedItem: { item: itemIndex },
			})),
		];
	}
}
