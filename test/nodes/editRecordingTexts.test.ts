import type { IDataObject } from 'n8n-workflow';

import { fullResult } from '../support/fullResult';
import { groupedFormats } from '../support/grouped';
import { itemsOf } from '../support/n8nEngine';
import { useRecordingService } from '../support/recordingService';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const service = useRecordingService();

/** A finished edit of two tracks, the labels of their speakers as the local service gives them. */
function answer() {
	const result = fullResult(service.url);
	result.transcription.transcription.paragraphs.forEach((turn, index) => {
		turn.speaker = `SPEAKER_0${index}`;
	});
	return { body: { task_id: 'edit-1', status: 'SUCCESS', result } };
}

it('Audio Editing names the speakers after its tracks, and sends the loudness of a platform', async () => {
	service.fault = ({ method, path }) =>
		method === 'GET' && path.startsWith('/v2/edits/') ? answer() : undefined;
	const parameters = {
		recordingFrom: 'url',
		fileUrls: 'https://files.example.com/anna.wav\nhttps://files.example.com/ben.wav',
		preset: 'transcriptOnly',
		loudnessFor: 'ebuR128',
		download: [],
		...groupedFormats(['subtitlesVtt', 'feedItem']),
		feedItem: { audioUrl: 'https://cdn.example.com/12.mp3', guid: 'show-12' },
		options: { speakersFromTracks: true },
	};
	const access = { url: service.url, apiKey: 'texts' };
	const run = await runChain(access, chain({ type: 'audioEditing', parameters }), [{ json: {} }]);
	expect(run.data.resultData.error).toBeUndefined();
	const [{ json }] = itemsOf(run, 'audioEditing');
	const { formats } = json.edit as { formats: IDataObject };
	expect(formats.subtitlesVtt).toMatch(/<v anna>Welcome[^]*<v ben>Thank you!/);
	expect(formats.feedItem).toContain('<guid isPermaLink="false">show-12</guid>');
	const [{ body }] = service.seen.filter(({ path }) => path === '/v2/edits');
	expect(JSON.parse(body)).toMatchObject({
		input: { config: { normalize: true, target_lufs: -23 } },
	});
});
