import type { IRun } from 'n8n-workflow';

import { itemsOf, readFile, storeFile } from '../support/n8nEngine';
import { useLeapingService } from '../support/leapingService';
import { lengthSeconds, makeRecording, wavSeconds } from '../support/recording';
import { type NodeSpec, chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const PLAN = { partsSeconds: [3, 2.5, 3, 2, 3] };

const service = useLeapingService();

async function recordingItem(fileName = 'episode.wav') {
	const binary = await storeFile(makeRecording(PLAN), fileName, 'audio/wav');
	return { json: { episode: 12 }, binary: { data: binary } };
}

const WHOLE_CHAIN: NodeSpec[] = [
	{ type: 'upload' },
	{
		type: 'createEdit',
		parameters: { preset: 'enhance', long_silences: true, export_timestamps: true },
	},
	{ type: 'waitForEdit' },
	{ type: 'getResult', parameters: { download: ['edited', 'markers'] } },
	{ type: 'delete' },
];

function outputs(run: IRun) {
	if (run.data.resultData.error) throw run.data.resultData.error;
	const json = (name: string) => itemsOf(run, name)[0]?.json;
	return {
		upload: json('upload'),
		createEdit: json('createEdit'),
		waitForEdit: json('waitForEdit'),
		getResult: json('getResult'),
		delete: json('delete'),
	};
}

it('runs on a real recording with nothing entered between the nodes', async () => {
	const run = await runChain(service, chain(...WHOLE_CHAIN), [await recordingItem()]);
	const out = outputs(run);
	const { editId } = out.createEdit as { editId: string };

	expect(out.upload).toEqual({
		fileUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[^?]+$/),
		fileName: 'episode.wav',
		sourceFileName: 'episode.wav',
		sizeBytes: makeRecording(PLAN).length,
		contentType: 'audio/wav',
	});
	expect(out.createEdit).toMatchObject({
		sourceFileName: 'episode.wav',
		files: [out.upload.fileUrl],
		config: { remove_noise: true, normalize: true, long_silences: true, export_timestamps: true },
	});
	expect(out.waitForEdit).toMatchObject({
		editId,
		sourceFileName: 'episode.wav',
		status: 'SUCCESS',
		finished: true,
	});
	expect(out.getResult).toMatchObject({
		editId,
		sourceFileName: 'episode.wav',
		statistics: { DEADAIR: 2 },
	});
	expect(out.delete).toEqual({ deleted: true, editId, sourceFileName: 'episode.wav' });

	const [{ binary }] = itemsOf(run, 'getResult');
	expect(binary?.data).toMatchObject({ mimeType: expect.stringMatching(/^audio\/.*wav/) });
	const seconds = wavSeconds(await readFile(binary!.data));
	expect(seconds).toBeLessThan(lengthSeconds(PLAN) - 2);
	expect(seconds).toBeGreaterThan(9);
	const markers = await readFile(binary!.data_markers_1);
	expect(markers.toString('utf8').trim().split('\n').length).toBeGreaterThanOrEqual(2);
});
