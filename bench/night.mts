/**
 * Nights in which nobody watches, with 'Skip Recordings Already Edited' on: a kill, Stop or a second execution
 * at a random step, and up to three further executions.
 *
 *     npm run bench -- night                    # 1,000 trials
 *     npm run bench -- night 100 --seed 5000    # fewer, and others
 *     npm run bench -- night --trial 17         # all that a person sees in one trial
 */
import '../testkit/process/environment.ts';

import { parseArgs } from 'node:util';

import { count, printBars } from '../testkit/measure/bars.mts';
import { planOf } from './night/plan.mts';
import { Trial } from './night/trial.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { seed: { type: 'string', default: '1' }, trial: { type: 'string' } },
});

if (values.trial !== undefined) {
	const trial = new Trial(planOf(Number(values.trial)));
	await trial.run();
	trial.show();
	process.exit();
}

const TRIALS = Number(positionals[0] ?? 1_000);
const sums = {
	chargedTwice: 0,
	badChargedOften: 0,
	wrongFile: 0,
	deliveredTwice: 0,
	neverDelivered: 0,
	uncertain: 0,
	uncertainBeyondFlight: 0,
};
for (let index = 0; index < TRIALS; index++) {
	const seed = Number(values.seed) + index;
	const trial = new Trial(planOf(seed));
	await trial.run();
	const { uncertain, ...faults } = trial.judge();
	sums.uncertain += uncertain;
	for (const [name, number] of Object.entries(faults)) sums[name as keyof typeof faults] += number;
	if (Object.values(faults).some((number) => number > 0)) {
		console.log(`npm run bench -- night --trial ${seed} shows a broken promise.`, faults);
	}
}
console.log(`${TRIALS} trials: ${sums.uncertain} recordings were told as uncertain.`);
printBars([
	count('good recordings charged twice', sums.chargedTwice),
	count('bad recordings charged more than twice', sums.badChargedOften),
	count('wrong files for a recording', sums.wrongFile),
	count('results delivered twice by living executions', sums.deliveredTwice),
	count('good recordings never delivered', sums.neverDelivered),
	count('uncertain beyond the submissions in flight', sums.uncertainBeyondFlight),
]);
process.exit();
