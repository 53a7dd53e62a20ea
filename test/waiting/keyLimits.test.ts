import { paceOf, rateLimitsFor } from '../../waiting/rateLimit';
import { VirtualTime } from '../../testkit/time/virtualTime';

describe('the rate limits of a key', () => {
	it('are the same for the same key and base URL', () => {
		const rateLimits = rateLimitsFor('key', 'https://a.example', 30);
		expect(rateLimitsFor('key', 'https://a.example', 30)).toBe(rateLimits);
		expect(rateLimitsFor('other', 'https://a.example', 30)).not.toBe(rateLimits);
		expect(rateLimitsFor('key', 'https://b.example', 30)).not.toBe(rateLimits);
	});

	it('follow a plan that is changed in the credential', () => {
		const { submissions } = rateLimitsFor('upgraded', 'https://a.example', 30);
		rateLimitsFor('upgraded', 'https://a.example', 100);
		expect(submissions.callsPerMinuteAt(0)).toBe(100);
	});

	it.each([
		[1, 30, 300],
		[2, 15, 150],
		[7, 4, 42],
		[400, 1, 1],
	])('give each of %i processes its share', (processes, submitted, asked) => {
		const rateLimits = rateLimitsFor(`shared by ${processes}`, 'https://a.example', 30, processes);
		expect(rateLimits.submissions.callsPerMinuteAt(0)).toBe(submitted);
		expect(rateLimits.statusCalls.callsPerMinuteAt(0)).toBe(asked);
	});

	it('let all processes together begin no more at once than one alone', () => {
		const atOnce = (processes: number) => {
			const { statusCalls } = rateLimitsFor(
				`burst of ${processes}`,
				'https://a.example',
				30,
				processes,
			);
			let begun = 0;
			for (; statusCalls.nextFreeAtMs(0) === 0; begun++) statusCalls.begin(0);
			return begun;
		};
		expect(atOnce(5) * 5).toBe(atOnce(1));
	});

	it('follow a number of workers that is changed in the credential', () => {
		const { submissions, statusCalls } = rateLimitsFor('more workers', 'https://a.example', 30);
		rateLimitsFor('more workers', 'https://a.example', 30, 5);
		expect(submissions.callsPerMinuteAt(0)).toBe(6);
		expect(statusCalls.callsPerMinuteAt(0)).toBe(60);
		rateLimitsFor('more workers', 'https://a.example', 30, 1);
		expect(statusCalls.callsPerMinuteAt(0)).toBe(300);
	});
});

describe('the turns of a key', () => {
	it('let the burst of a minute begin at once, pace the rest, and report the waits', async () => {
		const time = new VirtualTime();
		const waits: number[] = [];
		const { submissions } = rateLimitsFor('batch', 'https://a.example', 30);
		const pace = paceOf(submissions, time, (waitMs) => waits.push(waitMs));
		const begunAtSeconds: number[] = [];
		const batch = async () => {
			for (let item = 0; item < 300; item++) {
				await pace.turn();
				begunAtSeconds.push(time.now() / 1_000);
			}
		};
		await time.run(batch());
		expect(begunAtSeconds.filter((at) => at === 0)).toHaveLength(30);
		// 300 at 30 a minute: the last 270 take nine windows, each a second longer than the service's.
		expect(time.now() / 60_000).toBeCloseTo(9.15, 1);
		expect(waits.slice(0, 2)).toEqual([61_000, 61_000]);
	});

	it('end a turn at once when the execution is stopped', async () => {
		const time = new VirtualTime();
		const { submissions } = rateLimitsFor('stopped', 'https://a.example', 1);
		const pace = paceOf(submissions, time);
		await pace.turn();
		await pace.turn(AbortSignal.abort());
		expect(time.now()).toBe(0);
	});

	it('allow 300 status calls a minute, 60 of them at once', () => {
		const { statusCalls } = rateLimitsFor('status', 'https://a.example', 30);
		expect(statusCalls.callsPerMinuteAt(0)).toBe(300);
		for (let call = 0; call < 60; call++) {
			expect(statusCalls.nextFreeAtMs(0)).toBe(0);
			statusCalls.begin(0);
		}
		expect(statusCalls.nextFreeAtMs(0)).toBe(200);
	});

	it('fall after a 429, and after no other failure', async () => {
		const time = new VirtualTime({ startMs: 5_000 });
		const { submissions } = rateLimitsFor('refused', 'https://a.example', 30);
		const pace = paceOf(submissions, time);
		for (let call = 0; call < 20; call++) await pace.turn();
		pace.failed({ kind: 'status', status: 503, request: 'POST' }, 65_000, 5_000);
		expect(submissions.nextFreeAtMs(5_000)).toBe(5_000);
		expect(submissions.callsPerMinuteAt(65_000)).toBe(30);
		pace.failed({ kind: 'status', status: 429, request: 'POST' }, 25_000, 5_000);
		expect(submissions.nextFreeAtMs(5_000)).toBeGreaterThanOrEqual(25_000);
		expect(submissions.callsPerMinuteAt(25_000)).toBe(15);
	});
});

it('requests go in the order in which they came, also if the limit is raised meanwhile', async () => {
	const time = new VirtualTime();
	const { submissions } = rateLimitsFor('in-order', 'https://api.example', 1);
	const pace = paceOf(submissions, time);
	const begun: string[] = [];
	const request = async (name: string) => {
		await pace.turn();
		begun.push(name);
	};
	const later = async () => {
		await time.sleep(10_000);
		rateLimitsFor('in-order', 'https://api.example', 100);
		await request('third');
	};
	await time.run(Promise.all([request('first'), request('second'), later()]));
	expect(begun).toEqual(['first', 'second', 'third']);
});
