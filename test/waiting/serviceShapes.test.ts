import { type Edit, editSchema } from '../../api/contract';
import { failed, success } from '../../api/failure';
import { PolledEdit } from '../../waiting/polledEdit';
import { simulatedWait } from '../../testkit/service/fake/simulatedService';

const BEGAN_MS = 100_000;

const DONE = { download_url: 'https://files.example.com/a' };

const read = (status: string, result?: unknown, more = {}): Edit =>
	editSchema.parse({ task_id: 'a', status, result, ...more });

/** Polls an edit every 10 s with these responses. */
function polled(...edits: Edit[]) {
	const edit = new PolledEdit({ editId: 'a' }, BEGAN_MS, BEGAN_MS, Infinity);
	const changes = edits.map((one, poll) => {
		const atMs = BEGAN_MS + poll * 10_000;
		return edit.learn(success(one), atMs, atMs);
	});
	return { edit, changes };
}

/** Waits for an edit whose polls read these bodies; the last one repeats. Returns when it was polled. */
async function pollSeconds(bodies: object[], rules = {}): Promise<number[]> {
	const { service, wait } = simulatedWait({ a: [] }, {}, { latencyMs: 0 });
	service.alter = (_edit, { number }) =>
		editSchema.parse({ task_id: 'a', ...bodies[Math.min(number, bodies.length) - 1] });
	await wait(rules);
	return service.callsFor('a');
}

describe('progress', () => {
	const at = (done: number) => read('EDITING', { done, total: 40, step: 'cut' });

	it('comes with the change of status', () => {
		const { edit, changes } = polled(at(12));
		expect(changes).toEqual([
			{ status: 'EDITING', atSeconds: 0, progress: { done: 12, total: 40, text: '12 of 40, cut' } },
		]);
		expect(edit.progress).toEqual({ done: 12, total: 40, text: '12 of 40, cut' });
	});

	it('is kept in the history as last seen in each status', () => {
		const { edit } = polled(read('PENDING'), at(12), at(39), read('EXPORT'));
		expect(edit.report(BEGAN_MS).history).toEqual([
			{ status: 'PENDING', atSeconds: 0 },
			{
				status: 'EDITING',
				atSeconds: 10,
				progress: { done: 39, total: 40, text: '39 of 40, cut' },
			},
			{ status: 'EXPORT', atSeconds: 30 },
		]);
		expect(edit.progress).toBeUndefined();
	});

	it('with SUCCESS is waited out like a missing result', () => {
		const stuck = read('SUCCESS', { done: 40, total: 40 });
		expect(polled(stuck, stuck, read('SUCCESS', DONE)).edit.end).toBe('succeeded');
		expect(polled(...Array<Edit>(6).fill(stuck)).edit.end).toBeUndefined();
		expect(polled(...Array<Edit>(7).fill(stuck)).edit).toMatchObject({ end: 'succeeded' });
	});

	it('with SUCCESS is waited out for as long as it moves', () => {
		const moving = Array.from({ length: 30 }, (_, done) => read('SUCCESS', { done, total: 40 }));
		expect(polled(...moving).edit.end).toBeUndefined();
		const stuck = read('SUCCESS', { done: 29, total: 40 });
		expect(polled(...moving, ...Array<Edit>(6).fill(stuck)).edit.end).toBe('succeeded');
	});
});

it('keeps the reason of a FAILURE in the history, where there is one', () => {
	const said = polled(read('EDITING'), read('FAILURE', { message: 'no audio' })).edit;
	expect(said.report(BEGAN_MS).history).toEqual([
		{ status: 'EDITING', atSeconds: 0 },
		{ status: 'FAILURE', atSeconds: 10, reason: 'no audio' },
	]);
	const [unsaid] = polled(read('FAILURE')).edit.history;
	expect(unsaid).not.toHaveProperty('reason');
	expect(unsaid).not.toHaveProperty('progress');
});

describe('QUEUED', () => {
	it('after work does not mean that the service has forgotten the edit', () => {
		const queued = Array<Edit>(200).fill(read('QUEUED'));
		expect(polled(read('EDITING'), ...queued).edit.end).toBeUndefined();
	});

	it('for long does not mean that the ID is unknown', () => {
		const { edit } = polled(read('QUEUED'));
		expect(edit.isPendingTooLong(BEGAN_MS + 3_600_000, 60_000)).toBe(false);
	});
});

describe('poll_after_seconds', () => {
	const [running, done] = [{ status: 'EDITING' }, { status: 'SUCCESS', result: DONE }];
	const after = (seconds: number, status = 'EDITING') => ({ status, poll_after_seconds: seconds });

	it.each<[string, object[], number[]]>([
		['puts the next poll off', [after(45), running, done], [30, 75, 85]],
		['does so for an edit that has not begun, too', [after(45, 'PENDING'), done], [30, 75]],
		['never brings the next poll forward', [after(1), done], [30, 40]],
		['puts it off by 5 minutes at most', [after(86_400), done], [30, 330]],
	])('%s', async (_title, bodies, seconds) => {
		expect(await pollSeconds(bodies)).toEqual(seconds);
	});

	it('leaves the last poll at the deadline', async () => {
		expect(await pollSeconds([after(120)], { maxWaitMs: 60_000 })).toEqual([30, 60]);
	});

	it('is forgotten when the next poll fails', () => {
		const { edit } = polled(read('EDITING', undefined, { poll_after_seconds: 45 }));
		expect(edit.pollAfterMs).toBe(45_000);
		edit.learn(failed({ kind: 'broken', request: 'GET' }), BEGAN_MS, BEGAN_MS);
		expect(edit.pollAfterMs).toBe(0);
	});
});
