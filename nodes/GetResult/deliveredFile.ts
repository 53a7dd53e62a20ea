import type { IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';

import type { DownloadKind } from './downloads';

/** What the delivery of an edit leaves to be done. */
export interface Delivered {
	/** Whether the item comes from a Wait For Edit that took the delivery of this edit. */
	readonly isDelivered: boolean;
	/** The delivered file, if the item still has it, in the output field where it belongs. */
	readonly binary: IBinaryKeyData;
	/** The chosen kinds of files that remain to be downloaded. */
	readonly kinds: readonly DownloadKind[];
}

/**
 * The delivered file of an item: the one of the name that Wait For Edit gave it. It goes into the output
 * field where the edited file is asked for, and else stays in its own.
 *
 * @param chosen the kinds of files that are asked for
 */
export function deliveredFile(
	{ json = {}, binary = {} }: Partial<INodeExecutionData>,
	editId: string,
	chosen: readonly DownloadKind[],
	outputField: string,
): Delivered {
	const isDelivered = json.delivered === true && json.editId === editId;
	const found = Object.entries(binary).find(([, { fileName }]) => fileName === json.fileName);
	if (!isDelivered || found === undefined) return { isDelivered, binary: {}, kinds: chosen };
	const [field, file] = found;
	return {
		isDelivered,
		binary: { [chosen.includes('edited') ? outputField : field]: file },
		kinds: chosen.filter((kind) => kind !== 'edited'),
	};
}
