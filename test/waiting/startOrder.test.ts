import { SeenDurations } from '../../waiting/durations';
import { finishedLikelihood } from '../../waiting/likelihood';
import { StartOrder } from '../../waiting/startOrder';

describe('the order of starts', () => {
	it('predicts when an edit starts once it knows how many are in progress at once', () => {
		const order = new StartOrder(1_000);
		for (const place of [0, 1, 2]) order.sawStart(place, true);
		expect([0, 1, 2, 3].map((place) => order.startsAtMs(place))).toEqual([
			1_000,
			1_000,
			1_000,
			Infinity,
		]);
		// The order in which ends are seen does not matter, only their times.
		order.sawEnd(9_000);
		order.sawEnd(5_000);
		expect([3, 4, 5].map((place) => order.startsAtMs(place))).toEqual([5_000, 9_000, Infinity]);
	});

	it('corrects itself when an edit that should have started is still PENDING', () => {
		const order = new StartOrder(0);
		order.sawStart(9, true);
		expect(order.startsAtMs(9)).toBe(0);
		order.sawStart(4, false);
		expect(order.startsAtMs(4)).toBe(Infinity);
	});

	it('gains confidence when starts come in order, and loses it when they do not', () => {
		const inOrder = new StartOrder(0);
		const random = new StartOrder(0);
		for (let place = 0; place < 30; place++) inOrder.sawStart(place, true);
		for (let place = 0; place < 30; place++) random.sawStart((place * 7) % 30, place % 3 === 0);
		expect(inOrder.faith).toBeGreaterThan(0.9);
		expect(random.faith).toBeLessThan(0.6);
	});
});

describe('the likelihood that an edit has finished unseen', () => {
	const batch = (orderFaith: number) => ({ durations: seen([60, 70, 80, 300, 310]), orderFaith });
	const seen = (seconds: number[]) => {
		const durations = new SeenDurations();
		for (const second of seconds) durations.add(second * 1_000);
		return durations;
	};
	const running = (ageSeconds: number, unseenSeconds: number, status = 'EDITING') =>
		finishedLikelihood(
			{ status, lastSeenAtMs: -unseenSeconds * 1_000, startedAtMs: -ageSeconds * 1_000 },
			Infinity,
			batch(1),
			0,
		);

	it('is highest where other edits of its age have finished', () => {
		expect(running(80, 25)).toBeGreaterThan(running(30, 25));
		expect(running(80, 25)).toBeGreaterThan(running(200, 25));
		expect(running(310, 25)).toBeGreaterThan(running(200, 25));
	});

	it('grows with the time since the last poll', () => {
		expect(running(75, 20)).toBeGreaterThan(running(75, 5));
	});

	it('is high near the end, whatever the durations of other edits', () => {
		expect(running(200, 10, 'EXPORT')).toBeGreaterThan(0.6);
		expect(running(200, 10, 'EXPORT')).toBeGreaterThan(running(200, 10, 'POSTPROCESSING'));
	});

	it('is almost zero for an edit that is not next, if the order is kept', () => {
		const pending = { status: 'PENDING', lastSeenAtMs: -600_000 };
		expect(finishedLikelihood(pending, Infinity, batch(1), 0)).toBeLessThan(0.01);
		expect(finishedLikelihood(pending, -600_000, batch(1), 0)).toBeGreaterThan(0.5);
		expect(finishedLikelihood(pending, Infinity, batch(0), 0)).toBeGreaterThan(0.5);
	});
});
