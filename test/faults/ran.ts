/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they look into objects */
import type { IDataObject, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';
import { inspect } from 'util';

import { failureOf } from '../../testkit/n8n/failures';
import { type LogLine, itemsOf } from '../../testkit/n8n/n8nEngine';
import { type ServiceAccess, chain, runChain } from '../../testkit/n8n/workflows';

// n8n's database stores executions as flatted.
type Flatted = typeof import('flatted', { with: { 'resolution-mode': 'import' } });
const { stringify } = jest.requireActual<Flatted>('flatted');

/** How one item ended. */
export interface ItemEnd {
	readonly json?: IDataObject;
	/** Size of the item's file, if it has one. */
	readonly bytes?: number;
	/** What the user sees if the item failed. */
	readonly error?: { readonly message: string; readonly description: string };
}

/** The outcome of a run. */
export interface Ran {
	/** In item order. */
	readonly ends: readonly ItemEnd[];
	/** Everything the run left, as n8n stores it and as a log would print it. */
	readonly text: string;
}

/** Where a run finds the service, and where the nodes' log lines go. */
export interface RunAccess extends ServiceAccess {
	onLog(line: LogLine): void;
}

/** The fields each node adds to an item. They distinguish its output from an input passed on. */
const OWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
	upload: ['fileUrl'],
	createEdit: ['submittedAt'],
	waitForEdit: ['finished'],
	getResult: ['status'],
	delete: ['deleted'],
	account: ['credit', 'settings', 'ping'],
};

/** A refused connection is a shut port, which would also strike a neighbor in transit. */
const ONE_AT_A_TIME: Readonly<Record<string, INodeParameters>> = {
	upload: { advanced: { transfersAtOnce: 1 } },
	getResult: { advanced: { transfersAtOnce: 1 } },
};

/** Runs one of our nodes in n8n's engine with On Error = Continue. */
export async function runNode(
	{ onLog, ...access }: RunAccess,
	type: string,
	items: INodeExecutionData[],
	parameters: INodeParameters = {},
): Promise<Ran> {
	const settings = { onError: 'continueErrorOutput' } as const;
	const node = { type, parameters: { ...ONE_AT_A_TIME[type], ...parameters }, settings };
	const run = await runChain(access, chain(node), items, { onLog });
	const given = [...itemsOf(run, type, 0), ...itemsOf(run, type, 1)];
	const failure = run.data.resultData.error;
	const ends = items.map((_item, index) => {
		const item = given.find(({ pairedItem }) => isPairedWith(pairedItem, index));
		if (item === undefined) return endOfError(failure ?? 'no output');
		const isOwn =
			failureOf(item) !== undefined || OWN_FIELDS[type].some((name) => name in item.json);
		return isOwn ? endOf(item) : endOfError('the output is the input');
	});
	return { ends, text: textOf(run, given) };
}

/** Returns the end of an item that threw. */
export function endOfError(error: unknown): ItemEnd {
	const { message = String(error), description } = error as Partial<Error> & {
		description?: string | null;
	};
	return { error: { message, description: description ?? '' } };
}

function endOf(item: INodeExecutionData): ItemEnd {
	const { json, binary } = item;
	const bytes = binary?.data.bytes;
	const failure = failureOf(item);
	return failure === undefined ? { json, bytes } : { json, ...endOfError(failure) };
}

function isPairedWith(pairedItem: INodeExecutionData['pairedItem'], index: number): boolean {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) && pairedItem.item === index;
}

/**
 * Returns the run's data as text. The links of the result are part of the output, so that another node
 * can fetch the files. They are the only signed links allowed in an output.
 */
function textOf(run: IRun, given: readonly INodeExecutionData[]): string {
	for (const { json } of given) {
		delete (json.result as IDataObject | undefined)?.download_url;
		delete (json.result as IDataObject | undefined)?.timestamps_markers_urls;
	}
	return stringify(run.data) + shownWhole(run.data.resultData);
}

/** Returns everything in a value as text, including the messages, stacks and causes of errors. */
export function shownWhole(value: unknown): string {
	const everything = { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity };
	return inspect(value, everything);
}
