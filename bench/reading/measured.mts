/**
 * Reads long edits with Wait For Edit in n8n's engine, and measures the longest turn of the event loop, in CPU time
 * of this thread: other processes do not change it. Argument: the service's URL and the edits' IDs, as JSON. Sends
 * its parent Blocks.
 */
import { runBuilt, sendAndEnd } from '../builtRun.mts';

import { median } from '../../testkit/measure/median.mts';
import { threadCpuMs } from '../../testkit/measure/threadCpu.mts';

/** The longest turns, in milliseconds. */
export interface Block {
	readonly readingMs: number;
	/** With only JSON.parse of the same text in it. */
	readonly parsingMs: number;
}

export type Blocks = Readonly<Record<string, Block>>;

const RUNS = 7;

/** Runs before, which load and compile the code. */
const WARM_UPS = 3;

const { url, editIds } = JSON.parse(process.argv[2]) as { url: string; editIds: string[] };

const PARAMETERS = { advanced: { firstPollDelaySeconds: 0 } };

/** Runs work, and returns the longest turn of the event loop meanwhile. */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
	const ended = new AbortController();
	let longestMs = 0;
	const done = work().finally(() => {
		ended.abort();
	});
	while (!ended.signal.aborted) {
		const beganMs = threadCpuMs();
		await new Promise((resolve) => setImmediate(resolve));
		longestMs = Math.max(longestMs, threadCpuMs() - beganMs);
	}
	await done;
	return longestMs;
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
	const turnsMs: number[] = [];
	for (let run = -WARM_UPS; run < RUNS; run++) {
		globalThis.gc?.();
		const turnMs = await longestTurnMs(work);
		if (run >= 0) turnsMs.push(turnMs);
	}
	return median(turnsMs);
}

async function readWith(editId: string): Promise<void> {
	const [read] = await runBuilt(
		url,
		[{ json: { editId } }],
		[{ type: 'waitForEdit', parameters: PARAMETERS }],
	);
	if (read.json.finished !== true) throw new Error(`${editId} was not read`);
}

const blocks: Record<string, Block> = {};
for (const editId of editIds) {
	const text = await (await fetch(`${url}/v2/edits/${editId}`)).text();
	const json = text.replaceAll('NaN', 'null');
	const parse = async () => {
		await new Promise((resolve) => setImmediate(resolve));
		JSON.parse(json);
	};
	blocks[editId] = {
		parsingMs: await medianOf(parse),
		readingMs: await medianOf(async () => {
			await readWith(editId);
		}),
	};
}
sendAndEnd(blocks);
