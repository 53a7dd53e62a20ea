import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** What an item says of its failure, as n8n passes it on by its outputs; undefined where it did not fail. */
export function failureOf({ json }: INodeExecutionData): IDataObject | undefined {
	if (typeof json.failure === 'object' && json.failure !== null) return json.failure as IDataObject;
	return typeof json.error === 'string' ? { message: json.error } : undefined;
}
