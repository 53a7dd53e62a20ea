import type { INodeExecutionData } from 'n8n-workflow';

/**
 * Each file of an item as its own item, so that one node that stores files stores all of them. An item
 * without files stays as it is.
 *
 * @param field the output field that every file is put in
 * @param kindOf says what the file in a field of the item is, such as `edited` or `subtitlesSrt`
 */
export function itemPerFile(
	item: INodeExecutionData,
	field: string,
	kindOf: (field: string) => string | undefined,
): INodeExecutionData[] {
	const { json, binary, pairedItem } = item;
	if (binary === undefined) return [item];
	return Object.entries(binary).map(([from, file]) => ({
		json: { ...json, kind: kindOf(from), fileName: file.fileName },
		binary: { [field]: file },
		pairedItem,
	}));
}
