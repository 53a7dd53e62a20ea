import { failureOf } from '../support/failures';
import { itemsOf, storeFile } from '../support/n8nEngine';
import { useRecordingService } from '../support/recordingService';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const service = useRecordingService();

/** Fails for an item without `value`, as an expression of another node's item does that has none. */
const FAILS_FOR_FIRST = "={{ $json.value ?? $('Nowhere').item.json.value }}";

/*
 * These options count for all items, and come from the first one. If they cannot be read there, no item
 * has a rule to go by: all fail, and no edit is charged.
 */
it.each([
	{ maximumWaitMinutes: FAILS_FOR_FIRST },
	{ options: { firstPollDelaySeconds: FAILS_FOR_FIRST } },
	{ options: { pollIntervalSeconds: FAILS_FOR_FIRST } },
	{ options: { pendingNoticeMinutes: FAILS_FOR_FIRST } },
	{ options: { transfersAtOnce: FAILS_FOR_FIRST } },
	{ options: { whenStopped: FAILS_FOR_FIRST } },
])('nothing is sent if the first item has no value for %j', async (parameters) => {
	const items = await Promise.all(
		['a.wav', 'b.wav'].map(async (name, index) => {
			const data = await storeFile(Buffer.from('RIFF'), name, 'audio/wav');
			return { json: index === 0 ? {} : { value: 5 }, binary: { data } };
		}),
	);
	const settings = { onError: 'continueErrorOutput' } as const;
	const workflow = chain({ type: 'audioEditing', parameters, settings });
	const run = await runChain(
		{ url: service.url, apiKey: JSON.stringify(parameters) },
		workflow,
		items,
	);
	const failures = [0, 1, 2, 3].flatMap((output) => itemsOf(run, 'audioEditing', output));
	expect(failures.map((item) => failureOf(item)?.message)).toEqual(
		Array(2).fill(expect.stringContaining("Referenced node doesn't exist")),
	);
	expect(service.seen).toEqual([]);
});
