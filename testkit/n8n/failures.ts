import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** Returns an item's failure as n8n passes it on, or undefined if the item did not fail. */
export function failureOf({ json }: INodeExecutionData): IDataObject | undefined {
	if (typeof json.failure === 'object' && json.failure !== null) return json.failure as IDataObject;
	return typeof json.error === 'string' ? { message: json.error } : undefined;
}
