import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { retry } from '../../../testkit/n8n/retry';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import { fileItems, urlItem, useRecordingService } from '../../../testkit/service/recordingService';

const service = useRecordingService();

const CONTINUE = { settings: { onError: 'continueErrorOutput' as const } };

/** The service reads each edit as failed. */
function fail(result?: object): void {
	service.fault = ({ method, path }) =>
		method === 'GET' && path.startsWith('/v2/edits/')
			? { body: { task_id: path.split('/').at(-1), status: 'FAILURE', ...(result && { result }) } }
			: undefined;
}

const polls = () => service.seen.filter(({ path }) => path.startsWith('/v2/edits/'));

describe('an edit that fails', () => {
	it('of a file is to be uploaded again, of a URL to be made public', async () => {
		const ofFile = await service.edit(await fileItems('broken.wav'));
		expect(ofFile.error?.description).toContain(
			'Check that the file plays and that its format is supported, then upload it again',
		);
		const ofUrl = await service.edit(['broken.wav']);
		expect(ofUrl.error?.description).toContain('its format is supported and its URL public');
	});

	it('leaves by the error output with the reason that the service gives', async () => {
		fail({ message: 'no audio' });
		const { run } = await service.edit(await fileItems('a.wav'), {}, CONTINUE);
		const [{ json }] = itemsOf(run, 'audioEditing', 1);
		expect(json).toMatchObject({
			editId: 'edit-1',
			sourceFileName: 'a.wav',
			failureReason: 'no audio',
		});
	});

	it('is not asked about again by Retry On Fail, which cannot mend it', async () => {
		fail();
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { error } = await service.edit(['a.wav'], {}, { settings });
		expect(error?.message).toBe(
			'a.wav could not be edited: the service gives no reason (edit edit-1) [item 0]',
		);
		expect(polls()).toHaveLength(1);
		expect(service.charged).toEqual(['a.wav']);
	});

	it('is asked about again by a retry that continues, so that its item names the edit', async () => {
		fail();
		const original = chain({ type: 'audioEditing', parameters: { recordingFrom: 'url' } });
		const run = await runChain(service, original, [urlItem('a.wav')]);
		expect(run.data.resultData.error?.message).toContain('could not be edited');
		const saved = structuredClone(original);
		Object.assign(saved.nodes[1], CONTINUE.settings);
		const [{ json }] = itemsOf(await retry(service, run, original, { saved }), 'audioEditing', 1);
		expect(json).toMatchObject({ editId: 'edit-1', sourceFileName: 'a.wav' });
		expect(service.charged).toEqual(['a.wav']);
	});

	it('names the target of its file, also if that is an additional key', async () => {
		fail();
		const additionalKeys = '{"signed_url": "s3://bucket/edited.wav"}';
		const { error } = await service.edit(['a.wav'], { additionalKeys });
		expect(error?.description).toContain('to deliver the file to s3://bucket/edited.wav');
	});
});
