import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

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
	const { json, binary } = item;
	if (binary === undefined) return [item];
	return Object.entries(binary).map(([from, file]) => {
		const { fileName } = file;
		// A name that a person takes from `edit` must not be that of the first file for all of them.
		const edit = json.edit && { edit: { ...(json.edit as IDataObject), fileName } };
		return {
			json: { ...json, kind: kindOf(from), fileName, ...edit },
			binary: { [field]: file },
		};
	});
}
