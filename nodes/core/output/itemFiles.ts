import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/**
 * Each file of an item as its own item, so that one node stores all of them. An item without files stays
 * as it is.
 *
 * @param field the output field of every file
 * @param kinds what the files in the fields of the item are, such as `edited` or `subtitlesSrt`; the others are
 * those of the input
 */
export function itemPerFile(
	item: INodeExecutionData,
	field: string,
	kinds: Readonly<Record<string, string>>,
): INodeExecutionData[] {
	const { json, binary } = item;
	if (binary === undefined) return [item];
	return Object.entries(binary).map(([from, file]) => {
		const { fileName } = file;
		// A name that a person takes from `edit` must not be that of the first file for all of them.
		const edit = json.edit && { edit: { ...(json.edit as IDataObject), fileName } };
		return {
			json: { ...json, kind: kinds[from] ?? 'input', fileName, ...edit },
			binary: { [field]: file },
		};
	});
}
