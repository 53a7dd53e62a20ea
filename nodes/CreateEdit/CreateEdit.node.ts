import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { searchConfigurations } from '../shared/configurations';
import { MAIN } from '../shared/connection';
import { COMMON_DESCRIPTION } from '../shared/fields';
import { answering } from '../shared/toolUse';
import { CREATE_EDIT_FIELDS } from './fields';

export class CreateEdit implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		version: [1, 2],
		defaultVersion: 2,
		displayName: 'Audio Editing Create Edit',
		name: 'createEdit',
		icon: {
			light: 'file:../../icons/audio-editing.svg',
			dark: 'file:../../icons/audio-editing.dark.svg',
		},
		group: ['transform'],
		subtitle:
			'={{ $parameter["jobType"] === "noise" ? "noise reduction" : $parameter["configure"] === "fields" ? $parameter["preset"] : $parameter["configure"] }}',
		description:
			'Submit an audio or video file for editing and get the edit ID. Each submission is paid for.',
		defaults: { name: 'Create Edit' },
		hints: [
			{
				message:
					"If you stop the workflow, n8n drops this output. n8n's log still names each edit ID, and the workflow setting 'Save execution progress' keeps the output once this node has ended.",
				type: 'info',
				location: 'outputPane',
				whenToDisplay: 'beforeExecution',
				// One edit is easily found again at the service.
				displayCondition: '={{ $input.all().length > 1 }}',
			},
		],
		usableAsTool: {
			replacements: {
				description:
					'Submit an audio or video file at a URL for editing. Every call is paid for: call it once for a recording. Returns editId at once, while the edit itself takes minutes; give that editId to Wait For Edit or Get Result.',
			},
		},
		inputs: [MAIN],
		outputs: [MAIN],
		properties: CREATE_EDIT_FIELDS,
	};

	methods = { listSearch: { searchConfigurations } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getInputData().length === 0) return [[]];
		const { createEdits } = await import('./createEdits');
		return await answering(this, async () => [await createEdits(this)]);
	}
}
