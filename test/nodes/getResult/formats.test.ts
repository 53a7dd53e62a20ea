import type { INodeParameters } from 'n8n-workflow';

import { summarizeEdit } from '../../../nodes/core/fetch/editJson';
import { readWithLibrary } from '../../../testkit/media/captionReaders';
import { failureOf } from '../../../testkit/n8n/failures';
import { fullResult } from '../../../testkit/service/fullResult';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { itemsOf, readFile } from '../../../testkit/n8n/n8nEngine';
import { finished, status, useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import { chain, runChain } from '../../../testkit/n8n/workflows';

/* No known result makes a format fail, so a test forces two to. */
const mockSubtitleCues = jest.fn();

jest.mock('../../../formats/transcript/subtitles', () => {
	const real = jest.requireActual<{ subtitleCues: unknown }>(
		'../../../formats/transcript/subtitles',
	);
	mockSubtitleCues.mockImplementation(real.subtitleCues as () => unknown);
	return { ...real, subtitleCues: (result: unknown): unknown => mockSubtitleCues(result) };
});

const edits = useScriptedEdits();

const ALL = [
	'subtitlesSrt',
	'subtitlesVtt',
	'transcriptText',
	'chaptersJson',
	'chapterList',
	'showNotesMarkdown',
	'showNotesHtml',
	'socialPosts',
];

/** Runs Get Result on an edit with a result, and returns its item and the hints of its output. */
async function getResult(result: object, parameters: INodeParameters) {
	edits.script = {
		'/v2/edits/a': [status('a', 'SUCCESS', result)],
		'/download/full': [{ body: 'bytes of a file', headers: { 'Content-Type': 'audio/mpeg' } }],
	};
	const { out, error, hints } = await edits.run('getResult', ['a'], {
		download: [],
		...parameters,
	});
	if (error) throw error;
	return { item: out[0], hints };
}

const full = () => fullResult(edits.service.url);

it('adds nothing by default', async () => {
	const { item, hints } = await getResult(full(), { download: ['edited'] });
	expect(Object.keys(item.binary ?? {})).toEqual(['data']);
	expect(item.json).not.toHaveProperty('formats');
	const first = ['editId', 'sourceFileName', 'editedFileName', 'finished'];
	expect(Object.keys(item.json)).toEqual([...first, ...Object.keys(summarizeEdit(undefined))]);
	expect(Object.values(item.json).slice(0, 4)).toEqual(['a', 'a.wav', 'episode 12.mp3', true]);
	expect(hints).toEqual([]);
});

it('outputs every text as a field', async () => {
	const { item } = await getResult(full(), { ...groupedFormats(ALL) });
	expect(item.binary).toBeUndefined();
	const formats = item.json.formats as Record<string, string>;
	expect(Object.keys(formats)).toEqual(ALL);
	expect(formats).toMatchObject({
		subtitlesSrt: expect.stringMatching(/^1\n00:00:00,000 --> 00:00:0\d,\d+\nWelcome back/),
		subtitlesVtt: expect.stringContaining('<v Speaker 2>Thank you!'),
		transcriptText: expect.stringMatching(/^Speaker 1: Welcome .*\n\nSpeaker 2: Thank you!/),
		chaptersJson: {
			version: '1.2.0',
			title: 'Bread & Time',
			fileName: 'episode 12.mp3',
			chapters: [
				{ startTime: 0, title: 'Welcome' },
				{ startTime: 12, title: 'Patience' },
			],
		},
		chapterList: '00:00 Welcome\n00:12 Patience\n',
		showNotesMarkdown: expect.stringMatching(/^# Bread & Time\n\nMaria bakes\./),
		showNotesHtml: expect.stringContaining('<li><strong>Time</strong></li>'),
		socialPosts: {
			newsletter: '# Slow bread\n\nRead on.',
			linkedIn: 'We talked to Maria.',
			thread: ['Bread & time', 'Listen now'],
		},
	});
});

it('outputs every text as a file beside the edited one, named after it', async () => {
	const { item } = await getResult(full(), {
		download: ['edited'],
		binaryPropertyName: 'audio',
		...groupedFormats(ALL),
		returnAs: 'files',
	});
	const files = Object.entries(item.binary ?? {}).map(([field, { fileName, mimeType }]) => [
		field,
		fileName,
		mimeType,
	]);
	expect(files).toEqual([
		['audio', 'episode 12.mp3', 'audio/mpeg'],
		['audio_srt', 'episode 12.srt', 'application/x-subrip'],
		['audio_vtt', 'episode 12.vtt', 'text/vtt'],
		['audio_transcript_txt', 'episode 12-transcript.txt', 'text/plain'],
		['audio_chapters_json', 'episode 12-chapters.json', 'application/json+chapters'],
		['audio_chapters_txt', 'episode 12-chapters.txt', 'text/plain'],
		['audio_show_notes_md', 'episode 12-show-notes.md', 'text/markdown'],
		['audio_show_notes_html', 'episode 12-show-notes.html', 'text/html'],
		['audio_newsletter_md', 'episode 12-newsletter.md', 'text/markdown'],
		['audio_linkedin_txt', 'episode 12-linkedin.txt', 'text/plain'],
		['audio_thread_txt', 'episode 12-thread.txt', 'text/plain'],
	]);
	expect(item.json).not.toHaveProperty('formats');
	const contentOf = async (field: string) => (await readFile(item.binary![field])).toString('utf8');
	const vtt = await readWithLibrary({ type: 'vtt', text: await contentOf('audio_vtt') });
	const srt = await readWithLibrary({ type: 'srt', text: await contentOf('audio_srt') });
	expect([...vtt.errors, ...srt.errors]).toEqual([]);
	expect(vtt.cues.at(-1)).toMatchObject({
		text: 'Thank you! It is mostly patience & time.',
		speakers: ['Speaker 2'],
	});
	expect(srt.cues.map(({ text }) => text)).toEqual(vtt.cues.map(({ text }) => text));
	expect(JSON.parse(await contentOf('audio_chapters_json'))).toMatchObject({ version: '1.2.0' });
	expect(await contentOf('audio_thread_txt')).toBe('Bread & time\n\n---\n\nListen now\n');
});

it.each<[object, string]>([
	[{}, 'Speaker 1: Welcome'],
	[{ transcriptShows: [] }, 'Welcome'],
	[{ transcriptShows: ['speakers', 'times'] }, '[00:00] Speaker 1: Welcome'],
	[{ transcriptShows: ['times'] }, '[00:00] Welcome'],
])('writes the transcript with the options %j', async (options, start) => {
	const parameters = { ...groupedFormats(['transcriptText']), ...options };
	const { item } = await getResult(full(), parameters);
	const { transcriptText } = item.json.formats as { transcriptText: string };
	expect(transcriptText.startsWith(start)).toBe(true);
});

describe('a text that the result has no material for', () => {
	it('is left out, and a hint names the key of the configuration', async () => {
		const result = { ...full(), transcription: null, social_content: [] };
		const { item, hints } = await getResult(result, { ...groupedFormats(ALL) });
		expect(Object.keys(item.json.formats as object)).toEqual(ALL.slice(3, 7));
		expect(hints).toEqual(
			expect.arrayContaining([
				"edit a: Subtitles (SRT), Subtitles (WebVTT), Transcript (Text) left out, because the result has nothing for it. Switch on 'Transcription' when you create the edit.",
				"edit a: Social Posts left out, because the result has nothing for it. Switch on 'Social Content' when you create the edit.",
			]),
		);
		expect(hints.join()).not.toContain('summarize');
	});

	it.each([
		['transcriptJson', 'Transcript (JSON)', 'Transcription'],
		['soundbites', 'Soundbites', 'Transcription'],
		['podloveChapters', 'Chapters (Podlove XML)', 'Summarize'],
		['episodeDescription', 'Description With Timestamps', 'Summarize'],
	])('is switched on by the option that the hint names: %s', async (name, title, option) => {
		const { hints } = await getResult({ filename: 'e.mp3' }, groupedFormats([name]));
		expect(hints).toEqual([
			`edit a: ${title} left out, because the result has nothing for it. Switch on '${option}' when you create the edit.`,
		]);
	});

	it('is reported as unusable if the service did send it', async () => {
		const result = { filename: 'e.mp3', transcription: { paragraphs: [{ text: 'Untimed.' }] } };
		const { item, hints } = await getResult(result, {
			...groupedFormats(['subtitlesVtt', 'transcriptText']),
			returnAs: 'files',
		});
		expect(Object.keys(item.binary ?? {})).toEqual(['data_transcript_txt']);
		expect(hints).toContain(
			'edit a: Subtitles (WebVTT) left out, because the service returned no usable texts or times for it.',
		);
	});
});

it.each<[INodeParameters]>([
	[{ download: [] }],
	[{ download: ['merged', 'markers'] }],
	[{ download: [], ...groupedFormats(['transcriptText']) }],
])(
	'SUCCESS without a result does not count as a result, and is not deleted: %j',
	async (parameters) => {
		edits.script = { '/v2/edits/a': [status('a', 'SUCCESS')] };
		const settings = { onError: 'continueErrorOutput' } as const;
		const specs = [{ type: 'getResult', parameters, settings }, { type: 'delete' }];
		const run = await runChain(edits.service, chain(...specs), [{ json: { editId: 'a' } }]);
		expect(itemsOf(run, 'getResult', 0)).toEqual([]);
		const [failed] = itemsOf(run, 'getResult', 1);
		expect(failureOf(failed)?.message).toBe('The edit has no result yet (edit a) [item 0]');
		expect(edits.service.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
	},
);

it('a hint names the key for requested files that are missing', async () => {
	const result = { download_url: `${edits.service.url}/download/full` };
	const { hints } = await getResult(result, { download: ['merged', 'markers'] });
	expect(hints).toEqual([
		"edit a: Merged Audio left out, because the result has none. To get it, switch on 'Merge Tracks' when you create the edit, or 'Audio for Edit List' for a video.",
		"edit a: Markers left out, because the result has none. To get them, switch on 'Export Timestamps' when you create the edit.",
	]);
});

describe('an expression for a list of files', () => {
	it.each<[string, INodeParameters, string[]]>([
		['an empty list means links only', { download: '={{ [] }}' }, []],
		['one name means that file', { download: '={{ "edited" }}' }, ['data']],
		['names may be separated by commas', { download: '={{ "edited, markers," }}' }, ['data']],
		['an empty list means no format', { download: [], alsoReturn: '={{ [] }}' }, []],
	])('%s', async (_name, parameters, fields) => {
		edits.script = {
			'/v2/edits/a': [finished('a', edits.service.url)],
			'/download/a': [{ body: 'RIFF', headers: { 'Content-Type': 'audio/wav' } }],
		};
		const { out, error } = await edits.run('getResult', ['a'], parameters);
		expect(error).toBeUndefined();
		expect(Object.keys(out[0].binary ?? {})).toEqual(fields);
		expect(out[0].json).toHaveProperty('links.edited', expect.stringContaining('/download/a'));
	});

	it.each<[INodeParameters, string]>([
		[{ download: '={{ "edted" }}' }, `a.wav: 'Download' has no option 'edted' [item 0]`],
		[
			{ download: [], alsoReturn: '={{ {} }}' },
			"a.wav: 'Also Return (Subtitles …)' has no option {} [item 0]",
		],
		[
			{ download: [], alsoReturn: ['chapters'], chapters: '={{ ["marks"] }}' },
			`a.wav: 'Chapters' has no option 'marks' [item 0]`,
		],
	])('refuses a value that the field does not offer: %j', async (parameters, message) => {
		edits.script = { '/v2/edits/a': [finished('a', edits.service.url)] };
		const { error } = await edits.run('getResult', ['a'], parameters);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(
			/^Nothing was sent\. Choose from \w+(, \w+)+\. An expression that chooses none of them returns an empty list\.$/,
		);
		expect(edits.service.seen).toEqual([]);
	});
});

it.each(['json', 'files'] as const)(
	'a text that cannot be made leaves everything else in place (%s)',
	async (returnAs) => {
		const fail = () => {
			throw new RangeError('Maximum call stack size exceeded');
		};
		mockSubtitleCues.mockImplementationOnce(fail).mockImplementationOnce(fail);
		const asked = groupedFormats(['subtitlesSrt', 'subtitlesVtt', 'chapterList']);
		const { item, hints } = await getResult(full(), { ...asked, returnAs });
		const chapterList = '00:00 Welcome\n00:12 Patience\n';
		if (returnAs === 'json') expect(item.json.formats).toEqual({ chapterList });
		else expect(Object.keys(item.binary ?? {})).toEqual(['data_chapters_txt']);
		expect(hints).toEqual([
			expect.stringMatching(
				/Subtitles \(SRT\), Subtitles \(WebVTT\) left out, .*: Maximum call stack size exceeded\. /,
			),
		]);
	},
);

it('divides the words once for both kinds of subtitles', async () => {
	mockSubtitleCues.mockClear();
	const { item } = await getResult(full(), groupedFormats(['subtitlesSrt', 'subtitlesVtt']));
	expect(Object.keys(item.json.formats as object)).toEqual(['subtitlesSrt', 'subtitlesVtt']);
	expect(mockSubtitleCues).toHaveBeenCalledTimes(1);
});
