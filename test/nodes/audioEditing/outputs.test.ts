import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { chain } from '../../../testkit/n8n/chain';
import { failureOf } from '../../../testkit/n8n/failures';
import { fullResult } from '../../../testkit/service/fullResult';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { encodedSound, soundHash } from '../../../testkit/media/mediaFiles';
import { readWithMusicMetadata } from '../../../testkit/media/musicMetadata';
import { itemsOf, readFile } from '../../../testkit/n8n/n8nEngine';
import { retry } from '../../../testkit/n8n/retry';
import { runChain } from '../../../testkit/n8n/workflows';
import { fileItems, useRecordingService } from '../../../testkit/service/recordingService';

const service = useRecordingService();

const edit = async (parameters: INodeParameters) =>
	await service.edit(await fileItems('a.wav'), parameters);

/** What was sent as the configuration of the only edit. */
const sentConfig = (): unknown => {
	const bodies = service.seen.filter(({ path }) => path === '/v2/edits').map(({ body }) => body);
	expect(bodies).toHaveLength(1);
	return (JSON.parse(bodies[0]) as { input: { config: unknown } }).input.config;
};

it.each<[string, string, INodeParameters]>([
	['Subtitles (SRT)', 'transcription', groupedFormats(['subtitlesSrt'])],
	['Soundbites', 'transcription', groupedFormats(['soundbites'])],
	['Chapters (JSON)', 'summarize', groupedFormats(['chaptersJson'])],
	['Social Posts', 'social_content', groupedFormats(['socialPosts'])],
	['Chapters to Embed', 'summarize', { embedChapters: 'summary' }],
	['Cut Soundbites', 'transcription', { cutSoundbites: true }],
	['Markers', 'export_timestamps', { download: ['edited', 'markers'] }],
])('%s switches on what it needs: %s', async (_, key, parameters) => {
	const { error } = await edit(parameters);
	expect(error).toBeUndefined();
	expect(sentConfig()).toEqual({ remove_noise: true, normalize: true, [key]: true });
});

it('an output that needs nothing more switches nothing on', async () => {
	const { error } = await edit({ summarize: true, ...groupedFormats(['subtitlesSrt']) });
	expect(error).toBeUndefined();
	expect(sentConfig()).toEqual({ remove_noise: true, normalize: true, summarize: true });
});

it('an edit that was charged before a retry is fetched as it is, and not charged again', async () => {
	const access = { url: service.url, apiKey: 'retry-of-outputs' };
	const workflow = (parameters: INodeParameters) => chain({ type: 'audioEditing', parameters });
	service.fault = ({ path }) => (path.startsWith('/files/') ? { status: 500 } : undefined);
	const failed = await runChain(access, workflow({}), await fileItems('a.wav'));
	expect(failed.data.resultData.error?.message).toContain('a.wav');
	const result = { ...fullResult(service.url), transcription: null };
	const answer = { body: { task_id: 'edit-1', status: 'SUCCESS', result } };
	service.fault = ({ path }) => (path.startsWith('/v2/edits/') ? answer : undefined);
	const saved = workflow({ download: [], ...groupedFormats(['subtitlesSrt']) });
	const { resultData } = (await retry(access, failed, workflow({}), { saved })).data;
	expect(resultData.error).toBeUndefined();
	expect(service.charged).toEqual(['a.wav']);
});

it.each<[string, string, INodeParameters]>([
	[
		"'Cut Soundbites' needs MP3, but 'Export Format (MP3, WAV …)' is set to M4A",
		"Set 'Export Format (MP3, WAV …)' to MP3",
		{ export_format: 'm4a', cutSoundbites: true },
	],
	[
		"'Chapters to Embed' needs MP3 or M4A, but 'Export Format (MP3, WAV …)' is set to AAC",
		"Set 'Export Format (MP3, WAV …)' to MP3 or M4A",
		{ export_format: 'aac', embedChapters: 'summary' },
	],
	[
		'\'Cut Soundbites\' needs "mp3", but \'export_format\' is set to "wav"',
		'Set \'export_format\' to "mp3"',
		{
			configure: 'json',
			configJson: '{ "transcription": true, "export_format": "wav" }',
			cutSoundbites: true,
		},
	],
])('refused before anything is sent: %s', async (said, advice, parameters) => {
	const { error } = await edit(parameters);
	expect(error?.message).toBe(`a.wav: ${said} [item 0]`);
	expect(error?.description).toMatch(/^Nothing was sent\. Set '/);
	expect(error?.description).toContain(`${advice}, `);
	expect(service.seen).toEqual([]);
});

describe('an output that the edit cannot give is refused before anything is sent', () => {
	const OFF = { transcription: false };
	it.each<[string, string, INodeParameters]>([
		[
			"'Subtitles (SRT)' needs 'Transcription', which is off",
			"under 'Transcript and Notes'",
			{ ...OFF, ...groupedFormats(['subtitlesSrt']) },
		],
		[
			"'Cut Soundbites' needs 'Transcription', which is off",
			"under 'Transcript and Notes'",
			{ ...OFF, cutSoundbites: true },
		],
		[
			"'Markers' needs 'Export Timestamps', which is off",
			"under 'Files'",
			{ export_timestamps: false, download: ['edited', 'markers'] },
		],
		[
			"'Merged Audio' needs 'Merge Tracks' or 'Audio for Edit List': both are off",
			"'Merge Tracks' under 'Files' or 'Audio for Edit List' under 'Advanced'",
			{ download: ['edited', 'merged'] },
		],
		[
			"'Chapters (JSON)' needs 'summarize', which is off",
			"in 'Options (JSON)'",
			{ configure: 'json', configJson: '{}', ...groupedFormats(['chaptersJson']) },
		],
	])('%s', async (said, place, parameters) => {
		const { error } = await edit(parameters);
		expect(error?.message).toBe(`a.wav: ${said} [item 0]`);
		expect(error?.description).toMatch(/^Nothing was sent\. Switch on '/);
		expect(error?.description).toContain(`${place}, `);
		expect(service.seen).toEqual([]);
	});

	it('with all that is missing, where to switch it on, and the presets that have it', async () => {
		const formats = groupedFormats(['subtitlesSrt', 'subtitlesVtt', 'showNotesMarkdown']);
		const { error } = await edit({ ...OFF, summarize: false, ...formats });
		expect(error?.message).toBe(
			"a.wav: 'Subtitles (SRT)' and 'Subtitles (WebVTT)' need 'Transcription', and 'Show Notes (Markdown)' needs 'Summarize': both are off [item 0]",
		);
		expect(error?.description).toBe(
			"Nothing was sent. Switch on 'Transcription' and 'Summarize' under 'Transcript and Notes', set 'Preset' to 'Podcast Episode' or 'Full Analysis', or do not ask for these outputs.",
		);
		expect(service.seen).toEqual([]);
	});

	it('like tags that cannot be written', async () => {
		const { error } = await edit({ writeTags: { date: 'soon' } });
		expect(error?.message).toContain("'Date' is not a date");
		expect(service.seen).toEqual([]);
	});
});

it.each<[INodeParameters]>([
	[{ preset: 'podcastEpisode', ...groupedFormats(['subtitlesSrt', 'chaptersJson']) }],
	// It turns the summary on, and that the transcript.
	[{ social_content: true, ...groupedFormats(['subtitlesSrt', 'chapterList']) }],
	[groupedFormats(['feedItem'])],
])('an output that the edit can give is not: %j', async (parameters) => {
	const { out, error } = await edit(parameters);
	expect(error).toBeUndefined();
	expect(out).toHaveLength(1);
});

it('a template may switch on what an output needs, so that there is only a hint', async () => {
	const template = { configure: 'template', templateId: 7 };
	const { error, hints } = await edit({ ...template, ...groupedFormats(['subtitlesSrt']) });
	expect(error).toBeUndefined();
	expect(hints.join()).toContain(
		"Subtitles (SRT) will be left out unless the template switches 'Transcription' on.",
	);
});

it('writes tags into the edited file', async () => {
	const sound = encodedSound(10, ['-b:a', '96k'], 'mp3');
	const file = { body: sound, headers: { 'Content-Type': 'audio/mpeg' } };
	service.fault = ({ path }) => (path.startsWith('/files/') ? file : undefined);
	const { out } = await edit({ writeTags: { fillFromSummary: true, author: 'Anna' } });
	const tagged = await readFile(out[0].binary!.data);
	const tags = { TIT2: 'About a.wav', TPE1: 'Anna', TDES: 'Short.' };
	expect((await readWithMusicMetadata(tagged)).tags).toMatchObject(tags);
	expect(soundHash(tagged, 'a.mp3')).toBe(soundHash(sound, 'a.mp3'));
});

it('names the speakers after its tracks, and sends the loudness of a platform', async () => {
	const result = fullResult(service.url);
	// As the local service labels the speakers of two tracks.
	result.transcription.transcription.paragraphs.forEach((turn, index) => {
		turn.speaker = `SPEAKER_0${index}`;
	});
	const answer = { body: { task_id: 'edit-1', status: 'SUCCESS', result } };
	service.fault = ({ path }) => (path.startsWith('/v2/edits/') ? answer : undefined);
	const { out } = await service.edit([{ json: {} }], {
		recordingFrom: 'url',
		preset: 'transcriptOnly',
		download: [],
		fileUrls: 'https://files.example.com/anna.wav\nhttps://files.example.com/ben.wav',
		loudnessFor: 'ebuR128',
		...groupedFormats(['subtitlesVtt', 'feedItem']),
		feedItem: { audioUrl: 'https://cdn.example.com/12.mp3', guid: 'show-12' },
		speakersFromTracks: true,
	});
	const { formats } = out[0].json.edit as { formats: IDataObject };
	expect(formats.subtitlesVtt).toMatch(/<v anna>Welcome[^]*<v ben>Thank you!/);
	expect(formats.feedItem).toContain('<guid isPermaLink="false">show-12</guid>');
	const [{ body }] = service.seen.filter(({ path }) => path === '/v2/edits');
	expect(JSON.parse(body)).toMatchObject({
		input: { config: { normalize: true, target_lufs: -23 } },
	});
});

/** Fails for an item without `value`, as an expression of another node's item does that has none. */
const FAILS_FOR_FIRST = "={{ $json.value ?? $('Nowhere').item.json.value }}";

/*
 * These options count for all items, and come from the first one. If they cannot be read there, no item
 * has a rule to go by: all fail, and no edit is charged.
 */
it.each([
	'maximumWaitMinutes',
	'firstPollDelaySeconds',
	'pollIntervalSeconds',
	'pendingNoticeMinutes',
	'transfersAtOnce',
	'whenStopped',
])('nothing is sent if the first item has no value for %s', async (field) => {
	const items = await fileItems('a.wav', 'b.wav');
	items[1].json.value = 5;
	const settings = { onError: 'continueErrorOutput' } as const;
	const { run } = await service.edit(items, { [field]: FAILS_FOR_FIRST }, { settings });
	const failures = [0, 1, 2, 3].flatMap((output) => itemsOf(run, 'audioEditing', output));
	const missing = expect.stringMatching(/^[ab]\.wav: referenced node doesn't exist/);
	expect(failures.map((item) => failureOf(item)?.message)).toEqual([missing, missing]);
	expect(service.seen).toEqual([]);
});

it('One Item per File names the file of each item in all of its names', async () => {
	const { out } = await edit({ oneItemPerFile: true, ...groupedFormats(['feedItem']) });
	const names = out.map(({ json, binary }) => {
		expect(binary?.data.fileName).toBe(json.editedFileName);
		return json.editedFileName;
	});
	expect(new Set(names).size).toBe(2);
});

it.each<[when: string, mode: 'manual' | 'trigger', parameters: INodeParameters, isTold: boolean]>([
	['to a person who tries the node', 'manual', {}, true],
	['not if the edit is deleted', 'manual', { deleteWhenFetched: true }, false],
	['not in production', 'trigger', {}, false],
])('the free way to other formats is told %s', async (_when, mode, parameters, isTold) => {
	const { hints } = await service.edit(await fileItems('a.wav'), parameters, { mode });
	const told =
		'edit edit-1: to get other formats free of charge, enter the ID in an Audio Editing Get Result node. Executing this step again creates a new edit, which is charged.';
	expect(hints.includes(told)).toBe(isTold);
});
