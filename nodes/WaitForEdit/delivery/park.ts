import { operationError } from '../../shared/errors/errors';
import { systemTime } from '../../../api/time';
import { notePark } from './deliveries';
import { readEditId } from '../../shared/form/parameters';
import type { NodeWork } from '../../shared/run/runNode';
import { maximumWaitMs } from '../editWait';
import { refuseParkWithoutDelivery } from './whileWaiting';
import type { NodeRun } from '../../shared/run/nodeRun';

/** n8n keeps shorter waits in memory, where a restart ends them. */
export const SHORTEST_PARK_MS = 65_000;

/**
 * Puts the execution to sleep in n8n's database until the service delivers the file to its resume URL or
 * the time is up. n8n then passes on the parked input itself, so that already has `finished: false`.
 */
export function parkWork(run: NodeRun): NodeWork<{ itemIndex: number; editId: string }> {
	refuseSeveral(run);
	return {
		read: ([itemIndex]) => {
			const editId = readEditId(run, itemIndex);
			refuseParkWithoutDelivery(run);
			return { itemIndex, editId };
		},
		handle: async ({ itemIndex, editId }) => {
			const { context, items } = run;
			notePark(run, editId);
			const item = items[itemIndex];
			const parked = { ...item, json: { ...item.json, editId, finished: false } };
			context.getExecuteData().data.main[0] = [parked];
			const waitMs = Math.max(SHORTEST_PARK_MS, maximumWaitMs(run));
			await context.putExecutionToWait(new Date(systemTime.timeOfDay() + waitMs));
			context.logger.info(`Audio editing: waiting for the delivery of edit ${editId}`, { editId });
			return [[parked]];
		},
	};
}

function refuseSeveral({ items, node }: NodeRun): void {
	if (items.length === 1) return;
	const message = `An execution can park for only one edit, but there are ${items.length} items [item 0]`;
	const description =
		"The service can deliver one file to an execution. Give each item its own execution, with Execute Sub-workflow for each item, or switch 'Deliver to This Workflow' off in Create Edit and set 'While Waiting' to 'Keep Running'.";
	throw operationError(node, message, { itemIndex: 0, description });
}
