import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { failureOf } from '../../support/failures';
import { fullResult } from '../../support/fullResult';
import { groupedFormats } from '../../support/grouped';
import { systemTime } from '../../support/leapingTime';
import { encodedSound, probed, soundHash } from '../../support/mediaFiles';
import { readWithMusicMetadata } from '../../support/musicMetadata';
import { itemsOf, readFile, storeFile } from '../../support/n8nEngine';
import { useRecordingService } from '../../support/recordingService';
import { chain, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

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
		expect(error?.description).toMatch(
			/^Nothing was sent\. Switch .* on (under 'Options'|in 'Options \(JSON\)'), /,
		);
		expect(service.seen).toEqual([]);
	});

	it('with all that is missing, where to switch it on, and the presets that have it', async () => {
		const { error } = await edit(groupedFormats(['subtitlesSrt', 'showNotesMarkdown']));
		expect(error?.message).toBe(
			"'Subtitles (SRT)' needs 'Transcription', 'Show Notes (Markdown)' needs 'Summarize', which is off [item 0]",
		);
		expect(error?.description).toContain(
			"Switch 'Transcription' and 'Summarize' on under 'Options', set 'Preset' to 'Podcast Episode' or 'Full Analysis', or",
		);
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

describe('tags', () => {
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
});

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

/** Fails for an item without `value`, as an expression of another node's item does that has none. */
const FAILS_FOR_FIRST = "={{ $json.value ?? $('Nowhere').item.json.value }}";

/*
 * These options count for all items, and come from the first one. If they cannot be read there, no item
 * has a rule to go by: all fail, and no edit is charged.
 */
it.each([
	{ maximumWaitMinutes: FAILS_FOR_FIRST },
	{ options: { firstPollDelaySeconds: FAILS_FOR_FIRST } },
	{ options: { pollIntervalSeconds: FAILS_FOR_FIRST } },
	{ options: { pendingNoticeMinutes: FAILS_FOR_FIRST } },
	{ options: { transfersAtOnce: FAILS_FOR_FIRST } },
	{ options: { whenStopped: FAILS_FOR_FIRST } },
])('nothing is sent if the first item has no value for %j', async (parameters) => {
	const items = await Promise.all(
		['a.wav', 'b.wav'].map(async (name, index) => {
			const data = await storeFile(Buffer.from('RIFF'), name, 'audio/wav');
			return { json: index === 0 ? {} : { value: 5 }, binary: { data } };
		}),
	);
	const settings = { onError: 'continueErrorOutput' } as const;
	const workflow = chain({ type: 'audioEditing', parameters, settings });
	const run = await runChain(
		{ url: service.url, apiKey: JSON.stringify(parameters) },
		workflow,
		items,
	);
	const failures = [0, 1, 2, 3].flatMap((output) => itemsOf(run, 'audioEditing', output));
	expect(failures.map((item) => failureOf(item)?.message)).toEqual(
		Array(2).fill(expect.stringContaining("Referenced node doesn't exist")),
	);
	expect(service.seen).toEqual([]);
});

it('One Item per File names the file of each item in its edit, too', async () => {
	const { run } = await edit({
		options: { oneItemPerFile: true },
		...groupedFormats(['feedItem']),
	});
	const names = itemsOf(run, type).map(({ json, binary }) => {
		expect(json.edit).toHaveProperty('fileName', json.fileName);
		expect(binary?.data.fileName).toBe(json.fileName);
		return json.fileName;
	});
	expect(new Set(names).size).toBe(2);
});
