import { systemTime } from '../../api/time';
import { Pauses } from '../../nodes/shared/run/runNode';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

describe('pauses in work on many items', () => {
	const sleep = jest.spyOn(systemTime, 'sleep');

	/** Works for these times, with the chance of a pause after each. Returns how long the pauses were. */
	async function pausesIn(...workMs: number[]): Promise<number[]> {
		const pauses = new Pauses();
		const slept: number[] = [];
		for (const ms of workMs) {
			await systemTime.sleep(ms);
			sleep.mockClear();
			await pauses.mayPause();
			slept.push(...sleep.mock.calls.map(([pausedMs]) => pausedMs));
		}
		return slept;
	}

	it('pauses for 1 ms after 20 ms of work', async () => {
		expect(await pausesIn(19)).toEqual([]);
		expect(await pausesIn(19, 1)).toEqual([1]);
	});

	it('counts the next 20 ms from the end of the last pause', async () => {
		expect(await pausesIn(100, 19)).toEqual([1]);
		expect(await pausesIn(100, 19, 1)).toEqual([1, 1]);
	});
});
