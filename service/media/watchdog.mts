/** How long a program may run, in seconds of this machine being awake. */
export interface TimeLimits {
	/** Without any sign of progress. */
	stallSeconds: number;
	/** From start to end. */
	totalSeconds: number;
}

const TICK_MS = 1_000;

/**
 * Ends a program that hangs or takes too long. It counts its own ticks instead of reading a clock,
 * so a machine that slept does not look like a program that hangs.
 */
export class Watchdog {
	/** Why the program was ended; undefined while it was not. */
	verdict: string | undefined;
	#silentTicks = 0;
	#ticks = 0;
	#isHeld = false;
	readonly #timer: NodeJS.Timeout;

	constructor({ stallSeconds, totalSeconds }: TimeLimits, kill: () => void) {
		this.#timer = setInterval(() => {
			if (this.#isHeld) return;
			this.#silentTicks += 1;
			this.#ticks += 1;
			if (this.#silentTicks < stallSeconds && this.#ticks < totalSeconds) return;
			this.verdict ??=
				this.#silentTicks < stallSeconds
					? `ended after ${totalSeconds} s`
					: `no progress for ${stallSeconds} s`;
			kill();
		}, TICK_MS);
		this.#timer.unref();
	}

	/** The program made progress. */
	alive(): void {
		this.#silentTicks = 0;
	}

	/** The program waits for us: this time does not count until `release`. */
	hold(): void {
		this.#isHeld = true;
	}

	/** It is the program's turn again. */
	release(): void {
		this.#isHeld = false;
		this.#silentTicks = 0;
	}

	/** The program is gone. */
	stop(): void {
		clearInterval(this.#timer);
	}
}
