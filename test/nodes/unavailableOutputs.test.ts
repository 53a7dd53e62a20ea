import type { INodeParameters } from 'n8n-workflow';

import { groupedFormats } from '../support/grouped';
import { itemsOf, storeFile } from '../support/n8nEngine';
import { useRecordingService } from '../support/recordingService';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const service = useRecordingService();
const type = 'audioEditing';

async function edit(parameters: INodeParameters) {
	const data = await storeFile(Buffer.from('RIFF'), 'a.wav', 'audio/wav');
	const items = [{ json: {}, binary: { data } }];
	const run = await runChain(service, chain({ type, parameters }), items);
	const { error, runData } = run.data.resultData;
	return { run, error, hints: (runData[type]?.[0].hints ?? []).map(({ message }) => message) };
}

describe('an output that the edit cannot give is refused before anything is sent', () => {
	it.each<[string, INodeParameters]>([
		["'Subtitles (SRT)' needs 'Transcription'", groupedFormats(['subtitlesSrt'])],
		["'Soundbites' needs 'Transcription'", groupedFormats(['soundbites'])],
		["'Chapters (JSON)' needs 'Summarize'", groupedFormats(['chaptersJson'])],
		[
			"'Social Posts' needs 'Social Content'",
			{ preset: 'podcastEpisode', ...groupedFormats(['socialPosts']) },
		],
		["'Chapters to Embed' needs 'Summarize'", { embedChapters: 'summary' }],
		["'Cut Soundbites' needs 'Transcription'", { options: { cutSoundbites: true } }],
		["'Markers' needs 'Export Timestamps'", { download: ['edited', 'markers'] }],
		["'Merged Audio' needs 'Merge Tracks' or 'Audio for EDL'", { download: ['edited', 'merged'] }],
		[
			"'Chapters (JSON)' needs 'summarize'",
			{ configure: 'json', configJson: '{}', ...groupedFormats(['chaptersJson']) },
		],
	])('%s', async (said, parameters) => {
		const { error } = await edit(parameters);
		expect(error?.message).toBe(`${said}, which is off [item 0]`);
		expect(error?.description).toMatch(/^Nothing was sent\. Switch .* on, /);
		expect(service.seen).toEqual([]);
	});
});

it.each<[INodeParameters]>([
	[{ preset: 'podcastEpisode', ...groupedFormats(['subtitlesSrt', 'chaptersJson']) }],
	// It turns the summary on, and that the transcript.
	[{ social_content: true, ...groupedFormats(['subtitlesSrt', 'chapterList']) }],
	[groupedFormats(['feedItem'])],
])('an output that the edit can give is not: %j', async (parameters) => {
	const { run, error } = await edit(parameters);
	expect(error).toBeUndefined();
	expect(itemsOf(run, type)).toHaveLength(1);
});

it('a template may switch on what an output needs, so that there is only a hint', async () => {
	const parameters = { configure: 'template', templateId: 7, ...groupedFormats(['subtitlesSrt']) };
	const { error, hints } = await edit(parameters);
	expect(error).toBeUndefined();
	expect(hints.join()).toContain(
		"Subtitles (SRT) will be left out unless the template has 'Transcription' on.",
	);
});
