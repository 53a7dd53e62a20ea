/**
 * Runs `pieces` in parallel and returns their results. When one fails, aborts the rest. Settles
 * only after all have ended, so none keeps running unnoticed.
 *
 * @throws the error of the first piece that failed; the signal's reason when aborted.
 */
export async function allOrNone<T>(
	pieces: readonly ((signal: AbortSignal) => Promise<T>)[],
	signal?: AbortSignal,
): Promise<T[]> {
	const stopping = new AbortController();
	const stop = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
	let first: { error: unknown } | undefined;
	const running = pieces.map(async (piece) => {
		try {
			return await piece(stop);
		} catch (error) {
			first ??= { error };
			stopping.abort(error);
			throw error;
		}
	});
	await Promise.allSettled(running);
	signal?.throwIfAborted();
	if (first) throw first.error;
	return await Promise.all(running);
}
