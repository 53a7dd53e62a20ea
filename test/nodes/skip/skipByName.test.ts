import { itemsOf, storeFile } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { fileItems, useRecordingService } from '../../../testkit/service/recordingService';
import { chain, runChain } from '../../../testkit/n8n/workflows';

useProcessedData();
const service = useRecordingService();
const run = async (name: string, fileName?: string) =>
	await service.edit(await fileItems(name), {
		skipEdited: 'nameAndSize',
		...(fileName && { fileName }),
	});
it('the same file is not charged again because it is sent under the name of another day', async () => {
	await run('talk-a.wav', '2026-11-27.wav');
	await run('talk-a.wav', '2026-11-28.wav');
	expect(service.charged).toHaveLength(1);
});
it('another file of the same size is not skipped because it is sent under the same name', async () => {
	await run('talk-b.wav', 'episode.wav');
	const { run: ended } = await run('talk-c.wav', 'episode.wav');
	expect(itemsOf(ended, 'audioEditing', 1).map(({ json }) => json.sourceFileName)).toEqual([]);
});
it('the same in Upload → Create Edit', async () => {
	service.answer = ({ path, method }) => {
		if (path.startsWith('/v2/upload'))
			return { body: { signedUrl: `${service.url}/put/${Math.random()}.wav?sig=1` } };
		return method === 'POST' ? { body: { id: `c${service.seen.length}` } } : {};
	};
	const night = async (fileName: string) =>
		await runChain(
			{ url: service.url, apiKey: 'x' },
			chain(
				{ type: 'upload', parameters: { fileName } },
				{ type: 'createEdit', parameters: { skipEdited: 'nameAndSize' } },
			),
			await fileItems('talk-d.wav'),
		);
	await night('2026-11-27.wav');
	await night('2026-11-28.wav');
	expect(service.seen.filter(({ path }) => path === '/v2/edits')).toHaveLength(1);
});

it('the same file under another name is recognized by its content in Upload → Create Edit', async () => {
	service.answer = ({ path, method }) => {
		if (path.startsWith('/v2/upload'))
			return { body: { signedUrl: `${service.url}/put/${Math.random()}.wav?sig=1` } };
		return method === 'POST' ? { body: { id: `d${service.seen.length}` } } : {};
	};
	const night = async (name: string, content: string) => {
		const data = await storeFile(Buffer.from(content), name, 'audio/wav');
		const create = { type: 'createEdit', parameters: { skipEdited: 'content' } };
		const access = { url: service.url, apiKey: 'x' };
		return await runChain(access, chain({ type: 'upload' }, create), [
			{ json: {}, binary: { data } },
		]);
	};
	await night('talk-f.wav', 'RIFF one');
	const second = await night('talk-g.wav', 'RIFF one');
	expect(itemsOf(second, 'createEdit', 1).map(({ json }) => json.skipCode)).toEqual([
		'editedBefore',
	]);
	await night('talk-f.wav', 'RIFF two');
	expect(service.seen.filter(({ path }) => path === '/v2/edits')).toHaveLength(2);
});

it('a name in decomposed letters is the same name in composed ones', async () => {
	const named = async (fileName: string) => {
		const data = await storeFile(Buffer.alloc(100, 'RIFF'), fileName, 'audio/wav');
		return await service.edit([{ json: {}, binary: { data } }], { skipEdited: 'nameAndSize' });
	};
	await named('Gespräch.wav'.normalize('NFD'));
	await named('Gespräch.wav'.normalize('NFC'));
	expect(service.charged).toHaveLength(1);
});

it("Upload keeps the file's own name beside the one that it sends", async () => {
	const items = await fileItems('talk-e.wav');
	const access = { url: service.url, apiKey: 'x' };
	const upload = { type: 'upload', parameters: { fileName: 'episode.wav' } };
	const ended = await runChain(access, chain(upload), items);
	const [{ json }] = itemsOf(ended, 'upload');
	expect(json).toMatchObject({ fileName: 'episode.wav', sourceFileName: 'talk-e.wav' });
});
