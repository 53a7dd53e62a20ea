import { isFinalStatus } from '../../api/contract/statuses.ts';
import { Chance } from '../../testkit/measure/chance.mts';
import { SimulatedService } from '../../testkit/service/fake/simulatedService.ts';
import { VirtualTime } from '../../testkit/time/virtualTime.ts';
import { RateLimit } from '../../waiting/rateLimit.ts';
import { DEFAULT_POLL_RULES } from '../../waiting/schedule.ts';
import { WaitLoop } from '../../waiting/waitForEdits.ts';
import { mean } from '../../testkit/measure/median.mts';
import type { Batch } from './batch.mts';

/** What the API allows (api.md#limits). Our own constants would make our own delays look ideal. */
const CALLS_PER_MINUTE = 300;
const FIRST_POLL_SECONDS = 30;
const SERVICE = { latencyMs: 150, callsPerMinute: CALLS_PER_MINUTE };

const RULES = { ...DEFAULT_POLL_RULES, maxWaitMs: Number.MAX_SAFE_INTEGER };

/**
 * Waits for a batch with the loop on a virtual clock. Returns the wall time ÷ the ideal one, the mean time from an
 * edit's end until the loop learned of it, the most status calls in any 60 s, those answered 429, the edits whose end
 * the loop never learned, and the CPU time of the process ÷ virtual time.
 *
 * @param processes that each wait for a share of it on one key
 */
export async function runTrial(batch: Batch, processes = 1) {
	const chance = new Chance(1);
	const time = new VirtualTime({ random: () => chance.next() });
	const service = new SimulatedService(time, batch.timelines, SERVICE);
	const { ids } = batch;
	const detections = new Map<string, number>();
	const shares = Array.from({ length: processes }, (_, share) =>
		ids.filter((_id, index) => index % processes === share),
	);
	const wait = async (share: readonly string[]) => {
		const edits = share.map((editId) => ({ editId, submittedAtMs: 0 }));
		const loop = new WaitLoop(edits, RULES, {
			time,
			client: service,
			rateLimit: new RateLimit({ callsPerMinute: CALLS_PER_MINUTE, burst: 60 }),
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
		// Nobody asks before that, so nothing that ends sooner can be found sooner.
		return foundAtSeconds === undefined
			? []
			: [foundAtSeconds - Math.max(endSeconds, FIRST_POLL_SECONDS)];
	});
	return {
		wallRatio: Math.max(...detections.values()) / idealWallSeconds(batch),
		meanLagSeconds: mean(lags),
		busiestMinute: service.busiestMinute(),
		refusals: service.refusals,
		lost: ids.length - detections.size,
		cpuPercent: ((user + system) / 1_000 / time.now()) * 100,
	};
}

export type TrialResult = Awaited<ReturnType<typeof runTrial>>;

/**
 * Returns the wall time of a client that keeps the same limits and knows every finishing time. It polls
 * each edit once, as soon as it is done, not before 30 s. It never polls more than 300 times a minute.
 */
function idealWallSeconds({ spans }: Batch): number {
	const rateLimit = new RateLimit({ callsPerMinute: CALLS_PER_MINUTE, burst: CALLS_PER_MINUTE });
	const ends = spans.map(({ endSeconds }) => endSeconds).sort((a, b) => a - b);
	let atMs = 0;
	for (const endSeconds of ends) {
		const earliestMs = Math.max(endSeconds, FIRST_POLL_SECONDS) * 1_000;
		atMs = rateLimit.nextFreeAtMs(Math.max(earliestMs, atMs));
		rateLimit.begin(atMs);
	}
	return atMs / 1_000;
}
