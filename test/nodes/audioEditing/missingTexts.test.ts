import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { failureOf } from '../../../testkit/n8n/failures';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { fileItems, useRecordingService } from '../../../testkit/service/recordingService';
import { runOne } from '../../../testkit/service/useService';
import { systemTime } from '../../../testkit/time/leapingTime';

useProcessedData();
const service = useRecordingService();

const FORM: INodeParameters = {
	...groupedFormats(['subtitlesSrt', 'showNotesMarkdown']),
	transcription: true,
	summarize: true,
	skipEdited: 'nameAndSize',
	costAndSafety: { deleteWhenFetched: true },
};

const NOTES = ['transcription failed: http://stt.example/v1 answered HTTP 503 (3 tries)'];

/** Lets the service deliver the sound alone. */
function deliver(more: object): void {
	const download_url = `${service.url}/files/edit-1`;
	const result = { download_url, filename: 'talk-edited.mp3', transcription: null, ...more };
	service.fault = ({ method, path }) => {
		if (method === 'GET' && path.startsWith('/v2/edits/')) {
			return { body: { task_id: 'edit-1', status: 'SUCCESS', result } };
		}
		const sound = { body: 'bytes of a file', headers: { 'Content-Type': 'audio/mpeg' } };
		return path.startsWith('/files/') ? sound : undefined;
	};
}

type Settings = Parameters<typeof service.edit>[2];

async function edit(more: INodeParameters = {}, settings?: Settings) {
	const ended = await service.edit(await fileItems('talk.wav'), { ...FORM, ...more }, settings);
	// In small steps: n8n's memory takes no time of the clock.
	for (let second = 0; second < 60; second++) await systemTime.sleep(1_000);
	return ended;
}

const isSound = ({ binary }: INodeExecutionData) => Object.keys(binary ?? {}).includes('data');

describe('a recording whose transcription failed after its sound was done', () => {
	it('fails with the sound kept and named, and the next execution delivers it with a hint', async () => {
		deliver({ notes: NOTES });
		const first = await edit();
		expect(first.error?.message).toBe(
			'talk.wav: subtitles (SRT), Show Notes (Markdown) could not be made: transcription failed: http://stt.example/v1 answered HTTP 503 (3 tries) (edit edit-1) [item 0]',
		);
		expect(first.error?.description).toContain(
			"The edited file 'talk-edited.mp3' is finished and stays on the service.",
		);
		expect(service.deleted).toEqual([]);

		const next = await edit();
		expect(next.error).toBeUndefined();
		expect(next.out.map(isSound)).toEqual([true]);
		expect(next.hints).toContain(
			'edit edit-1: Subtitles (SRT), Show Notes (Markdown) left out, because transcription failed: http://stt.example/v1 answered HTTP 503 (3 tries).',
		);
		expect(next.hints.join()).toContain(
			'edit edit-1: not deleted, because it lacks Subtitles (SRT)',
		);
		expect([service.charged, service.deleted]).toEqual([['talk.wav'], []]);
	});

	it('becomes a failed item that names its edit if the workflow goes on', async () => {
		deliver({ notes: NOTES[0] });
		const settings = { settings: { onError: 'continueErrorOutput' } } as const;
		const { run } = await edit({}, settings);
		const [failed] = [0, 1, 2].flatMap((output) => itemsOf(run, 'audioEditing', output));
		expect(failureOf(failed)?.message).toMatch(/^talk\.wav: .*transcription failed/);
		expect(failed.json.editId).toBe('edit-1');
		const next = await edit({}, settings);
		expect(itemsOf(next.run, 'audioEditing', 0).map(isSound)).toEqual([true]);
		expect([service.charged, service.deleted]).toEqual([['talk.wav'], []]);
	});

	it('fails each try of the same execution', async () => {
		deliver({ notes: NOTES });
		const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const { error } = await edit({}, { settings: retries });
		expect(error?.message).toContain('transcription failed');
	});

	it('fails also where the service does not say why, since its transcript was asked for', async () => {
		deliver({ summarization: { title: 'A talk', summary: 'Short.' } });
		const { error } = await edit();
		expect(error?.message).toMatch(/^talk\.wav: subtitles \(SRT\) could not be made: the service/);
	});

	it.each<[string, object, INodeParameters]>([
		['no texts were chosen', { notes: NOTES }, { alsoReturn: [] }],
		['there is a note about something else', { notes: ['no cover'], transcription: {} }, {}],
	])('delivers the sound at once where %s', async (_what, result, more) => {
		deliver({ summarization: { title: 'A', summary: 'B.' }, ...result });
		const { out, error } = await edit(more);
		expect(error).toBeUndefined();
		expect(out.map(isSound)).toEqual([true]);
	});
});

describe('Get Result of an edit whose transcription failed', () => {
	const get = async () => {
		const parameters = { ...groupedFormats(['subtitlesSrt']), editId: 'edit-1' };
		const items = [{ json: { editId: 'edit-1', sourceFileName: 'talk.wav' } }];
		return await runOne(service, 'getResult', parameters, items);
	};

	it('fails once with the sound named, and then delivers it with a hint', async () => {
		deliver({ notes: NOTES });
		const { error } = await get();
		expect(error?.message).toMatch(
			/^talk\.wav: subtitles \(SRT\) could not be made: transcription/,
		);
		expect(error?.description).toContain("'talk-edited.mp3' is finished and stays on the service");
		const { out, hints } = await get();
		expect(out.map(isSound)).toEqual([true]);
		expect(hints.join()).toContain('left out, because transcription failed');
	});
});

it('the reason for missing texts is in the words of the service, with one period', async () => {
	deliver({ notes: ['Transcription failed: the server answered 503.'] });
	await edit();
	const next = await edit();
	expect(next.hints).toContainEqual(
		expect.stringMatching(/because Transcription failed: the server answered 503\.$/),
	);
});
