import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { NodeRun } from '../../nodes/core/run/nodeRun';
import { Outcomes } from '../../nodes/core/items/outcomes';
import { Slots } from '../../nodes/core/run/slots';

/** What differs from a node that handles one item after the other. */
interface More {
	readonly atOnce?: number;
	readonly known?: IDataObject;
	readonly progress?: readonly [verb: string, noun: string];
	readonly sumsUp?: boolean;
	readonly hint?: string;
}

/** Handles each item, and routes what becomes of it as the nodes do. */
export async function runEachItem(
	context: IExecuteFunctions,
	handle: (itemIndex: number) => Promise<INodeExecutionData[]>,
	{ atOnce = 1, known, hint, ...words }: More = {},
): Promise<INodeExecutionData[]> {
	const run = new NodeRun(context);
	const outcomes = new Outcomes(run, words);
	const slots = new Slots(atOnce);
	const handleItem = async (itemIndex: number) => {
		await slots.take();
		try {
			if (!outcomes.isOver) outcomes.done([itemIndex], await handle(itemIndex));
		} catch (error) {
			outcomes.failed([itemIndex], error, known);
		} finally {
			slots.giveBack();
		}
	};
	try {
		if (hint !== undefined) run.hints.add(hint);
		const read: number[] = [];
		for await (const [itemIndex] of outcomes.itemsToRead()) read.push(itemIndex);
		await Promise.all(read.map(handleItem));
		outcomes.assertGoesOn();
		return outcomes.outputs()[0];
	} catch (error) {
		return outcomes.ofAll(error)[0];
	} finally {
		outcomes.show();
	}
}
