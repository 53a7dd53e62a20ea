/* A file name goes to the service with the extension that n8n knows, because services decide by it (api.md: "the file name with extension"). */
import { storeFile } from '../../../testkit/n8n/n8nEngine';
import { runOne, useService } from '../../../testkit/service/useService';

const service = useService();

it.each([
	['Episode 12', 'audio/mpeg', 'mp3', 'Episode%2012.mp3'],
	['voice', 'audio/ogg; codecs=opus', 'oga', 'voice.oga'],
	['Episode 1.2', 'audio/mpeg', 'mp3', 'Episode%201.2.mp3'],
	['recording.bin', 'audio/wav', 'wav', 'recording.wav'],
])('sends %s (%s, n8n says %s) as %s', async (name, type, fileExtension, expected) => {
	const binary = await storeFile(Buffer.from('OggS'), name, type);
	binary.fileExtension = fileExtension;
	await runOne(service, 'upload', {}, [{ json: {}, binary: { data: binary } }]);
	expect(service.seen[0]?.path).toContain(`filename=${expected}`);
});
