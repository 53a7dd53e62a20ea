import { createHash } from 'crypto';

import { STATUS_CALLS_PER_MINUTE } from '../api/contract';
import type { RequestFailure } from '../api/failure';
import type { Pace } from '../api/retry';
import type { Time } from '../api/time';
import { type BudgetLimits, RequestBudget } from './budget';

/** The two budgets the service counts for one API key, spec "Limits". */
export interface Budgets {
	/** POST /v2/edits, /v2/noise and /v2/upload together. */
	readonly submissions: RequestBudget;
	/** GET /v2/edits/{id}. */
	readonly statusCalls: RequestBudget;
}

/** Status calls that may begin at once before they are spread over the minute. */
const STATUS_BURST = 60;

/** By a hash of key and host root, so that the key itself is kept nowhere. */
const budgetsByAccess = new Map<string, Budgets>();

/**
 * The budgets of an API key, shared by all nodes and executions of this process. Other processes, such
 * as the workers of a queue-mode n8n, have their own budgets; each gets its share of the limits, and
 * adapts when the service says 429.
 *
 * @param root the service's host root as `parseBaseUrl` reads it: people paste it in several forms
 * @param submissionsPerMinute for all processes together: 30 for standard keys, 100 for enterprise keys
 * @param processes how many processes use the key, from 1
 */
export function budgetsFor(
	apiKey: string,
	root: string,
	submissionsPerMinute: number,
	processes = 1,
): Budgets {
	const access = createHash('sha256')
		.update(JSON.stringify([apiKey, root]))
		.digest('hex');
	const submissionLimits = shareOf(submissionsPerMinute, submissionsPerMinute, processes);
	const statusLimits = shareOf(STATUS_CALLS_PER_MINUTE, STATUS_BURST, processes);
	let budgets = budgetsByAccess.get(access);
	if (budgets === undefined) {
		budgets = {
			submissions: new RequestBudget(submissionLimits),
			statusCalls: new RequestBudget(statusLimits),
		};
		budgetsByAccess.set(access, budgets);
	}
	budgets.submissions.changeLimits(submissionLimits);
	budgets.statusCalls.changeLimits(statusLimits);
	return budgets;
}

/** What one of the processes may use of a limit, rounded down, at least one request. */
function shareOf(callsPerMinute: number, burst: number, processes: number): BudgetLimits {
	const share = (limit: number) => Math.max(1, Math.floor(limit / processes));
	return { callsPerMinute: share(callsPerMinute), burst: share(burst) };
}

/**
 * A budget as the pace of a client's requests: each waits for its turn.
 *
 * @param onWait called with the milliseconds when a request has to wait
 */
export function paceOf(
	budget: RequestBudget,
	time: Time,
	onWait: (waitMs: number) => void = () => {},
): Pace {
	return {
		turn: async (signal) => {
			for (;;) {
				const nowMs = time.now();
				const freeAtMs = budget.nextFreeAtMs(nowMs);
				if (signal?.aborted) return;
				if (freeAtMs <= nowMs) {
					budget.take(nowMs);
					return;
				}
				onWait(freeAtMs - nowMs);
				await time.sleep(freeAtMs - nowMs, signal);
			}
		},
		failed: (failure: RequestFailure, retryAtMs: number) => {
			if (failure.status === 429) budget.refused(time.now(), retryAtMs);
		},
	};
}
