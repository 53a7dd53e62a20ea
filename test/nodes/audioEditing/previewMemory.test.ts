import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemsOf, storeFile } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { encodedSound } from '../../../testkit/media/mediaFiles';
import { useRecordingService } from '../../../testkit/service/recordingService';
import { systemTime } from '../../../testkit/time/leapingTime';

const NODE = 'audioEditing';
const PREVIEW = { previewMinutes: 1 };

const store = useProcessedData();
const service = useRecordingService();

const wav = encodedSound(240, ['-c:a', 'pcm_s16le', '-ac', '1', '-ar', '8000'], 'wav');

async function itemOf(name: string): Promise<INodeExecutionData> {
	return { json: {}, binary: { data: await storeFile(wav, name, 'audio/wav') } };
}

describe('with Skip Recordings Already Edited', () => {
	const BY_FILE = { skipEdited: 'nameAndSize' };
	const named = (items: readonly INodeExecutionData[]) => items.map(({ json }) => json.skipCode);
	const skipped = async (parameters: INodeParameters, name = 'talk.wav') => {
		const { run, error } = await service.edit([await itemOf(name)], parameters);
		expect(error).toBeUndefined();
		// The memory is told a second after the node has ended.
		await systemTime.sleep(5_000);
		return named(itemsOf(run, NODE, 1));
	};

	it('a preview is remembered, and the recording is not', async () => {
		expect(await skipped({ ...BY_FILE, ...PREVIEW })).toEqual([]);
		expect(await skipped({ ...BY_FILE, ...PREVIEW })).toEqual(['editedBefore']);
		// Other minutes and other settings are other previews.
		expect(await skipped({ ...BY_FILE, previewMinutes: 2 })).toEqual([]);
		expect(await skipped({ ...BY_FILE, ...PREVIEW, preset: 'fullEdit' })).toEqual([]);
		expect(await skipped(BY_FILE)).toEqual([]);
		expect(service.charged).toEqual([...Array(3).fill('talk-preview.wav'), 'talk.wav']);
	});

	it('leaves the entry of an edited recording as it is', async () => {
		expect(await skipped(BY_FILE, 'other.wav')).toEqual([]);
		const [, key] = /\bedit:([\da-f]{64})/.exec(store.passed.join(' '))!;
		store.passed.length = 0;
		expect(await skipped({ ...BY_FILE, ...PREVIEW }, 'other.wav')).toEqual([]);
		expect(store.passed.join(' ')).toMatch(/\bedit:[\da-f]{64}/);
		expect(store.passed.filter((entry) => String(entry).includes(key))).toEqual([]);
		expect(await skipped(BY_FILE, 'other.wav')).toEqual(['editedBefore']);
		expect(service.charged).toEqual(['other.wav', 'other-preview.wav']);
	});
});
