/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they print */
import type { LogLine } from '../support/n8nEngine';
import type { Endpoint } from './endpoints';
import { type Fault, faultTable } from './faults';
import { restoreClock } from './injections';
import { Patience } from './patience';
import { barsText, findingText, matrixText } from './printing';
import { type Case, type Verdict, casesOf, runCase } from './runCase';
import { type Stage, type StageSettings, startStage } from './stage';

/** Several, because each waits for the service. They share a clock, which leaps when all are asleep. */
const CASES_AT_ONCE = 16;

/** Longer than the patience with the cases, so that those that hang are reported. */
const MATRIX_TIMEOUT_MS = 40 * 60_000;

/** Runs every fault at these endpoints, and describes the tests of a file. */
export function useMatrix(endpoints: readonly Endpoint[], settings: StageSettings = {}): void {
	let stage: Stage;
	let faults: Fault[] = [];
	const verdicts: Verdict[] = [];
	const log: LogLine[] = [];

	beforeAll(async () => {
		stage = await startStage(settings);
		faults = faultTable(stage.otherOrigin.origin);
		const cases = endpoints.flatMap((endpoint) =>
			faults.flatMap((fault) => casesOf(endpoint, fault)),
		);
		// For development: FAULTS_ONLY='DELETE /v2/edits/{id} 500' runs the cases with this in their name.
		const { FAULTS_ONLY = '' } = process.env;
		await runAll(
			cases.filter((one) => `${one.endpoint.name} ${one.fault.name}`.includes(FAULTS_ONLY)),
		);
		process.stdout.write(matrixText(endpoints, faults, verdicts) + barsText(verdicts));
	}, MATRIX_TIMEOUT_MS);

	afterAll(async () => {
		restoreClock();
		await stage.stop();
	});

	async function runAll(cases: readonly Case[]): Promise<void> {
		const left = [...cases].values();
		const patience = new Patience();
		const worker = async () => {
			for (const one of left) {
				if (patience.isOver) return;
				verdicts.push(await runCase(stage, one, { log, patience }));
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

	it('sent nothing to the other origin', () => {
		expect(stage.otherOrigin.received).toEqual([]);
	});
}
