import { Chance } from '../../testkit/measure/chance.mts';

/** What happens to the first execution. */
type Interruption =
	| 'killAtRequest'
	| 'killAtWrite'
	| 'killAfterEnd'
	| 'stop'
	| 'overlap'
	| 'twoProcesses';

const INTERRUPTIONS = [
	'killAtRequest',
	'killAtWrite',
	'killAfterEnd',
	'stop',
	'overlap',
	'twoProcesses',
] as const;

/** All that happens in one trial: the same for the same seed. */
export function planOf(seed: number) {
	const chance = new Chance(seed);
	const count = chance.whole(5, 60);
	const bad = chance.whole(0, count - 1);
	return {
		seed,
		recordings: Array.from({ length: count }, (_, index) => ({
			name: `r${index}.wav`,
			sizeBytes: chance.whole(1_000, 20_000_000),
			editedBytes: 1_000,
			workSeconds: chance.pick([5, 40, 90, 400]),
			isBroken: index === bad,
		})),
		interruption: chance.pick<Interruption>(INTERRUPTIONS),
		/** The request or the write at which the process dies. */
		atStep: chance.whole(1, 8 * count),
		isTaken: chance.isTrue(0.5),
		/** After the start of the first execution, or after its end. */
		afterMs: chance.whole(0, 400_000),
		afterEndMs: chance.whole(0, 1_500),
		onError: chance.pick(['stopWorkflow', 'continueErrorOutput'] as const),
		betweenMs: chance.pick([20_000, 900_000, 86_400_000]),
		furtherExecutions: 3,
	};
}

export type NightPlan = ReturnType<typeof planOf>;
