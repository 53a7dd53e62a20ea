import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { summarizeEdit } from '../../../nodes/core/fetch/editJson';
import { encodedSound } from '../../../testkit/media/mediaFiles';
import { lengthSeconds, makeRecording } from '../../../testkit/media/recording';
import { itemsOf, storeFile } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { expectToFit } from '../../../testkit/n8n/outputSchemas';
import { useRecordingService } from '../../../testkit/service/recordingService';

const FIRST = ['editId', 'sourceFileName', 'editedFileName', 'finished'];
const SUMMARY = Object.keys(summarizeEdit(undefined));
const PLAN = { partsSeconds: [2, 1, 2] };

useProcessedData();
const service = useRecordingService();

/** An item as n8n's own node outputs a file that it has read; others have fields of our names, too. */
async function readItem(fileName: string): Promise<INodeExecutionData> {
	const data = await storeFile(makeRecording(PLAN), fileName, 'audio/wav');
	const json = {
		fileName,
		directory: '/in',
		editId: 'theirs',
		edit: 'theirs',
		editedFileName: 'x',
	};
	return { json, binary: { data } };
}

/** Serves each edited file as an MP3 of four seconds, under its own name. */
function serveMp3(): void {
	const body = encodedSound(4, ['-b:a', '96k', '-write_xing', '0'], 'mp3');
	service.fault = ({ path }) => {
		if (path.startsWith('/files/')) return { body, headers: { 'Content-Type': 'audio/mpeg' } };
		if (!path.startsWith('/v2/edits/')) return undefined;
		const link = `${service.url}/files/edit-1`;
		const result = { filename: 'talk-edited.mp3', download_url: link };
		return { body: { task_id: 'edit-1', status: 'SUCCESS', result } };
	};
}

const namesIn = (json: IDataObject) => Object.keys(json).slice(0, FIRST.length);

it("an edited item begins with what people need, and its first 'fileName' is that of the edited file", async () => {
	serveMp3();
	const { out } = await service.edit([await readItem('talk.wav')]);
	const [{ json }] = out;
	expect(Object.keys(json)).toEqual([...FIRST, 'fileName', 'directory', 'edit']);
	expect(json).toMatchObject({
		editId: 'edit-1',
		sourceFileName: 'talk.wav',
		editedFileName: 'talk-edited.mp3',
		finished: true,
		fileName: 'talk-edited.mp3',
		directory: '/in',
	});
	expect(Object.keys(json.edit as IDataObject)).toEqual(SUMMARY);
	const theirs = ['fileName', 'directory'];
	const own = Object.entries(json).filter(([name]) => !theirs.includes(name));
	expectToFit({ type: 'audioEditing' }, Object.fromEntries(own));
});

it('has the lengths of both files, though the service says neither', async () => {
	serveMp3();
	const { out } = await service.edit([await readItem('talk.wav')]);
	const edit = out[0].json.edit as IDataObject;
	expect(edit.durationBeforeSeconds).toBe(lengthSeconds(PLAN));
	// An encoder adds up to three frames of silence.
	expect(Math.abs(Number(edit.durationAfterSeconds) - 4)).toBeLessThan(0.1);
});

it('a running item has the same names in the same order, and goes on with what was read', async () => {
	service.seconds['talk.wav'] = 600;
	const options = { maximumWaitMinutes: 2, whenTimeIsUp: 'passOn' };
	const { out } = await service.edit([await readItem('talk.wav')], options);
	const [{ json }] = out;
	expect(namesIn(json)).toEqual(FIRST);
	expect(json).toMatchObject({ editedFileName: null, finished: false, fileName: 'talk.wav' });
	expect(Object.keys(json.edit as IDataObject).slice(0, SUMMARY.length)).toEqual(SUMMARY);
	const { out: edited } = await service.edit(out);
	expect(edited[0].json).toMatchObject({ finished: true, fileName: 'talk.wav' });
	expect(edited[0].json.edit).toMatchObject({ durationBeforeSeconds: lengthSeconds(PLAN) });
});

it.each([
	['whose edit fails', 'broken.wav', 'data', 'edit-1'],
	['without its file', 'talk.wav', 'other', null],
])('a failed item %s has the same names', async (_which, fileName, field, editId) => {
	const settings = { onError: 'continueErrorOutput' } as const;
	const items = [await readItem(fileName)];
	const parameters = { binaryPropertyName: field };
	const { run } = await service.edit(items, parameters, { settings });
	const [{ json }] = itemsOf(run, 'audioEditing', 1);
	expect(json).toMatchObject({ editId, editedFileName: null, finished: false });
	expect(json).toHaveProperty('sourceFileName');
});

it('a skipped item has the same names in the same order', async () => {
	const items = [await readItem('talk.wav'), await readItem('talk.wav')];
	const { run } = await service.edit(items, { skipEdited: 'nameAndSize' });
	const [{ json }] = itemsOf(run, 'audioEditing', 1);
	expect(namesIn(json)).toEqual(FIRST);
	expect(json).toMatchObject({ editedFileName: null, finished: false, skipped: true });
	expect(json.fileName).toBe('talk.wav');
});
