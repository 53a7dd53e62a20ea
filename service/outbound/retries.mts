import type { ServiceClock } from '../shared/clock.mts';
import { EditFailure, TransientTrouble } from '../shared/failures.mts';

/** Waiting before the second and the third try, in milliseconds on the service's clock. */
const RETRY_DELAYS_MS = [5_000, 20_000];

/** For a step that may take as long as it likes until a certain time: an hour of tries. */
const PATIENT_DELAYS_MS = [5_000, 20_000, 60_000, 120_000, ...Array<number>(11).fill(300_000)];

/** How a retried step tells the outside about itself. */
export interface RetryReport {
	/** Before a waiting: the edit goes into RETRY. */
	onTrouble(trouble: TransientTrouble): Promise<void>;
	/** Before the next try: the edit goes back to where it was. */
	onNextTry(): Promise<void>;
	/**
	 * Until when a try can succeed, real milliseconds since 1970; with it the tries go on for an hour
	 * of service time, but no longer than this.
	 */
	deadlineMs?: number | undefined;
}

/**
 * Runs a step up to three times while it throws TransientTrouble; more often until a deadline.
 * @throws EditFailure with the last trouble when the tries are used up; whatever else the step throws.
 */
export async function withRetries<T>(
	step: () => Promise<T>,
	report: RetryReport,
	clock: ServiceClock,
	signal: AbortSignal,
): Promise<T> {
	const { deadlineMs = Infinity } = report;
	const delaysMs = report.deadlineMs === undefined ? RETRY_DELAYS_MS : PATIENT_DELAYS_MS;
	for (let tries = 1; ; tries += 1) {
		try {
			return await step();
		} catch (error) {
			signal.throwIfAborted();
			if (!(error instanceof TransientTrouble)) throw error;
			const delayMs = delaysMs.at(tries - 1);
			if (delayMs === undefined) throw new EditFailure(`${error.message} (${tries} tries)`);
			if (Date.now() + clock.realMs(delayMs) >= deadlineMs) {
				const until = new Date(deadlineMs).toISOString();
				throw new EditFailure(`${error.message} (${tries} tries; no later than ${until})`);
			}
			await report.onTrouble(error);
			await clock.sleep(delayMs, signal);
			await report.onNextTry();
		}
	}
}
