import type { INodeExecutionData } from 'n8n-workflow';

/**
 * Each file of an item as its own item with its name, so that one node stores all of them. An item without files
 * stays as it is.
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
		// A name that a person takes must not be that of the edited file for all of them.
		const { fileName = null } = file;
		const own = { editedFileName: fileName, ...('fileName' in json && { fileName }) };
		return {
			json: { ...json, ...own, kind: kinds[from] ?? 'input' },
			binary: { [field]: file },
		};
	});
}
