import { Logger } from '@n8n/backend-common';
import { S3ByteStore } from '@n8n/blob-storage';
import { ObjectStoreConfig, ObjectStoreService } from '@n8n/blob-storage/object-store';
import { Container } from '@n8n/di';
import { BinaryDataBlobManager, BinaryDataService, ErrorReporter } from 'n8n-core';

import { readFile, startEngine, storeFile } from '../../../testkit/n8n/n8nEngine';
import {
	type ScriptedService,
	type SeenRequest,
	startScriptedService,
} from '../../../testkit/service/fake/scriptedService';
import { fileItem, useRecordingService } from '../../../testkit/service/recordingService';

/** Every object's upload, by its path. */
const objects = new Map<string, SeenRequest>();

/** The part of S3 that n8n uses for files of executions. */
function answerAsS3(request: SeenRequest) {
	const path = request.path.split('?', 1)[0];
	if (request.method === 'PUT') {
		objects.set(path, request);
		return { headers: { ETag: '"1"' } };
	}
	if (path === '/n8n-files/') return {};
	const put = objects.get(path);
	if (put === undefined) return { status: 404 };
	const { 'content-type': type = '', 'x-amz-meta-filename': name } = put.headers;
	const headers = {
		'Content-Length': String(put.bytes.length),
		'Content-Type': type,
		'x-amz-meta-filename': String(name),
	};
	return { body: put.bytes, headers };
}

/** Makes S3 the store of n8n's engine, by n8n's own code for it; n8n's server asks for a licence before that. */
async function storeOnS3({ url }: ScriptedService): Promise<void> {
	const config = Object.assign(Container.get(ObjectStoreConfig), {
		host: new URL(url).host,
		protocol: 'http',
	});
	Object.assign(config.bucket, { name: 'n8n-files', region: 'eu-central-1' });
	Object.assign(config.credentials, { accessKey: 'key', accessSecret: 'secret' });
	const store = new ObjectStoreService(Container.get(Logger), config);
	await store.init();
	const manager = new BinaryDataBlobManager(new S3ByteStore(store), Container.get(ErrorReporter));
	Container.get(BinaryDataService).setManager('s3', manager);
	await startEngine('s3');
}

const service = useRecordingService();

let s3: ScriptedService;

beforeAll(async () => {
	s3 = await startScriptedService(answerAsS3);
	await storeOnS3(s3);
});

afterAll(async () => {
	// Later test files share the engine.
	await startEngine();
	await s3.stop();
});

describe('with S3 as the store of n8n’s files', () => {
	it('Audio Editing sends the file from there, and stores what it fetched', async () => {
		const item = await fileItem('a.wav');
		const { out, error } = await service.edit([item], { keepInputFiles: true });
		expect(error).toBeUndefined();
		expect(service.uploaded).toEqual(['a.wav']);
		const { data, data_input: input } = out[0].binary!;
		expect([data.id, input.id].every((id) => id?.startsWith('s3:workflows/test/'))).toBe(true);
		expect((await readFile(data)).toString()).toBe('edited edit-1');
		expect((await readFile(input)).toString()).toBe('RIFF a.wav');
		expect([...objects.values()].map(({ bytes }) => bytes.toString())).toContain('edited edit-1');
	});

	it('a large file arrives whole', async () => {
		const large = Buffer.alloc(3 * 1_048_576 + 1, 'RIFF');
		const data = await storeFile(large, 'large.wav', 'audio/wav');
		const { error } = await service.edit([{ json: {}, binary: { data } }]);
		expect(error).toBeUndefined();
		const put = service.seen.find(({ method }) => method === 'PUT');
		expect(put?.bytes.equals(large)).toBe(true);
	});

	it('a file that is gone fails its item', async () => {
		const item = await fileItem('gone.wav');
		objects.clear();
		const { error } = await service.edit([item]);
		expect(error?.message).toMatch(/^gone\.wav: could not upload the file: n8n can no longer read/);
	});
});
