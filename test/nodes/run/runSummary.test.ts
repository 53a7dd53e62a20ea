import { RunSummary } from '../../../nodes/core/run/runSummary';

describe('a summary', () => {
	const summary = (total: number) => new RunSummary('edited', total);

	it('counts how the items ended, and names what failed and why others were skipped', () => {
		const run = summary(9);
		run.done(0);
		run.done(1);
		run.stillRunning(2);
		run.skipped(3, 'edited before');
		run.skipped(4, 'failed twice');
		run.skipped(5, 'edited before');
		run.failed(6, 'a.wav');
		run.failed(7, '');
		// What an item became first stays.
		run.done(6);
		run.failed(0, 'b.wav');
		expect(run.text()).toBe(
			'2 edited, 1 still running, 3 skipped (edited before, failed twice), 2 failed: a.wav, 1 not finished',
		);
	});

	it('is worth a line for several items, and for one that was skipped', () => {
		const [one, skipped] = [summary(1), summary(1)];
		one.done(0);
		skipped.skipped(0, 'edited before');
		expect([one, skipped, summary(2)].map((run) => run.isWorthwhile)).toEqual([false, true, true]);
	});
});
