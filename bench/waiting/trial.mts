import { isFinalStatus } from '../../api/contract/statuses.ts';
import { Chance } from '../eval/chance.mts';
import { SimulatedService } from '../../test/support/simulatedService.ts';
import { VirtualTime } from '../../test/support/virtualTime.ts';
import { RateLimit } from '../../waiting/rateLimit.ts';
import { DEFAULT_POLL_RULES } from '../../waiting/schedule.ts';
import { WaitLoop } from '../../waiting/waitForEdits.ts';
import { mean } from '../median.mts';
import type { Batch } from './batch.mts';
import { idealMeanLag, idealWallSeconds } from './ideal.mts';

/** What the loop did. */
export interface TrialResult {
	/** Wall time ÷ the ideal. */
	wallRatio: number;
	/** Mean detection lag ÷ the ideal mean. */
	meanLagRatio: number;
	meanLagSeconds: number;
	/** Most status calls in any 60 s. */
	busiestMinute: number;
	/** Calls answered 429. */
	refusals: number;
	/** Edits whose end the loop never learned. */
	lost: number;
	/** CPU time of the process ÷ virtual time, in percent of a core. */
	cpuPercent: number;
}

const SERVICE = { latencyMs: 150, callsPerMinute: 300 };

const RULES = { ...DEFAULT_POLL_RULES, maximumWaitMs: Number.MAX_SAFE_INTEGER };

/**
 * Waits for a batch with the loop on a virtual clock.
 *
 * @param processes that each wait for a share of it on one key
 */
export async function runTrial(batch: Batch, processes = 1): Promise<TrialResult> {
	const chance = new Chance(1);
	const time = new VirtualTime(0, () => chance.next());
	const service = new SimulatedService(time, batch.timelines, SERVICE);
	const { ids } = batch;
	const detections = new Map<string, number>();
	const shares = Array.from({ length: processes }, (_, share) =>
		ids.filter((_id, index) => index % processes === share),
	);
	const wait = async (share: readonly string[]) => {
		const edits = share.map((editId) => ({ editId, submittedAtMs: 0 }));
		const loop = new WaitLoop(edits, RULES, {
			...{ time, client: service, rateLimit: new RateLimit({ callsPerMinute: 300, burst: 60 }) },
			onStatus: ({ editId }, { status }) => {
				if (isFinalStatus(status)) detections.set(editId, time.now() / 1_000);
			},
		});
		await loop.run();
	};
	const before = process.cpuUsage();
	await time.run(Promise.all(shares.map(wait)));
	const { user, system } = process.cpuUsage(before);
	const lags = batch.spans.flatMap(({ id, endSeconds }) => {
		const foundAtSeconds = detections.get(id);
		// Nobody asks before 30 s, so nothing that ends sooner can be found sooner.
		return foundAtSeconds === undefined ? [] : [foundAtSeconds - Math.max(endSeconds, 30)];
	});
	return {
		wallRatio: Math.max(...detections.values()) / idealWallSeconds(batch),
		meanLagRatio: mean(lags) / idealMeanLag(batch),
		meanLagSeconds: mean(lags),
		busiestMinute: service.busiestMinute(),
		refusals: service.refusals,
		lost: ids.length - detections.size,
		cpuPercent: ((user + system) / 1_000 / time.now()) * 100,
	};
}
