import { systemTime } from '../../api/time';
import { Pauses } from '../../nodes/shared/run/runNode';

describe('pauses in work on many items', () => {
	let nowMs: number;
	let sleptMs: number[];

	beforeEach(() => {
		nowMs = 5_000;
		sleptMs = [];
		jest.spyOn(systemTime, 'now').mockImplementation(() => nowMs);
		jest.spyOn(systemTime, 'sleep').mockImplementation(async (ms) => {
			sleptMs.push(ms);
			nowMs += ms;
		});
	});

	afterEach(() => {
		jest.restoreAllMocks();
	});

	it('pauses for 1 ms after 20 ms of work', async () => {
		const pauses = new Pauses();
		nowMs += 19;
		await pauses.mayPause();
		expect(sleptMs).toEqual([]);
		nowMs += 1;
		await pauses.mayPause();
		expect(sleptMs).toEqual([1]);
	});

	it('counts the next 20 ms from the end of the last pause', async () => {
		const pauses = new Pauses();
		nowMs += 100;
		await pauses.mayPause();
		nowMs += 19;
		await pauses.mayPause();
		expect(sleptMs).toEqual([1]);
		nowMs += 1;
		await pauses.mayPause();
		expect(sleptMs).toEqual([1, 1]);
	});
});
