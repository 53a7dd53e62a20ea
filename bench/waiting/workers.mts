import { Client } from '../../api/client.ts';
import { failed, success, type Result } from '../../api/failure.ts';
import { HIDES_NOTHING } from '../../api/secrets.ts';
import type { ServiceRequest } from '../../api/transport.ts';
import { Chance } from '../../testkit/measure/chance.mts';
import { FakeService } from '../../testkit/service/fake/fakeService.ts';
import { FixedMinute } from '../../testkit/service/fake/limits.ts';
import { VirtualTime } from '../../testkit/time/virtualTime.ts';
import { paceOf, rateLimitsFor } from '../../waiting/rateLimit.ts';

const SUBMISSIONS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
const LATENCY_MS = 150;

/**
 * Lets n8n workers submit edits with one key on a virtual clock, each in its own execution, all of which
 * begin at once. The service counts in fixed minutes and sends no Retry-After.
 *
 * @param numberOfWorkers what the credential says of their number
 * @returns how many submissions were refused, the minutes that all took, and how many were given up
 */
export async function submitWith(edits: number, workers: number, numberOfWorkers: number) {
	const chance = new Chance(1);
	const time = new VirtualTime({ random: () => chance.next() });
	const submissionLimit = new FixedMinute(time, SUBMISSIONS_PER_MINUTE);
	const service = new FakeService(time, { submissionLimit });
	let refusals = 0;
	const submit = async ({ method, path, body }: ServiceRequest): Promise<Result<unknown>> => {
		const answer = service.answer({ method, path, body: JSON.stringify(body) });
		if (answer.status !== undefined) refusals++;
		await time.sleep(LATENCY_MS);
		return answer.status === undefined
			? success(answer.body)
			: failed({ kind: 'status', status: answer.status, request: `${method} ${path}` });
	};
	const unused = () => Promise.reject(new Error('No file travels here'));
	const files = { put: unused, open: unused, openOwn: unused };
	const door = { call: submit, ...files, hiderFor: () => HIDES_NOTHING };
	const clients = Array.from({ length: workers }, (_, worker) => {
		// Each has its own limits, as in its own process.
		const key = `${edits} edits, ${numberOfWorkers} of ${workers} workers: ${worker}`;
		const root = 'https://api.example';
		const rateLimits = rateLimitsFor(key, root, SUBMISSIONS_PER_MINUTE, numberOfWorkers);
		return new Client(door, { time, submissionPace: paceOf(rateLimits.submissions, time) });
	});
	const submissions = Array.from({ length: edits }, async (_, edit) => {
		const input = { files: ['https://files.example.com/a.wav'], config: {} };
		return await clients[edit % workers].createEdit({ input });
	});
	const outcomes = await time.run(Promise.all(submissions));
	const givenUp = outcomes.filter(({ ok }) => !ok).length;
	return { refusals, minutes: time.now() / MINUTE_MS, givenUp };
}
