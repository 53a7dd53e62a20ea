import type { INodeExecutionData, IRun } from 'n8n-workflow';

import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { fileItems, useRecordingService } from '../../../testkit/service/recordingService';
import type { SeenRequest } from '../../../testkit/service/fake/scriptedService';

/*
 * A night in which nobody watches: 300 recordings, of which no. 150 is no recording, with On Error as it
 * comes. The next executions deliver whatever the service has accepted, at no new charge.
 */

const NODE = 'audioEditing';
const NAMES = Array.from({ length: 300 }, (_, index) => `rec-${index + 1}.mp3`);
const BAD = 'broken-150.mp3';
NAMES[149] = BAD;
const SKIP = { skipEdited: 'nameAndSize' };

useProcessedData();
const service = useRecordingService();

const isSubmission = ({ method, path }: SeenRequest) => method === 'POST' && path === '/v2/edits';

let items: INodeExecutionData[] = [];
beforeEach(async () => {
	items = await fileItems(...NAMES);
});

const namesIn = ({ run }: { run: IRun }, output: number) =>
	itemsOf(run, NODE, output).map(({ json }) => String(json.sourceFileName));

const codesIn = ({ run }: { run: IRun }, output: number) =>
	itemsOf(run, NODE, output).map(({ json }) => json.skipCode);

function expectChargedOnce() {
	const good = service.charged.filter((name) => name !== BAD);
	expect(new Set(good).size).toBe(good.length);
	expect(service.charged.length - good.length).toBeLessThanOrEqual(2);
}

it('a node that one bad recording ends loses nothing: the next execution delivers the others', async () => {
	const first = await service.edit(items, SKIP);
	expect(first.error?.message).toContain(BAD);
	expect(first.error?.description).toContain(
		'The next execution fetches the results of the recordings that have an edit, at no new charge.',
	);
	expect(first.error?.description).not.toContain('retry it');
	expect(first.out).toEqual([]);
	const submitted = service.charged.length;
	expect(submitted).toBeGreaterThan(100);
	// The second night finds the others undelivered, and does not die of the same file.
	const second = await service.edit(items, SKIP);
	expect(second.error).toBeUndefined();
	expect(namesIn(second, 0).sort()).toEqual(NAMES.filter((name) => name !== BAD).sort());
	expect(namesIn(second, 1)).toEqual([BAD]);
	expect(codesIn(second, 1)).toEqual(['failedBefore']);
	expectChargedOnce();
	const third = await service.edit(items, { ...SKIP, afterFailure: 'skip' });
	expect(new Set(codesIn(third, 1))).toEqual(new Set(['editedBefore', 'failedBefore']));
	expect(service.charged).toHaveLength(300);
});

it('Stop at any moment loses nothing, and leaves nothing uncertain that only waited', async () => {
	for (const seconds of [5, 100, 400]) {
		const { out } = await service.edit(items, SKIP, { stopAfterSeconds: seconds });
		expect(out).toEqual([]);
	}
	const settings = { onError: 'continueErrorOutput' } as const;
	const last = await service.edit(items, SKIP, { settings });
	const failed = namesIn(last, 2);
	// Stop may have cut the submissions that were under way.
	expect(failed.filter((name) => name !== BAD).length).toBeLessThanOrEqual(3 * 4);
	expect(namesIn(last, 0).length + failed.length + namesIn(last, 1).length).toBe(300);
	expectChargedOnce();
});

// Within the time in which what was stored at last is recorded again, or after it.
it.each([1, 60])(
	'a recording that breaks after %d s is submitted at most twice',
	async (seconds) => {
		service.seconds[BAD] = seconds;
		const settings = { onError: 'continueErrorOutput' } as const;
		const some = await fileItems(BAD, 'good.mp3');
		const codes: unknown[][] = [];
		for (let night = 1; night <= 4; night++) {
			codes.push(codesIn(await service.edit(some, SKIP, { settings }), 1));
		}
		expect(service.charged.filter((name) => name === BAD)).toHaveLength(2);
		expect(codes[3].sort()).toEqual(['editedBefore', 'failedTwice']);
		// Another setting of the edit is another request.
		await service.edit(some, { ...SKIP, fillers: true }, { settings });
		expect(service.charged.filter((name) => name === BAD)).toHaveLength(3);
		await service.edit(some, { ...SKIP, afterFailure: 'always' }, { settings });
		expect(service.charged.filter((name) => name === BAD)).toHaveLength(4);
	},
);

it('Retry On Fail raises the known failure before it submits anything new', async () => {
	const some = await fileItems(BAD, ...NAMES.slice(0, 40));
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	service.seconds[BAD] = 1;
	const { error } = await service.edit(some, SKIP, { settings });
	expect(error?.message).toContain(BAD);
	const first = service.seen.filter(isSubmission).length;
	expect(first).toBeLessThan(41);
	expect(service.charged.filter((name) => name === BAD)).toHaveLength(1);
});

it('a manual execution delivers too, and the next one delivers again at no charge', async () => {
	const some = await fileItems('a.wav');
	expect(namesIn(await service.edit(some, SKIP, { mode: 'manual' }), 0)).toEqual(['a.wav']);
	expect(namesIn(await service.edit(some, SKIP), 0)).toEqual(['a.wav']);
	expect(service.charged).toEqual(['a.wav']);
	const third = await service.edit(some, SKIP);
	expect(codesIn(third, 1)).toEqual(['editedBefore']);
});

// As n8n's server and its editor say it.
it.each(['', '__EMPTY__'])('a workflow never saved (%j) is refused at once', async (workflowId) => {
	const { error } = await service.edit(await fileItems('a.wav'), SKIP, { workflowId });
	expect(error?.message).toContain('needs a saved workflow');
	expect(service.seen).toEqual([]);
});

it('an overlapping execution leaves the recordings of the other one alone', async () => {
	const some = await fileItems('o1.wav', 'o2.wav');
	const more = await fileItems('o1.wav', 'o2.wav', 'o3.wav');
	const first = service.edit(some, SKIP);
	await service.begun();
	const second = await service.edit(more, SKIP);
	expect(codesIn(second, 1)).toEqual(['inWork', 'inWork']);
	expect(namesIn(second, 0)).toEqual(['o3.wav']);
	expect(namesIn(await first, 0)).toEqual(['o1.wav', 'o2.wav']);
	expect(service.charged.toSorted()).toEqual(['o1.wav', 'o2.wav', 'o3.wav']);
});

it('edits up to the limit, and skips the rest as over it', async () => {
	const parameters = { ...SKIP, mostEdits: 2 };
	const some = await fileItems('l1.wav', 'l2.wav', 'l3.wav');
	const first = await service.edit(some, parameters);
	expect(codesIn(first, 1)).toEqual(['overLimit']);
	expect(namesIn(first, 0)).toHaveLength(2);
	const second = await service.edit(some, parameters);
	expect(namesIn(second, 0)).toEqual(namesIn(first, 1));
	expect(service.charged).toHaveLength(3);
});

it('a hint sums up the run, and the error of a node that fails has the same', async () => {
	const some = await fileItems('s1.wav', 's2.wav', 'broken-s.wav');
	const settings = { onError: 'continueErrorOutput' } as const;
	expect((await service.edit(some, SKIP, { settings })).hints).toEqual([
		'2 edited, 1 failed: broken-s.wav',
	]);
	const { error } = await service.edit(some, SKIP);
	expect(error?.description).toContain('2 skipped (edited before), 1 failed: broken-s.wav.');
	expect((await service.edit(some, SKIP)).hints).toEqual([
		'3 skipped (edited before, failed twice)',
	]);
});
