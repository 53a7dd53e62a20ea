import { Chance } from '../eval/chance.mts';
import { SimulatedService } from '../../test/support/simulatedService.ts';
import { VirtualTime } from '../../test/support/virtualTime.ts';
import type { Batch } from './batch.mts';
import type { WaitingClient } from './clients.mts';
import { idealLags, idealWallSeconds, mean } from './ideal.mts';

/** The result of one way to wait. */
export interface TrialResult {
	/** Wall time ÷ the ideal. */
	wallRatio: number;
	/** Mean detection lag ÷ the ideal mean. */
	meanLagRatio: number;
	/** 95th percentile of the lag ÷ the ideal's. */
	p95LagRatio: number;
	meanLagSeconds: number;
	/** Most status calls in any 60 s. */
	busiestMinute: number;
	/** Calls answered 429. */
	refusals: number;
	/** Edits whose end the client never learned. */
	lost: number;
	/** CPU time of the process ÷ virtual time, in percent of a core. */
	cpuPercent: number;
}

const SERVICE = { latencyMs: 150, callsPerMinute: 300 };

/** Lets clients wait for a batch, each for its share of it, on one key and a virtual clock. */
export async function runTrial(
	batch: Batch,
	client: WaitingClient,
	clients = 1,
): Promise<TrialResult> {
	const chance = new Chance(1);
	const time = new VirtualTime(0, () => chance.next());
	const service = new SimulatedService(time, batch.timelines, SERVICE);
	const { ids } = batch;
	const shares = Array.from({ length: clients }, (_, share) =>
		ids.filter((_id, index) => index % clients === share),
	);
	const before = process.cpuUsage();
	const all = await time.run(Promise.all(shares.map((share) => client(share, service, time))));
	const { user, system } = process.cpuUsage(before);
	const detections = new Map(all.flatMap((found) => [...found]));
	const lags = batch.spans.flatMap(({ id, endSeconds }) => {
		const foundAtSeconds = detections.get(id);
		// Nobody asks before 30 s, so nothing that ends sooner can be found sooner.
		return foundAtSeconds === undefined ? [] : [foundAtSeconds - Math.max(endSeconds, 30)];
	});
	const ideal = idealLags(batch);
	const sorted = lags.toSorted((a, b) => a - b);
	return {
		wallRatio: Math.max(...detections.values()) / idealWallSeconds(batch),
		meanLagRatio: mean(lags) / ideal.mean,
		p95LagRatio: sorted[Math.floor(sorted.length * 0.95)] / ideal.p95,
		meanLagSeconds: mean(lags),
		busiestMinute: service.busiestMinute(),
		refusals: service.refusals,
		lost: ids.length - detections.size,
		cpuPercent: ((user + system) / 1_000 / time.now()) * 100,
	};
}
