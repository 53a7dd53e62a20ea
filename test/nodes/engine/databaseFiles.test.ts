import { randomUUID } from 'crypto';

import { Container } from '@n8n/di';
import { type BinaryData, BinaryDataService } from 'n8n-core';

import { itemsOf, readFile, startEngine, storeFile } from '../../../testkit/n8n/n8nEngine';
import { encodedSound } from '../../../testkit/media/mediaFiles';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import { fileItem, useRecordingService } from '../../../testkit/service/recordingService';
import { streamOf } from '../../../testkit/service/fake/scriptedService';
import { systemTime } from '../../../testkit/time/leapingTime';

type FileStream = ReturnType<typeof streamOf>;

type Stored = BinaryData.Metadata & { readonly content: Buffer };

/**
 * Keeps files as n8n does in its database, the usual place in queue mode: an ID without a path, and a stream that
 * has the whole file as one chunk.
 */
class DatabaseFiles implements BinaryData.Manager {
	readonly files = new Map<string, Stored>();

	/** Makes it the store of n8n's engine. */
	static use(): DatabaseFiles {
		const manager = new DatabaseFiles();
		Container.get(BinaryDataService).setManager('database', manager);
		return manager;
	}

	async init(): Promise<void> {}

	async store(
		_location: BinaryData.FileLocation,
		given: Buffer | FileStream,
		metadata: BinaryData.PreWriteMetadata,
	): Promise<BinaryData.WriteResult> {
		const chunks: Buffer[] = [];
		if (Buffer.isBuffer(given)) chunks.push(given);
		else for await (const chunk of given) chunks.push(chunk as Buffer);
		const content = Buffer.concat(chunks);
		const fileId = randomUUID();
		this.files.set(fileId, { ...metadata, content, fileSize: content.length });
		return { fileId, fileSize: content.length };
	}

	getPath(fileId: string): string {
		return `database://${fileId}`;
	}

	async getAsBuffer(fileId: string): Promise<Buffer> {
		return this.find(fileId).content;
	}

	async getAsStream(fileId: string): Promise<FileStream> {
		return streamOf(this.find(fileId).content);
	}

	async getMetadata(fileId: string): Promise<BinaryData.Metadata> {
		const { fileName, mimeType, fileSize } = this.find(fileId);
		return { fileName, mimeType, fileSize };
	}

	async copyByFileId(_location: BinaryData.FileLocation, fileId: string): Promise<string> {
		const copyId = randomUUID();
		this.files.set(copyId, this.find(fileId));
		return copyId;
	}

	async copyByFilePath(): Promise<never> {
		throw new Error('No test needs it');
	}

	async rename(): Promise<never> {
		throw new Error('No test needs it');
	}

	private find(fileId: string): Stored {
		const found = this.files.get(fileId);
		if (found === undefined) throw new Error(`Could not find any entity: ${fileId}`);
		return found;
	}
}

const service = useRecordingService();

let database: DatabaseFiles;

beforeAll(async () => {
	database = DatabaseFiles.use();
	await startEngine('database');
});

// Later test files share the engine.
afterAll(async () => await startEngine());

const LARGE = Buffer.alloc(3 * 1_048_576 + 1, 'RIFF');

/** The content that arrived, by the name of the file. */
const sent = () =>
	new Map(
		service.seen
			.filter(({ method }) => method === 'PUT')
			.map(({ path, bytes }) => [path.replace(/^.*\/|\?.*$/g, ''), bytes]),
	);

describe("with n8n's database as its store of files", () => {
	it('Upload sends the whole file, a large one and one without a type, too', async () => {
		const sound = encodedSound(1, ['-c:a', 'libmp3lame'], 'mp3');
		const items = [
			await fileItem('a.wav'),
			{ json: {}, binary: { data: await storeFile(LARGE, 'large.wav', 'audio/wav') } },
			{ json: {}, binary: { data: await storeFile(sound, 'talk', 'application/octet-stream') } },
		];
		const run = await runChain(service, chain({ type: 'upload' }), items);
		expect(run.data.resultData.error).toBeUndefined();
		expect(sent().get('a.wav')?.toString()).toBe('RIFF a.wav');
		expect(sent().get('large.wav')?.equals(LARGE)).toBe(true);
		expect(sent().get('talk.mp3')?.equals(sound)).toBe(true);
		expect(itemsOf(run, 'upload').map(({ json }) => [json.fileName, json.contentType])).toEqual([
			['a.wav', 'audio/wav'],
			['large.wav', 'audio/wav'],
			['talk.mp3', 'audio/mpeg'],
		]);
	});

	it('Audio Editing stores what it fetched, and deletes the edit: n8n has the file', async () => {
		const parameters = { deleteWhenFetched: true, keepInputFiles: true };
		const { out, error } = await service.edit([await fileItem('a.wav')], parameters);
		expect(error).toBeUndefined();
		const { data, data_input: input } = out[0].binary!;
		expect(data.id).toMatch(/^database:[\da-f-]{36}$/);
		expect((await readFile(data)).toString()).toBe('edited edit-1');
		expect((await readFile(input)).toString()).toBe('RIFF a.wav');
		await systemTime.sleep(60_000);
		expect(service.deleted).toEqual(['edit-1']);
	});
});

describe("a file of n8n's database", () => {
	it('fails its item if it is gone, and says what to do', async () => {
		const items = [await fileItem('gone.wav'), await fileItem('b.wav')];
		database.files.delete(items[0].binary!.data.id!.split(':')[1]);
		const settings = { onError: 'continueErrorOutput' } as const;
		const run = await runChain(service, chain({ type: 'upload', settings }), items);
		const [failed] = itemsOf(run, 'upload', 1);
		expect(failed.json.failure).toMatchObject({
			message:
				"gone.wav: could not upload the file: n8n can no longer read its copy of 'gone.wav' [item 0]",
		});
		expect(service.uploaded).toEqual(['b.wav']);
	});

	it('gets tags with a cover from there, as a file on a disk does', async () => {
		const sound = encodedSound(2, ['-c:a', 'libmp3lame'], 'mp3');
		service.seconds['a.wav'] = 0;
		await runChain(service, chain({ type: 'createEdit' }), [
			{ json: { fileUrl: 'https://files.example.com/a.wav' } },
		]);
		service.fault = ({ path }) =>
			path.startsWith('/files/')
				? { body: sound, headers: { 'Content-Type': 'audio/mpeg' } }
				: undefined;
		const cover = await storeFile(
			Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(9)]),
			'cover.png',
			'image/png',
		);
		const parameters = { writeTags: { title: 'Bread', coverField: 'cover' } };
		const run = await runChain(service, chain({ type: 'getResult', parameters }), [
			{ json: { editId: 'edit-1' }, binary: { cover } },
		]);
		const [{ json, binary }] = itemsOf(run, 'getResult');
		expect(json.fileNote).toBeUndefined();
		const stored = await readFile(binary!.data);
		expect(stored.subarray(0, 3).toString()).toBe('ID3');
		expect(stored.includes('image/png')).toBe(true);
		expect(stored.subarray(-sound.length + 1_000).equals(sound.subarray(1_000))).toBe(true);
	});
});
