/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they read the environment */
import type { LogLine } from '../../testkit/n8n/n8nEngine';
import type { Endpoint } from './endpoints';
import { faultTable } from './faults';
import { restoreClock } from './injections';
import { type Case, type Verdict, casesOf, patience, runCase } from './runCase';
import { Stage, type StageSettings } from './stage';

/** Several, because each waits for the service. They share a clock, which leaps when all are asleep. */
const CASES_AT_ONCE = 16;

/** Longer than the patience with the cases, so that those that hang are reported. */
const MATRIX_TIMEOUT_MS = 40 * 60_000;

/** Describes a failed case in one line. */
function findingText({ endpoint, fault, isOnce, findings }: Verdict): string {
	const strikes = isOnce ? 'once' : 'always';
	return `${endpoint.name} (${endpoint.through}), ${fault.name}, ${strikes}: ${findings.join('; ')}`;
}

/** Runs every fault at these endpoints, and describes the tests of a file. */
export function useMatrix(endpoints: readonly Endpoint[], settings: StageSettings = {}): void {
	let stage: Stage;
	const verdicts: Verdict[] = [];
	const log: LogLine[] = [];

	beforeAll(async () => {
		stage = await Stage.start(settings);
		const faults = faultTable(stage.otherOrigin);
		const cases = endpoints.flatMap((endpoint) =>
			faults.flatMap((fault) => casesOf(endpoint, fault)),
		);
		// For development: FAULTS_ONLY='DELETE /v2/edits/{id} 500' runs the cases with this in their name.
		const { FAULTS_ONLY = '' } = process.env;
		await runAll(
			cases.filter((one) => `${one.endpoint.name} ${one.fault.name}`.includes(FAULTS_ONLY)),
		);
	}, MATRIX_TIMEOUT_MS);

	afterAll(async () => {
		restoreClock();
		await stage.stop();
	});

	async function runAll(cases: readonly Case[]): Promise<void> {
		const left = [...cases].values();
		const worker = async () => {
			for (const one of left) {
				if (patience.aborted) return;
				verdicts.push(await runCase(stage, one, log));
			}
		};
		await Promise.all(Array.from({ length: CASES_AT_ONCE }, worker));
	}

	describe('every fault ends as the table says, with nothing lost, leaked or charged twice', () => {
		it.each(endpoints.map((endpoint) => ({ ...endpoint, endpoint })))(
			'at $name ($through)',
			({ endpoint }) => {
				const own = verdicts.filter((verdict) => verdict.endpoint === endpoint);
				expect(own).not.toHaveLength(0);
				expect(own.filter(({ findings }) => findings.length > 0).map(findingText)).toEqual([]);
			},
		);
	});

	it('saw every edit that the service created', () => {
		const seen = [...stage.createdByHand, ...verdicts.flatMap(({ createdIds }) => createdIds)];
		expect(stage.createdByService().sort()).toEqual(seen.sort());
	});

	it('sent no key and no file to the other origin', () => {
		expect(stage.strays).toEqual([]);
	});
}
