import type { IExecuteFunctions } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import { deleteAll } from '../shared/deleteAll';
import { openServiceUntil } from '../shared/service';

/** From Stop to the last deletion. The rate limit of status calls allows 300 deletions a minute. */
const DELETION_LIMIT_MS = 60_000;

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
	try {
		const service = await openServiceUntil(context, timeIsUp.signal);
		await deleteAll(context, service, unfinished, {
			done: 'deleted after the execution was stopped',
			left: 'the execution was stopped, but these edits could not be deleted and are still at the service',
		});
	} finally {
		isDone.abort();
	}
}
