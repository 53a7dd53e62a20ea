import { budgetsFor, paceOf } from '../../waiting/sharedBudgets';
import { VirtualTime } from '../support/virtualTime';

it('returns the same limits for every caller with the same key and base URL', () => {
	const budgets = budgetsFor('key', 'https://a.example', 30);
	expect(budgetsFor('key', 'https://a.example', 30)).toBe(budgets);
	expect(budgetsFor('other', 'https://a.example', 30)).not.toBe(budgets);
	expect(budgetsFor('key', 'https://b.example', 30)).not.toBe(budgets);
});

it('follows a changed plan in the credential', () => {
	const { submissions } = budgetsFor('upgraded', 'https://a.example', 30);
	budgetsFor('upgraded', 'https://a.example', 100);
	expect(submissions.callsPerMinuteAt(0)).toBe(100);
});

it.each([
	[1, 30, 300],
	[2, 15, 150],
	[7, 4, 42],
	[400, 1, 1],
])('gives each of %i processes its share of the limits', (processes, submitted, asked) => {
	const budgets = budgetsFor(`shared by ${processes}`, 'https://a.example', 30, processes);
	expect(budgets.submissions.callsPerMinuteAt(0)).toBe(submitted);
	expect(budgets.statusCalls.callsPerMinuteAt(0)).toBe(asked);
});

it('lets all processes together begin no more requests at once than a single one', () => {
	const atOnce = (processes: number) => {
		const { statusCalls } = budgetsFor(`burst of ${processes}`, 'https://a.example', 30, processes);
		let begun = 0;
		for (; statusCalls.nextFreeAtMs(0) === 0; begun++) statusCalls.take(0);
		return begun;
	};
	expect(atOnce(5) * 5).toBe(atOnce(1));
});

it('follows a changed number of workers in the credential', () => {
	const { submissions, statusCalls } = budgetsFor('more workers', 'https://a.example', 30);
	budgetsFor('more workers', 'https://a.example', 30, 5);
	expect(submissions.callsPerMinuteAt(0)).toBe(6);
	expect(statusCalls.callsPerMinuteAt(0)).toBe(60);
	budgetsFor('more workers', 'https://a.example', 30, 1);
	expect(statusCalls.callsPerMinuteAt(0)).toBe(300);
});

it('lets the burst of a minute begin at once, paces the rest, and reports it', async () => {
	const time = new VirtualTime();
	const waits: number[] = [];
	const { submissions } = budgetsFor('batch', 'https://a.example', 30);
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

it('slows down after a 429 and recovers', () => {
	const { submissions } = budgetsFor('shared with others', 'https://a.example', 30);
	for (let call = 0; call < 20; call++) submissions.take(0);
	submissions.refused(1_000, 31_000);
	expect(submissions.nextFreeAtMs(1_000)).toBeGreaterThanOrEqual(31_000);
	expect(submissions.callsPerMinuteAt(31_000)).toBe(15);
	expect(submissions.callsPerMinuteAt(31_000 + 3 * 60_000)).toBe(24);
	expect(submissions.callsPerMinuteAt(31_000 + 9 * 60_000)).toBe(30);
});

it('ends a wait for the limit at once when the execution is stopped', async () => {
	const time = new VirtualTime();
	const { submissions } = budgetsFor('stopped', 'https://a.example', 1);
	const pace = paceOf(submissions, time);
	await pace.turn();
	await pace.turn(AbortSignal.abort());
	expect(time.now()).toBe(0);
});

it('allows 300 status calls a minute, 60 of them at once', () => {
	const { statusCalls } = budgetsFor('status', 'https://a.example', 30);
	expect(statusCalls.callsPerMinuteAt(0)).toBe(300);
	for (let call = 0; call < 60; call++) {
		expect(statusCalls.nextFreeAtMs(0)).toBe(0);
		statusCalls.take(0);
	}
	expect(statusCalls.nextFreeAtMs(0)).toBe(200);
});

it('reacts to a 429, and to no other failure', async () => {
	const time = new VirtualTime(5_000);
	const { submissions } = budgetsFor('refused', 'https://a.example', 30);
	const pace = paceOf(submissions, time);
	for (let call = 0; call < 20; call++) await pace.turn();
	pace.failed({ kind: 'status', status: 503, request: 'POST' }, 65_000);
	expect(submissions.nextFreeAtMs(5_000)).toBe(5_000);
	expect(submissions.callsPerMinuteAt(65_000)).toBe(30);
	pace.failed({ kind: 'status', status: 429, request: 'POST' }, 25_000);
	expect(submissions.nextFreeAtMs(5_000)).toBeGreaterThanOrEqual(25_000);
	expect(submissions.callsPerMinuteAt(25_000)).toBe(15);
});
