/** How long a program may run, in seconds. Time in which this machine sleeps does not count. */
export interface TimeLimits {
	/** Maximum without any sign of progress. */
	stallSeconds: number;
	/** Maximum from start to end. */
	totalSeconds: number;
}

const TICK_MS = 1_000;

/**
 * Kills a program that hangs or takes too long. It counts its own ticks instead of reading a clock,
 * so that sleep of the machine does not look like a hang.
 */
export class Watchdog {
	/** Why the program was killed; undefined if it was not. */
	verdict: string | undefined;
	private silentTicks = 0;
	private ticks = 0;
	private isHeld = false;
	private readonly timer: NodeJS.Timeout;

	constructor({ stallSeconds, totalSeconds }: TimeLimits, kill: () => void) {
		this.timer = setInterval(() => {
			if (this.isHeld) return;
			this.silentTicks += 1;
			this.ticks += 1;
			if (this.silentTicks < stallSeconds && this.ticks < totalSeconds) return;
			this.verdict ??=
				this.silentTicks < stallSeconds
					? `ended after ${totalSeconds} s`
					: `no progress for ${stallSeconds} s`;
			kill();
		}, TICK_MS);
		this.timer.unref();
	}

	/** Reports progress. */
	alive(): void {
		this.silentTicks = 0;
	}

	/** Pauses the count until `release`, while the program waits for us. */
	hold(): void {
		this.isHeld = true;
	}

	/** Resumes the count. */
	release(): void {
		this.isHeld = false;
		this.silentTicks = 0;
	}

	/** Stops watching: the program has ended. */
	stop(): void {
		clearInterval(this.timer);
	}
}
