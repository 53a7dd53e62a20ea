import { systemTime } from '../../../api/time';

/** A person at the editor does not notice a delay of this length. */
const STRETCH_MS = 20;

/** As short as a sleep can be; n8n does its other work meanwhile. */
const PAUSE_MS = 1;

/** Pauses work on many items; without them, n8n would answer no other request until the work ends. */
export class Pauses {
	private lastAtMs = systemTime.now();

	/** Pauses for 1 ms if the last pause was at least 20 ms ago. */
	async mayPause(): Promise<void> {
		if (systemTime.now() - this.lastAtMs < STRETCH_MS) return;
		await systemTime.sleep(PAUSE_MS);
		this.lastAtMs = systemTime.now();
	}
}
