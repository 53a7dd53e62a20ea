import type { ServiceClock } from '../shared/clock.mts';
import { EditFailure, TransientTrouble } from '../shared/failures.mts';

/** Service milliseconds before the second and the third try. */
const RETRY_DELAYS_MS = [5_000, 20_000];

/** The same for a patient step: an hour of retries in total. */
const PATIENT_DELAYS_MS = [5_000, 20_000, 60_000, 120_000, ...Array<number>(11).fill(300_000)];

/** How a step is retried: what is called meanwhile, and its deadline. */
export interface RetryPlan {
	/** Called before each delay. */
	onTrouble(trouble: TransientTrouble): Promise<void>;
	/** Called before each retry. */
	onNextTry(): Promise<void>;
	/** Whether retries go on for an hour of service time, instead of three tries. */
	isPatient?: boolean;
	/** Real milliseconds since 1970 after which no try can succeed. */
	deadlineMs?: number | undefined;
}

/**
 * Runs a step, and retries it while it throws TransientTrouble: three tries, more if it is patient.
 * @throws EditFailure with the last trouble when no tries are left; any other error of the step.
 */
export async function withRetries<T>(
	step: () => Promise<T>,
	plan: RetryPlan,
	clock: ServiceClock,
	signal: AbortSignal,
): Promise<T> {
	const { deadlineMs = Infinity, isPatient = false } = plan;
	const delaysMs = isPatient ? PATIENT_DELAYS_MS : RETRY_DELAYS_MS;
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
