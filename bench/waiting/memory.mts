import { success } from '../../api/failure.ts';
import { VirtualTime } from '../../testkit/time/virtualTime.ts';
import { RateLimit } from '../../waiting/rateLimit.ts';
import { DEFAULT_POLL_RULES } from '../../waiting/schedule.ts';
import { WaitLoop } from '../../waiting/waitForEdits.ts';

/** The statuses an edit shows before the measuring: a history as long as it gets. */
const STATUSES = ['PENDING', 'PREPROCESSING', 'CLASSIFICATION', 'EDITING', 'POSTPROCESSING'];

/**
 * How many bytes of memory the loop holds for each edit it waits for, after each was asked about in
 * every status. Needs `node --expose-gc`.
 */
export async function bytesPerEdit(count: number): Promise<number> {
	const time = new VirtualTime();
	const stop = new AbortController();
	const edits = Array.from({ length: count }, (_, index) => ({ editId: `edit-${index}` }));
	const polls = new Map(edits.map(({ editId }) => [editId, 0]));
	let left = count * STATUSES.length;
	let heldBytes = 0;
	const beforeBytes = heapBytes();
	const getEditOnce = (id: unknown) => {
		const editId = String(id);
		const poll = polls.get(editId) ?? 0;
		polls.set(editId, poll + 1);
		left -= 1;
		if (left === 0) {
			heldBytes = heapBytes() - beforeBytes;
			stop.abort();
		}
		const status = STATUSES[Math.min(poll, STATUSES.length - 1)];
		return Promise.resolve(success({ task_id: editId, status }));
	};
	const rules = { ...DEFAULT_POLL_RULES, maxWaitMs: Number.MAX_SAFE_INTEGER };
	// The limit is out of the way, so that every edit is asked about equally often.
	const rateLimit = new RateLimit({ callsPerMinute: count * 60, burst: count * 60 });
	const tools = { time, rateLimit, client: { getEditOnce }, signal: stop.signal };
	await time.run(new WaitLoop(edits, rules, tools).run());
	return heldBytes / count;
}

function heapBytes(): number {
	if (globalThis.gc === undefined) throw new Error('Run with node --expose-gc');
	globalThis.gc();
	return process.memoryUsage().heapUsed;
}
