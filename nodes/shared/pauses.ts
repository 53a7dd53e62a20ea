import { systemTime } from '../../api/time';

/** A person at the editor does not notice a delay of this length. */
const STRETCH_MS = 20;

/** Lets n8n do its other work: as short as a sleep can be. */
const PAUSE_MS = 1;

/** Pauses in work on many items, in which n8n would otherwise answer nobody until its end. */
export class Pauses {
	private lastAtMs = systemTime.now();

	/** Pauses for 1 ms if the last pause is 20 ms ago. */
	async mayPause(): Promise<void> {
		if (systemTime.now() - this.lastAtMs < STRETCH_MS) return;
		await systemTime.sleep(PAUSE_MS);
		this.lastAtMs = systemTime.now();
	}
}
