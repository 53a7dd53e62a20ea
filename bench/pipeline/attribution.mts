import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { readText } from '../../nodes/shared/form/texts.ts';
import { type Job, ORIGIN, type VirtualService } from './virtualService.mts';

/** What a run of the node got to work on. */
interface Given {
	readonly items: readonly INodeExecutionData[];
	readonly parameters: INodeParameters;
}

/** Outputs that say of a file or of an edit what is not so. */
export interface Mistakes {
	/** Items whose edit was made from another file or with other settings than those of the run. */
	wrongFile: number;
	/** Files of another edit than the item's. */
	wrongEdit: number;
}

/** Adds the mistakes in what a run of the node output. */
export function countMistakes(
	mistakes: Mistakes,
	given: Given,
	output: readonly INodeExecutionData[],
	service: VirtualService,
): void {
	for (const { json, binary = {}, pairedItem } of output) {
		const job = service.job(readText(json.editId));
		if (job === undefined) continue;
		const input = given.items[(pairedItem as { item: number }).item];
		if (!isFrom(job, input, given.parameters)) mistakes.wrongFile += 1;
		if (json.sourceFileName !== job.recording.name) mistakes.wrongFile += 1;
		const editIds = Object.values(binary).map(({ id = '' }) => id.split(':')[1]);
		mistakes.wrongEdit += editIds.filter((id) => id.startsWith('edit-') && id !== job.id).length;
	}
}

/** Whether an edit was made from the file of an item, as the node is set. */
function isFrom({ id, recording, config }: Job, input: INodeExecutionData, set: INodeParameters) {
	// A loop brings an unfinished edit back, and what it was made from stays.
	if (input.json.editId !== undefined) return input.json.editId === id;
	const { binaryPropertyName, preset } = set;
	const file = input.binary?.[readText(binaryPropertyName)].fileName;
	const url = `${ORIGIN}/public/${recording.name}`;
	const isSource = file === undefined ? input.json.fileUrl === url : file === recording.name;
	return isSource && config.includes('"fillers":true') === (preset === 'fullEdit');
}
