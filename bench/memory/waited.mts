/**
 * Waits for edits through n8n's engine with one Wait For Edit, and measures that. Argument: a Wait as JSON.
 * Sends its parent a Peak: of the memory that is held, or of all that is taken.
 */
import { runBuilt, sendAndEnd } from '../builtRun.mts';

import { startHeldMeter, startPeakMeter } from '../../testkit/measure/peak.mts';
import { quickenTime } from '../../testkit/time/builtTime.mts';
import { MB, type Peak } from './inChild.mts';
import type { Wait } from './longWaits.mts';

/** Edits before the measuring, which load and compile the code, and let the heap grow to what an edit takes. */
const WARM_UP_EDITS = 20;

/** Of the nodes' clock: 300 status calls a minute are 100 a second, and a call may still take 3 s. */
const SPEED = 20;

const { serviceUrl, edits, isGarbageCounted } = JSON.parse(process.argv[2]) as Wait;

async function waitFor(count: number): Promise<void> {
	const items = Array.from({ length: count }, (_, index) => ({ json: { editId: `1-${index}` } }));
	const waited = await runBuilt(serviceUrl, items, [{ type: 'waitForEdit' }]);
	const finished = waited.filter(({ json }) => json.finished === true).length;
	if (finished !== count) throw new Error(`${finished} of ${count} edits were finished`);
}

quickenTime(SPEED);
await waitFor(WARM_UP_EDITS);
const overBaseline = isGarbageCounted ? startPeakMeter() : startHeldMeter();
const startedAtMs = performance.now();
await waitFor(edits);
const peak: Peak = {
	peakMb: overBaseline() / MB,
	seconds: (performance.now() - startedAtMs) / 1_000,
};
sendAndEnd(peak);
