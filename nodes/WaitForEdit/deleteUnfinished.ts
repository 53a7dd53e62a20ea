import type { IExecuteFunctions } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import { paceOf } from '../../waiting/rateLimit';
import { inLines } from '../shared/texts';
import { type Service, openServiceUntil } from '../shared/service';

/** From Stop to the last deletion. The rate limit of status calls allows 300 deletions a minute. */
const DELETION_LIMIT_MS = 60_000;

const DELETIONS_AT_ONCE = 8;

/**
 * After Stop, deletes the unfinished edits, for at most a minute. Logs each deleted edit, and those that
 * are left.
 */
export async function deleteUnfinished(
	context: IExecuteFunctions,
	unfinished: readonly string[],
): Promise<void> {
	const timeIsUp = new AbortController();
	const isDone = new AbortController();
	void systemTime.sleep(DELETION_LIMIT_MS, isDone.signal).then(() => timeIsUp.abort());
	const waiting = [...unfinished];
	const left: string[] = [];
	const work = async ({ client, rateLimits }: Service) => {
		const pace = paceOf(rateLimits.statusCalls, systemTime);
		for (let editId = waiting.shift(); editId !== undefined; editId = waiting.shift()) {
			const outcome = await client.deleteEdit(editId, pace);
			if (!outcome.ok) left.push(`${editId} (${outcome.failure.status ?? outcome.failure.kind})`);
			else {
				const text = `Audio editing: edit ${editId} deleted after the execution was stopped`;
				context.logger.info(text, { editId });
			}
		}
	};
	try {
		const service = await openServiceUntil(context, timeIsUp.signal);
		await Promise.all(Array.from({ length: DELETIONS_AT_ONCE }, async () => await work(service)));
	} finally {
		isDone.abort();
	}
	for (const line of inLines(left)) {
		context.logger.warn(
			`Audio editing: the execution was stopped, but these edits could not be deleted and are still at the service: ${line}`,
		);
	}
}
