/**
 * `npm run bench -- spending`: random executions of Create Edit with limits of spending, of one to five runs
 * with lost answers, any credit, and an account that cannot always be read. How many edits are submitted over a
 * limit.
 */
import { setUpCreateEdit, url } from '../test/support/createEdits.ts';
import { count, printBars } from './bars.mts';
import { Chance } from './eval/chance.mts';

const TRIALS = 200;
const MOST_RUNS = 5;
const MOST_ITEMS = 6;
const NAMES = ['a', 'b', 'c', 'd'];
const LEAST_CREDIT = 10;

const chance = new Chance(43);

/** Runs the node as often as one execution would. Returns its submissions, and how many are over a limit. */
async function runExecution(): Promise<{ submitted: number; over: number }> {
	const mostEdits = chance.whole(0, 12);
	const readsCredit = chance.isTrue(0.5);
	const kept = {};
	let submitted = 0;
	let over = 0;
	for (let run = chance.whole(1, MOST_RUNS); run > 0; run--) {
		const total = chance.whole(0, 2 * LEAST_CREDIT);
		// A 404 is not tried again, which takes no time.
		const account = chance.isTrue(0.2) ? { status: 404 } : { body: { credit: { total } } };
		const { create, paths } = setUpCreateEdit({
			// The same index again is another try of a run.
			...{ kept, runIndex: chance.isTrue(0.2) ? run + 1 : run },
			answers: [...(readsCredit ? [account] : []), undefined, { status: 500 }, undefined],
			files: Array.from({ length: chance.whole(1, MOST_ITEMS) }, () => url(chance.pick(NAMES))),
			fields: { mostEdits, ...(readsCredit && { stopBelowCredit: LEAST_CREDIT }) },
			more: { continueOnFail: () => true },
		});
		// What ends the whole node is an error of this run only.
		await create().catch(() => undefined);
		const sent = paths().filter((path) => path === '/v2/edits').length;
		const hasCredit = 'body' in account && total >= LEAST_CREDIT;
		over += readsCredit && !hasCredit ? sent : Math.max(0, submitted + sent - mostEdits);
		submitted += sent;
	}
	return { submitted, over };
}

let submitted = 0;
let over = 0;
for (let trial = 0; trial < TRIALS; trial++) {
	const execution = await runExecution();
	submitted += execution.submitted;
	over += execution.over;
}
console.log(`${submitted} edits submitted`);
printBars([count(`edits submitted over the limits of spending, in ${TRIALS} trials`, over, 0)]);
