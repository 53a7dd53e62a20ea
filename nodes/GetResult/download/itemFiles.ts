import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { DownloadKind } from './downloads';

/** What an input item has of its edit, and what remains to be downloaded. */
interface Delivered {
	/** Whether the item comes from a Wait For Edit that took the delivery of this edit. */
	readonly isDelivered: boolean;
	/** The delivered file, if the item still has it, under its output field. */
	readonly binary: IBinaryKeyData;
	readonly kinds: readonly DownloadKind[];
}

/**
 * Finds the delivered file of an item by the name that Wait For Edit gave it. The file goes into the
 * output field if the person chose the edited file, and stays in its own field otherwise.
 *
 * @param chosen the kinds of files that the person chose
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

/**
 * Each file of an item as its own item, so that one node stores all of them. An item without files stays
 * as it is.
 *
 * @param field the output field of every file
 * @param kindOf returns what the file in a field of the item is, such as `edited` or `subtitlesSrt`
 */
export function itemPerFile(
	item: INodeExecutionData,
	field: string,
	kindOf: (field: string) => string | undefined,
): INodeExecutionData[] {
	const { json, binary, pairedItem } = item;
	if (binary === undefined) return [item];
	return Object.entries(binary).map(([from, file]) => {
		const { fileName } = file;
		// A name that a person takes from `edit` must not be that of the first file for all of them.
		const edit = json.edit && { edit: { ...(json.edit as IDataObject), fileName } };
		return {
			json: { ...json, kind: kindOf(from), fileName, ...edit },
			binary: { [field]: file },
			pairedItem,
		};
	});
}
