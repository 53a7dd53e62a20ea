import type { ServiceClock } from '../shared/clock.mts';
import { EditFailure, TransientTrouble } from '../shared/failures.mts';

/** Service milliseconds before the second and the third try. */
const RETRY_DELAYS_MS = [5_000, 20_000];

/** Delays for a step with a deadline, in service milliseconds: an hour of retries in total. */
const PATIENT_DELAYS_MS = [5_000, 20_000, 60_000, 120_000, ...Array<number>(11).fill(300_000)];

/** How a step is retried: what is called meanwhile, and its deadline. */
export interface RetryPlan {
	/** Called before each delay. */
	onTrouble(trouble: TransientTrouble): Promise<void>;
	/** Called before each retry. */
	onNextTry(): Promise<void>;
	/**
	 * Real milliseconds since 1970 after which no try can succeed. With a deadline, retries go on for
	 * an hour of service time, but not beyond it.
	 */
	deadlineMs?: number | undefined;
}

/**
 * Runs a step, and retries it while it throws TransientTrouble: three tries, more with a deadline.
 * @throws EditFailure with the last trouble when no tries are left; any other error of the step.
 */
export async function withRetries<T>(
	step: () => Promise<T>,
	plan: RetryPlan,
	clock: ServiceClock,
	signal: AbortSignal,
): Promise<T> {
	const { deadlineMs = Infinity } = plan;
	const delaysMs = plan.deadlineMs === undefined ? RETRY_DELAYS_MS : PATIENT_DELAYS_MS;
	for (let tries = 1; ; tries += 1) {
		try {
			return await step();
		} catch (error) {
			signal.throwIfAborted();
			if (!(error instanceof TransientTrouble)) throw error;
			const delayMs = delaysMs.at(tries - 1);
			if (delayMs === undefined) throw new EditFailure(`${error.message} (${tries} tries)`);
			if (clock.realNowMs() + clock.realMs(delayMs) >= deadlineMs) {
				const until = new Date(deadlineMs).toISOString();
				throw new EditFailure(`${error.message} (${tries} tries; no later than ${until})`);
			}
			await plan.onTrouble(error);
			await clock.sleep(delayMs, signal);
			await plan.onNextTry();
		}
	}
}
