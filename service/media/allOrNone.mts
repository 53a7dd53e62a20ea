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
	await Promise.all(await allEnded((stop) => pieces.map((piece) => piece(stop)), signal));
}

/** Runs two pieces in the same way, and returns what both return. */
export async function bothOrNone<One, Other>(
	one: (signal: AbortSignal) => Promise<One>,
	other: (signal: AbortSignal) => Promise<Other>,
	signal?: AbortSignal,
): Promise<[One, Other]> {
	return await Promise.all(await allEnded((stop) => [one(stop), other(stop)] as const, signal));
}

/** Starts pieces, and returns them once all have ended well. */
async function allEnded<Pieces extends readonly Promise<unknown>[]>(
	start: (signal: AbortSignal) => Pieces,
	signal?: AbortSignal,
): Promise<Pieces> {
	const stopping = new AbortController();
	const running = start(signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal);
	for (const piece of running) {
		piece.catch((error: unknown) => {
			stopping.abort(error);
		});
	}
	await Promise.allSettled(running);
	signal?.throwIfAborted();
	stopping.signal.throwIfAborted();
	return running;
}
