import type { ServiceClock } from '../clock.mts';
import { EditFailure, TransientTrouble } from './failures.mts';

/** Waiting before the second and the third try, in milliseconds on the service's clock. */
const RETRY_DELAYS_MS = [5_000, 20_000];

/** How a retried step tells the outside about itself. */
export interface RetryReport {
	/** Before a waiting: the edit goes into RETRY. */
	onTrouble(trouble: TransientTrouble): Promise<void>;
	/** Before the next try: the edit goes back to where it was. */
	onNextTry(): Promise<void>;
}

/**
 * Runs a step up to three times while it throws TransientTrouble.
 * @throws EditFailure with the last trouble when the tries are used up; whatever else the step throws.
 */
export async function withRetries<T>(
	step: () => Promise<T>,
	report: RetryReport,
	clock: ServiceClock,
	signal: AbortSignal,
): Promise<T> {
	for (let tries = 1; ; tries += 1) {
		try {
			return await step();
		} catch (error) {
			signal.throwIfAborted();
			if (!(error instanceof TransientTrouble)) throw error;
			const delayMs = RETRY_DELAYS_MS.at(tries - 1);
			if (delayMs === undefined) throw new EditFailure(`${error.message} (${tries} tries)`);
			await report.onTrouble(error);
			await clock.sleep(delayMs, signal);
			await report.onNextTry();
		}
	}
}
