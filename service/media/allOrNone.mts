/**
 * Runs several pieces of work at once. When one fails, the others are stopped. Returns when all have
 * ended, so that nothing goes on unseen.
 *
 * @throws what the first piece that failed threw; the signal's reason when aborted.
 */
export async function allOrNone<T>(
	pieces: readonly ((signal: AbortSignal) => Promise<T>)[],
	signal?: AbortSignal,
): Promise<T[]> {
	const stopping = new AbortController();
	const stop = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
	let first: { trouble: unknown } | undefined;
	const running = pieces.map(async (piece) => {
		try {
			return await piece(stop);
		} catch (trouble) {
			first ??= { trouble };
			stopping.abort(trouble);
			throw trouble;
		}
	});
	await Promise.allSettled(running);
	signal?.throwIfAborted();
	if (first) throw first.trouble;
	return await Promise.all(running);
}
