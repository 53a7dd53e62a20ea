import { testNode } from '../../../testkit/n8n/engineNodeTypes';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { OUR_NODES } from '../../../testkit/n8n/ourNodes';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { fileItems, useRecordingService } from '../../../testkit/service/recordingService';
import { chain } from '../../../testkit/n8n/workflows';
import { systemTime } from '../../../testkit/time/leapingTime';

/*
 * What n8n's memory says when n8n died between two of its writes, and after failures.
 */

const store = useProcessedData();
const service = useRecordingService();

/** Longer than the node takes to note that a result was output. */
const SETTLED_AFTER_SECONDS = 5;

async function edit(name: string, more = {}) {
	const parameters = { skipEdited: 'nameAndSize', ...more };
	const settings = { onError: 'continueErrorOutput' } as const;
	const { out, run } = await service.edit(await fileItems(name), parameters, { settings });
	for (let s = 1; s <= SETTLED_AFTER_SECONDS; s++) await systemTime.sleep(1_000);
	const skipped = itemsOf(run, 'audioEditing', 1);
	return {
		edits: out.map(({ json }) => json.editId),
		skipCodes: skipped.map(({ json }) => json.skipCode),
	};
}

it('a result is output again if n8n died while it noted that it was output', async () => {
	const written: Array<{ write: string; rows: ReadonlyMap<string, readonly string[]> }> = [];
	store.beforeWrite = (write) => void written.push({ write, rows: new Map(store.rows) });
	await edit('a.wav');
	store.beforeWrite = () => undefined;
	const noted = written.map(({ write }) => write).lastIndexOf('record');
	for (const [row, entries] of written[noted + 1].rows) store.rows.set(row, entries);

	expect(await edit('a.wav')).toEqual({ edits: ['edit-1'], skipCodes: [] });
	expect(await edit('a.wav')).toEqual({ edits: [], skipCodes: ['editedBefore'] });
	expect(service.charged).toEqual(['a.wav']);
});

it('a result is output again if the execution was stopped just after the node', async () => {
	let stop = () => {};
	const next = testNode(async () => {
		stop();
		return [];
	});
	const skipEdited = 'nameAndSize';
	await service.edit(
		await fileItems('a.wav'),
		{},
		{
			workflow: chain({ type: 'audioEditing', parameters: { skipEdited } }, { type: 'next' }),
			nodeTypes: { ...OUR_NODES, 'n8n-nodes-audio-editing.next': next },
			onStart: (stopRun) => (stop = stopRun),
		},
	);
	for (let s = 1; s <= SETTLED_AFTER_SECONDS; s++) await systemTime.sleep(1_000);
	expect(await edit('a.wav')).toEqual({ edits: ['edit-1'], skipCodes: [] });
	expect(service.charged).toEqual(['a.wav']);
});

it('a recording whose edit failed twice is submitted again with other settings', async () => {
	for (let executions = 1; executions <= 2; executions++) {
		expect(await edit('broken.wav')).toEqual({ edits: [], skipCodes: [] });
	}
	expect(await edit('broken.wav')).toEqual({ edits: [], skipCodes: ['failedTwice'] });
	expect(service.charged).toHaveLength(2);
	await edit('broken.wav', { preset: 'fullEdit' });
	expect(service.charged).toHaveLength(3);
});
