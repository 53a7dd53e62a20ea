import type { INodeParameters } from 'n8n-workflow';

import { systemTime } from '../support/leapingTime';
import { encodedSound, probed, soundHash } from '../support/mediaFiles';
import { readWithMusicMetadata } from '../support/musicMetadata';
import { itemsOf, readFile, storeFile } from '../support/n8nEngine';
import { useRecordingService } from '../support/recordingService';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const service = useRecordingService();

let sound: Buffer;

beforeAll(() => {
	sound = encodedSound(10, ['-b:a', '96k'], 'mp3');
});

async function run(parameters: INodeParameters) {
	service.fault = ({ path }) =>
		path.startsWith('/files/')
			? { body: sound, headers: { 'Content-Type': 'audio/mpeg' } }
			: undefined;
	const data = await storeFile(sound, 'talk.mp3', 'audio/mpeg');
	const workflow = chain({ type: 'audioEditing', parameters });
	const result = await runChain(service, workflow, [{ json: {}, binary: { data } }]);
	const [item] = itemsOf(result, 'audioEditing');
	return { item, error: result.data.resultData.error };
}

it('Audio Editing writes tags and chapters into the edited file before it deletes the edit', async () => {
	const { item, error } = await run({
		writeTags: { fillFromSummary: true, author: 'Anna' },
		embedChapters: 'list',
		chaptersList: {
			chapter: [
				{ startSeconds: 0, title: 'Intro' },
				{ startSeconds: 5, title: 'End' },
			],
		},
		options: { deleteWhenFetched: true },
	});
	expect(error).toBeUndefined();
	const file = await readFile(item.binary!.data);
	expect((await readWithMusicMetadata(file)).tags).toMatchObject({
		TIT2: 'About talk.mp3',
		TPE1: 'Anna',
		TDES: 'Short.',
	});
	expect(probed(file, 'a.mp3').chapters.map(({ tags }) => tags?.title)).toEqual(['Intro', 'End']);
	expect(soundHash(file, 'a.mp3')).toBe(soundHash(sound, 'a.mp3'));
	// The edit is deleted a second after the node has ended.
	await systemTime.sleep(2_000);
	expect(service.deleted).toEqual(['edit-1']);
});

it('refuses tags that cannot be written before it uploads or creates anything', async () => {
	const { error } = await run({ writeTags: { date: 'soon' } });
	expect(error?.message).toContain("'Date' is not a date");
	expect(service.seen).toEqual([]);
	expect(service.charged).toEqual([]);
});
