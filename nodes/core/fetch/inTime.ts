import { downloadTimeoutMs } from '../../../api/retry';
import { NO_LONGER_NEEDED, systemTime } from '../../../api/time';

/**
 * The result of `storing`.
 *
 * @throws an error with a code when the time for the file's size is up or the execution is stopped
 */
export async function inTime<T>(
	storing: Promise<T>,
	sizeBytes: number | undefined,
	signal: AbortSignal | undefined,
): Promise<T> {
	const isOver = new AbortController();
	const end = signal ? AbortSignal.any([signal, isOver.signal]) : isOver.signal;
	const late = systemTime.sleep(downloadTimeoutMs(sizeBytes), end).then((): never => {
		const code = signal?.aborted ? 'ERR_CANCELED' : 'ETIMEDOUT';
		throw Object.assign(new Error('The transfer was ended'), { code });
	});
	return await Promise.race([storing, late]).finally(() => isOver.abort(NO_LONGER_NEEDED));
}
