import type { IDataObject } from 'n8n-workflow';

/** A record in a context that n8n stores with the execution. It is made at the first use. */
export function recordIn<Value>(context: IDataObject, key: string): Record<string, Value> {
	context[key] ??= {};
	return context[key] as object as Record<string, Value>;
}
