/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they watch what the process does */
import { requestsUnderWay } from './requestsUnderWay';
import { VirtualTime } from './virtualTime';

/** Turns of the event loop without a request or a file operation, after which all code is asleep. */
const QUIET_TURNS = 40;

/**
 * A jump to a long time limit would end a transfer that a busy machine holds up. Jumps longer than
 * `LONG_JUMP_MS` therefore need `LONG_QUIET_MS` of quiet in real time.
 */
const LONG_JUMP_MS = 600_000;
const LONG_QUIET_MS = 400;

let quietTurns = 0;
let quietSinceMs = 0;

function isBusy(jumpMs: number): boolean {
	const usesFiles = process.getActiveResourcesInfo().some((name) => name.startsWith('FS'));
	if (requestsUnderWay() > 0 || usesFiles) stir();
	else quietTurns += 1;
	if (quietTurns < QUIET_TURNS) return true;
	return jumpMs > LONG_JUMP_MS && performance.now() - quietSinceMs < LONG_QUIET_MS;
}

function stir(): void {
	quietTurns = 0;
	quietSinceMs = performance.now();
}

/** Jumps to the next wake-up by itself whenever nothing else is running. */
class LeapingTime extends VirtualTime {
	private isLeaping = false;

	override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		const sleeping = super.sleep(ms, signal);
		stir();
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
