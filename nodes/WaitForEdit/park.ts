import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { operationError } from '../shared/errors';
import { systemTime } from '../../api/time';
import { refuseFailed } from '../shared/carriedFailure';
import { notePark } from '../shared/deliveries';
import { readEditId } from '../shared/parameters';
import { maximumWaitMs } from './readPollRules';
import { refuseParkWithoutDelivery } from './whileWaiting';

/** n8n keeps shorter waits in memory, where a restart ends them. */
export const SHORTEST_PARK_MS = 65_000;

/**
 * Puts the execution to sleep in n8n's database until the service delivers the file to its resume URL or
 * the time is up. n8n then passes on the parked input itself, so that already has `finished: false`.
 */
export async function parkExecution(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	if (items.length > 1) {
		throw operationError(
			context.getNode(),
			`An execution can park for only one edit, but there are ${items.length} items [item 0]`,
			{
				itemIndex: 0,
				description:
					"The service can deliver one file to an execution. Give each item its own execution, with Execute Sub-workflow for each item, or switch 'Deliver to This Workflow' off in Create Edit and set 'While Waiting' to 'Keep Running'.",
			},
		);
	}
	refuseFailed(context, 0);
	const [item] = items;
	const editId = readEditId(context, 0);
	refuseParkWithoutDelivery(context);
	notePark(context, editId);
	const parked = { ...item, json: { ...item.json, editId, finished: false } };
	context.getExecuteData().data.main[0] = [parked];
	const waitMs = Math.max(SHORTEST_PARK_MS, maximumWaitMs(context));
	await context.putExecutionToWait(new Date(systemTime.timeOfDay() + waitMs));
	context.logger.info(`Audio editing: waiting for the delivery of edit ${editId}`, { editId });
	return [parked];
}
