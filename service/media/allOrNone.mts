/**
 * Runs `pieces` in parallel. When one fails, aborts the rest. Settles
 * only after all have ended, so none keeps running unnoticed.
 *
 * @throws the error of the first piece that failed; the signal's reason when aborted.
 */
export async function allOrNone(
	pieces: readonly ((signal: AbortSignal) => Promise<void>)[],
	signal?: AbortSignal,
): Promise<void> {
	const stopping = new AbortController();
	const stop = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
	const running = pieces.map((piece) => piece(stop));
	for (const piece of running) {
		piece.catch((error: unknown) => {
			stopping.abort(error);
		});
	}
	await Promise.allSettled(running);
	signal?.throwIfAborted();
	stopping.signal.throwIfAborted();
}
