import { systemTime } from './time';

/** A person at the editor does not notice a delay of this length. */
const STRETCH_MS = 20;

/** As short as a sleep can be; n8n does its other work meanwhile. */
const PAUSE_MS = 1;

/** Pauses work on many things; without them, n8n would answer no other request until the work ends. */
export class Pauses {
	private lastAtMs = systemTime.now();

	/** Pauses for 1 ms if the last pause was at least 20 ms ago. */
	async mayPause(): Promise<void> {
		if (systemTime.now() - this.lastAtMs >= STRETCH_MS) await this.pause();
	}

	/** Pauses for 1 ms. */
	async pause(): Promise<void> {
		await systemTime.sleep(PAUSE_MS);
		this.lastAtMs = systemTime.now();
	}
}

/** Steps between two looks at the clock: a word of a transcript takes less than a microsecond. */
const STEPS_AT_ONCE = 100;

/** Does a number of quick steps, and pauses between them where they take long. */
export async function inPieces(
	steps: number,
	step: (index: number) => void,
	atOnce = STEPS_AT_ONCE,
): Promise<void> {
	const pauses = new Pauses();
	for (let begin = 0; begin < steps; begin += atOnce) {
		const end = Math.min(begin + atOnce, steps);
		for (let index = begin; index < end; index++) step(index);
		await pauses.mayPause();
	}
}
