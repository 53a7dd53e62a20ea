/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they watch what the process does */
import { requestsUnderWay, workElsewhere } from './requestsUnderWay';
import { VirtualTime } from './virtualTime';

/** Turns of the event loop without a request or a file operation, after which all code is asleep. */
const QUIET_TURNS = 40;

/** Node.js's names of what works on files: an operation, and the closing of a file. */
const FILE_WORK = /^FS|^CloseReq$/;

let quietTurns = 0;

function isBusy(): boolean {
	const isWorking =
		requestsUnderWay() + workElsewhere.size > 0 ||
		process.getActiveResourcesInfo().some((name) => FILE_WORK.test(name));
	quietTurns = isWorking ? 0 : quietTurns + 1;
	return quietTurns < QUIET_TURNS;
}

/** Jumps to the next wake-up by itself whenever nothing else is running. */
class LeapingTime extends VirtualTime {
	/** How far the time of day is ahead of `now`; change it to let the machine's clock jump. */
	timeOfDayAheadMs = 0;

	private isLeaping = false;

	override timeOfDay(): number {
		return super.timeOfDay() + this.timeOfDayAheadMs;
	}

	override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		const sleeping = super.sleep(ms, signal);
		quietTurns = 0;
		void this.leap();
		await sleeping;
	}

	private async leap(): Promise<void> {
		if (this.isLeaping) return;
		this.isLeaping = true;
		while (this.hasSleepers) {
			await new Promise((resolve) => setImmediate(resolve));
			this.advance(isBusy);
		}
		this.isLeaping = false;
	}
}

/**
 * Replaces `api/time` in tests that run nodes through n8n's engine over real HTTP. Time stops while a
 * request is under way or the engine works, and jumps when all code is asleep. The test's service reads
 * the same clock, so that it knows when a request arrived.
 *
 * Use: `jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'))`.
 */
export const systemTime = new LeapingTime(Date.UTC(2026, 0, 1));
