import { isFinalStatus } from '../../api/contract/statuses.ts';
import type { SimulatedService } from '../../test/support/simulatedService.ts';
import type { VirtualTime } from '../../test/support/virtualTime.ts';
import { RateLimit } from '../../waiting/rateLimit.ts';
import { DEFAULT_POLL_RULES } from '../../waiting/schedule.ts';
import { WaitLoop } from '../../waiting/waitForEdits.ts';

/** When a client learned that an edit was done, in seconds, by edit. */
export type Detections = Map<string, number>;

/** A way of waiting for a batch. */
export type WaitingClient = (
	ids: readonly string[],
	service: SimulatedService,
	time: VirtualTime,
) => Promise<Detections>;

/** What peers do for one item. */
const INTERVAL_MS = 10_000;

/** Ours, with its own rate limit, as in its own process. */
export const ourLoop: WaitingClient = async (ids, service, time) => {
	const detections: Detections = new Map();
	const edits = ids.map((editId) => ({ editId, submittedAtMs: 0 }));
	const rules = { ...DEFAULT_POLL_RULES, maximumWaitMs: Number.MAX_SAFE_INTEGER };
	const loop = new WaitLoop(edits, rules, {
		time,
		client: service,
		rateLimit: new RateLimit({ callsPerMinute: 300, burst: 60 }),
		onStatus: ({ editId }, { status }) => {
			if (isFinalStatus(status)) detections.set(editId, time.now() / 1_000);
		},
	});
	await loop.run();
	return detections;
};

/** One item after the other, every 10 s: what a node without a batch loop does. */
export const itemByItem: WaitingClient = async (ids, service, time) => {
	const detections: Detections = new Map();
	for (const id of ids) {
		while (!(await isDone(service, id))) await time.sleep(INTERVAL_MS);
		detections.set(id, time.now() / 1_000);
	}
	return detections;
};

/** Everything that is not done, every 10 s: what a workflow loop around a status call does. */
export const everythingEveryTime: WaitingClient = async (ids, service, time) => {
	const detections: Detections = new Map();
	while (detections.size < ids.length) {
		const left = ids.filter((id) => !detections.has(id));
		await Promise.all(
			left.map(async (id) => {
				if (await isDone(service, id)) detections.set(id, time.now() / 1_000);
			}),
		);
		await time.sleep(INTERVAL_MS);
	}
	return detections;
};

async function isDone(service: SimulatedService, id: string): Promise<boolean> {
	const outcome = await service.getEditOnce(id);
	return outcome.ok && isFinalStatus(outcome.value.status);
}
