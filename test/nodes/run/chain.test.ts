import type { IBinaryKeyData, INodeParameters } from 'n8n-workflow';

import { useLeapingService } from '../../../testkit/service/leapingService';
import { itemsOf, readFile, storeFile } from '../../../testkit/n8n/n8nEngine';
import { lengthSeconds, makeRecording, wavSeconds } from '../../../testkit/media/recording';
import { expectToFit } from '../../../testkit/n8n/outputSchemas';
import { chain, type NodeSpec, runChain } from '../../../testkit/n8n/workflows';

const service = useLeapingService();
const PLAN = { partsSeconds: [3, 2.5, 3, 2, 3] };

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

it('runs on a real recording with nothing entered between the nodes', async () => {
	const run = await runChain(service, chain(...WHOLE_CHAIN), [await recordingItem()]);
	if (run.data.resultData.error) throw run.data.resultData.error;
	const out = WHOLE_CHAIN.map(({ type }) => itemsOf(run, type)[0].json);
	for (const [index, { type }] of WHOLE_CHAIN.entries()) expectToFit({ type }, out[index]);
	const [uploaded, { editId }] = out;
	const sourceFileName = 'episode.wav';
	const editedFileName = 'episode-edited.wav';
	const first = { editId, sourceFileName, editedFileName, finished: true };
	const edited = await readFile(itemsOf(run, 'getResult')[0].binary!.data);
	expect(out).toEqual([
		{
			fileUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[^?]+$/),
			fileName: sourceFileName,
			sourceFileName,
			sizeBytes: makeRecording(PLAN).length,
			contentType: 'audio/wav',
		},
		expect.objectContaining({
			sourceFileName,
			files: [uploaded.fileUrl],
			config: expect.objectContaining({
				remove_noise: true,
				normalize: true,
				long_silences: true,
				export_timestamps: true,
			}),
		}),
		expect.objectContaining({ ...first, status: 'SUCCESS' }),
		expect.objectContaining({
			...first,
			durationBeforeSeconds: lengthSeconds(PLAN),
			// As read from the file that was downloaded.
			durationAfterSeconds: expect.closeTo(wavSeconds(edited), 2),
			loudnessAfterLufs: expect.closeTo(-16, 0),
			cuts: { longSilences: 2, fillers: 0, breaths: 0, stutters: 0, mouthSounds: 0 },
			cutsText: '2 long silences',
		}),
		{ deleted: true, editId, sourceFileName },
	]);

	const [{ binary }] = itemsOf(run, 'getResult');
	expect(binary?.data).toMatchObject({ mimeType: expect.stringMatching(/^audio\/.*wav/) });
	const seconds = wavSeconds(await readFile(binary!.data));
	expect(seconds).toBeLessThan(lengthSeconds(PLAN) - 2);
	expect(seconds).toBeGreaterThan(9);
	const markers = await readFile(binary!.data_markers_1);
	expect(markers.toString('utf8').trim().split('\n').length).toBeGreaterThanOrEqual(2);
});

const HOST = makeRecording({ partsSeconds: [2, 1, 2] });
const GUEST = makeRecording({ partsSeconds: [1, 1, 3] });

async function tracks(): Promise<IBinaryKeyData> {
	return {
		data: await storeFile(HOST, 'host.wav', 'audio/wav'),
		guest: await storeFile(GUEST, 'guest.wav', 'audio/wav'),
	};
}

async function run(binary: IBinaryKeyData, ...specs: NodeSpec[]) {
	return await runChain(service, chain(...specs), [{ json: {}, binary }]);
}

async function upload(parameters: INodeParameters, settings: NodeSpec['settings'] = {}) {
	const done = await run(await tracks(), { type: 'upload', parameters, settings });
	const { error } = done.data.resultData;
	return { error: `${error?.message} ${error?.description}`, out: itemsOf(done, 'upload')[0] };
}

it('the output of the one node on a real recording matches', async () => {
	const options = { deleteWhenFetched: true };
	const spec = { type: 'audioEditing', parameters: { preset: 'enhance', ...options } };
	const run = await runChain(service, chain(spec), [{ ...(await recordingItem()), json: {} }]);
	if (run.data.resultData.error) throw run.data.resultData.error;
	expectToFit({ type: 'audioEditing' }, itemsOf(run, 'audioEditing')[0].json);
});

describe('Upload of several files', () => {
	it.each([
		[{ binaryPropertyName: 'data, guest' }, ['host.wav', 'guest.wav']],
		[{ binaryPropertyName: 'guest,data,' }, ['guest.wav', 'host.wav']],
		[{ recordingFrom: 'all' }, ['host.wav', 'guest.wav']],
	])('%j outputs the URLs in that order', async (parameters, names) => {
		const { json, binary } = (await upload(parameters)).out;
		const fileUrls = json.fileUrls as string[];
		expect(fileUrls).toHaveLength(2);
		expect(new Set(fileUrls).size).toBe(2);
		expect(json).toEqual({
			fileUrls,
			sourceFileName: names.join(', '),
			sourceFileNames: names,
			files: names.map((fileName, index) => ({
				fileUrl: fileUrls[index],
				fileName,
				sourceFileName: fileName,
				sizeBytes: (fileName === 'host.wav' ? HOST : GUEST).length,
				contentType: 'audio/wav',
			})),
		});
		expect(binary).toBeUndefined();
	});

	it('lists the available fields when one is missing, before anything is sent', async () => {
		const { error } = await upload({ binaryPropertyName: 'data, gast' });
		expect(error).toContain(
			": the item has no file in the field 'gast', but in data, guest [item 0]",
		);
		expect(error).toContain(
			"Nothing was sent. Enter one of these names in 'Input Data Field Name'.",
		);
	});

	it.each(['', ' '])(
		'names the fields and how to choose if the form names none: %j',
		async (name) => {
			const { error } = await upload({ binaryPropertyName: name });
			expect(error).toContain(': the item has several files, in the fields data, guest [item 0]');
			expect(error).toMatch(
				/one of these names in 'Input Data Field Name'.*'All Files of the Item'/,
			);
		},
	);

	it('accepts a field whose name has a comma', async () => {
		const { guest } = await tracks();
		const parameters = { binaryPropertyName: 'Host, raw' };
		const done = await run({ 'Host, raw': guest }, { type: 'upload', parameters });
		expect(itemsOf(done, 'upload')[0].json).toMatchObject({ fileName: 'guest.wav' });
	});

	it('refuses one name for both', async () => {
		const options = { fileName: 'episode.wav' };
		const { error } = await upload({ recordingFrom: 'all', ...options });
		expect(error).toContain("'File Name' works for one file only, but the item has 2 to upload");
	});
});

it('two tracks come out as one file beside the original recordings', async () => {
	const keepInputFiles = true;
	const done = await run(
		await tracks(),
		{ type: 'upload', parameters: { recordingFrom: 'all', keepInputFiles } },
		{
			type: 'createEdit',
			parameters: {
				configure: 'json',
				configJson: '{ "normalize": true, "merge": true }',
				keepInputFiles,
			},
		},
		{ type: 'waitForEdit', parameters: { keepInputFiles } },
		{ type: 'getResult', parameters: { download: ['edited', 'merged'], keepInputFiles } },
	);
	if (done.data.resultData.error) throw done.data.resultData.error;
	const [{ json, binary = {} }] = itemsOf(done, 'getResult');
	expect(json.sourceFileName).toBe('host.wav, guest.wav');
	// The merged file is the edited one, so it appears once.
	expect(Object.keys(binary).sort()).toEqual(['data', 'data_input', 'guest']);
	expect(await readFile(binary.data_input)).toEqual(HOST);
	expect(await readFile(binary.guest)).toEqual(GUEST);
	expect((await readFile(binary.data)).equals(HOST)).toBe(false);
});
