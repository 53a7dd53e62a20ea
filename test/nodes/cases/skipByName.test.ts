/* 'Skip Recordings Already Edited: By File Name and Size' compares the name that is SENT (option 'File Name'), not the file's own. */
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
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
