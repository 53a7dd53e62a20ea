/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node */
import type { ServerResponse } from 'http';

/*
 * Each test says what a user meets, and failed when it was written (2026-11-28).
 * Run: copy it to test/nodes/cases/ of a checkout, then npx jest --runTestsByPath test/nodes/cases/nodeFaults.test.ts
 * (test/nodes/ because only there jest replaces the clock)
 */
import { retag } from '../../../formats/tags/retag';
import { timedChaptersOf } from '../../../formats/notes/chapters';
import { safeFileName } from '../../../nodes/core/files/mediaTypes';
import { fullResult } from '../../../testkit/service/fullResult';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { systemTime } from '../../../testkit/time/leapingTime';
import { encodedSound, probed } from '../../../testkit/media/mediaFiles';
import { itemsOf, readFile } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { fileItems, useRecordingService } from '../../../testkit/service/recordingService';
import { resultOf } from '../../../testkit/service/results';
import { finished, status, useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import { runOne } from '../../../testkit/service/useService';
import { chain, runChain } from '../../../testkit/n8n/workflows';

useProcessedData();
const recordings = useRecordingService();
const edits = useScriptedEdits();
const MP3 = Buffer.from('ID3\x04\0\0\0\0\0\0' + 'x'.repeat(100), 'latin1');
const AUDIO = { body: MP3, headers: { 'Content-Type': 'audio/mpeg' } };
const FEED = { audioUrl: 'https://cdn.example.com/12.mp3' };

async function get(
	parameters: object,
	file: unknown = AUDIO,
	sourceFileName = 'a.wav',
	result?: object,
) {
	edits.script = {
		'/v2/edits/a': [status('a', 'SUCCESS', result ?? fullResult(edits.service.url))],
		'/download/full': [file as never],
		'/moved': [AUDIO],
	};
	const items = [{ json: { editId: 'a', sourceFileName } }];
	return await runOne(edits.service, 'getResult', parameters as never, items);
}
const feedOf = (out: Awaited<ReturnType<typeof get>>['out']) =>
	(out[0].json.formats as { feedItem: string }).feedItem;

// 1
it.each(['={{ undefined }}', '={{ null }}', '={{ $json.policy }}', 'Submit again'])(
	"'If Uncertain' = %s must not mark a recording as edited that was never edited",
	async (ifUncertain) => {
		const name = `u${ifUncertain.length}.wav`;
		const run = async (more: object) =>
			await recordings.edit(
				await fileItems(name),
				{ skipEdited: 'nameAndSize', ...more } as never,
				{
					settings: { onError: 'continueErrorOutput' },
				},
			);
		recordings.fault = ({ method, path }) =>
			method === 'POST' && path === '/v2/edits' ? { cut: true } : undefined;
		await run({});
		recordings.fault = () => undefined;
		await run({ ifUncertain });
		const later = await run({});
		// Without the option, an uncertain recording fails and says what to do. It must still do so.
		const skipped = itemsOf(later.run, 'audioEditing', 1).map(({ json }) => json.skipped);
		expect([skipped, recordings.charged]).toEqual([[], []]);
	},
);

// 2
it("the feed's pubDate is the time that the person picked in the workflow's time zone", async () => {
	edits.script = { '/v2/edits/a': [status('a', 'SUCCESS', fullResult(edits.service.url))] };
	const parameters = {
		download: [],
		...groupedFormats(['feedItem']),
		feedItem: { ...FEED, publishedAt: '2026-03-01T06:00:00' },
	};
	const workflow = {
		...chain({ type: 'getResult', parameters: parameters as never }),
		settings: { timezone: 'America/New_York' },
	};
	const run = await runChain(edits.service, workflow, [{ json: { editId: 'a' } }]);
	expect(feedOf(itemsOf(run, 'getResult'))).toContain('<pubDate>Sun, 01 Mar 2026 11:00:00 GMT');
});

// 3
it.each(['application/octet-stream', 'binary/octet-stream', undefined])(
	'an MP3 file from a storage that says %s is audio/mpeg in n8n and in the feed',
	async (type) => {
		const send = (response: ServerResponse) => {
			response.writeHead(200, {
				'Content-Length': MP3.length,
				...(type && { 'Content-Type': type }),
			});
			response.end(MP3);
		};
		const { out } = await get(
			{ download: ['edited'], ...groupedFormats(['feedItem']), returnAs: 'json', feedItem: FEED },
			send,
		);
		const enclosure = /<enclosure[^>]*type="([^"]*)"/.exec(feedOf(out))?.[1];
		expect([out[0].binary?.data.mimeType, enclosure]).toEqual(['audio/mpeg', 'audio/mpeg']);
	},
);

// 4
it.each(['true', 'TRUE', '={{ "true" }}'])(
	'an episode whose Explicit is the text %s is explicit, or refused',
	async (isExplicit) => {
		const { out, error } = await get({
			download: [],
			...groupedFormats(['feedItem']),
			feedItem: { ...FEED, isExplicit },
		});
		expect(error?.message ?? /<itunes:explicit>(\w+)/.exec(feedOf(out))?.[1]).toMatch(
			/true|Explicit/,
		);
	},
);

// 5
it('a NaN in one word does not make the rest of a charged result unusable', async () => {
	const link = `${edits.service.url}/download/full`;
	const word = '{"id":0,"start":NaN,"end":1,"text":"x"}';
	const body = `{"task_id":"a","status":"SUCCESS","result":{"filename":"a.mp3","download_url":"${link}","transcription":{"paragraphs":[${word}]}}}`;
	edits.script = {
		'/v2/edits/a': [{ body, headers: { 'Content-Type': 'application/json' } }],
		'/download/full': [AUDIO],
	};
	const items = [{ json: { editId: 'a' } }];
	const waited = await runOne(edits.service, 'waitForEdit', {}, items);
	const fetched = await runOne(edits.service, 'getResult', {}, items);
	expect([waited.error?.message, fetched.error?.message]).toEqual([undefined, undefined]);
});

// 6
it('a download link that redirects, as many services make them, is followed: it carries no key', async () => {
	const { out, said } = await get(
		{},
		{ status: 302, headers: { Location: `${edits.service.url}/moved` } },
	);
	expect(said).toBe('undefined undefined');
	expect((await readFile(out[0].binary!.data)).equals(MP3)).toBe(true);
});

// 7
const speakers = {
	download: [],
	...groupedFormats(['subtitlesVtt']),
	transcriptAndNotes: { speakersFromTracks: true },
};
const namesIn = (out: Awaited<ReturnType<typeof get>>['out']) => [
	...new Set(
		(out[0].json.formats as { subtitlesVtt: string }).subtitlesVtt.match(/(?<=<v )[^>]*/g),
	),
];
it('a single file with a comma in its name is not two tracks', async () => {
	const { out } = await get(speakers, AUDIO, 'Interview ep.12, Anna and Ben.wav');
	expect(namesIn(out)).toEqual(['Speaker 1', 'Speaker 2']);
});
it("no speaker is called 'e.wav and 2 more'", async () => {
	const result = fullResult(edits.service.url);
	const turns = [0, 1, 2, 3, 4].map((id) => ({
		id,
		start: id * 3,
		end: id * 3 + 3,
		speaker: `Speaker ${id + 1}`,
	}));
	result.transcription.transcription.paragraphs = turns;
	const { out } = await get(
		speakers,
		AUDIO,
		'a.wav, b.wav, c.wav, d.wav, e.wav and 2 more',
		result,
	);
	expect(namesIn(out)).not.toContain('e.wav and 2 more');
});

// 8
it.each(['語', '😀', 'ü'])("a safe file name of '%s' fits a disk: 255 bytes", (character) => {
	expect(Buffer.byteLength(safeFileName(`${character.repeat(200)}.mp3`, 'x'))).toBeLessThanOrEqual(
		255,
	);
});

// 9
it('an episode number over 65,535 is not another number in an M4A file', () => {
	const file = encodedSound(2, ['-c:a', 'aac', '-movflags', '+faststart'], 'm4a');
	const { head } = retag(
		file,
		{ tags: { episodeNumber: 20_261_128 }, existing: 'keep' },
		file.length,
	);
	expect([undefined, '20261128']).toContain(probed(head, 'a.m4a').format.tags?.track);
});

// 10
it.each(['preset', 'Fields', '={{ "presets" }}'])(
	"'Configure' = %s is refused like any other unknown option, before an edit is charged",
	async (configure) => {
		const { error } = await recordings.edit(await fileItems('a.wav'), {
			configure,
			preset: 'fullEdit',
		});
		expect([error?.message, recordings.charged]).toEqual([
			expect.stringContaining('Configure'),
			[],
		]);
	},
);

// 11
it('one refused burst of 8 polls backs off like one refused poll: about a second, not half a minute', async () => {
	const ids = Array.from({ length: 8 }, (_id, index) => `s${index}`);
	let refusedAtMs = 0;
	let nextAtMs = Infinity;
	const reply = (id: string) => (number: number) => {
		if (number > 1) nextAtMs = Math.min(nextAtMs, systemTime.now());
		else refusedAtMs = systemTime.now();
		return number > 1
			? finished(id, edits.service.url)
			: { status: 429, body: { error: { code: 'E9001', message: 'x' } } };
	};
	edits.script = Object.fromEntries(ids.map((id) => [`/v2/edits/${id}`, reply(id)]));
	await runOne(
		{ url: edits.service.url, apiKey: 'storm' },
		'waitForEdit',
		{},
		ids.map((editId) => ({ json: { editId } })),
	);
	// One poll of each edit in 10 s anyway.
	expect(nextAtMs - refusedAtMs).toBeLessThanOrEqual(11_000);
});

// 12
it('no chapter begins after the end of the file', () => {
	const file = encodedSound(10, ['-c:a', 'libmp3lame', '-b:a', '96k'], 'mp3');
	const result = resultOf({
		summarization: {
			chapters: [
				{ start: 0, title: 'A' },
				{ start: 5, title: 'B' },
				{ start: 100, title: 'past' },
			],
		},
	});
	const { head } = retag(
		file,
		{ tags: {}, chapters: timedChaptersOf(result), existing: 'keep' },
		file.length,
	);
	const { chapters, format } = probed(head, 'a.mp3');
	expect(chapters.filter(({ end_time }) => Number(end_time) > Number(format.duration) + 1)).toEqual(
		[],
	);
});

// 13
it.each([
	['Episode 12', /not a date/],
	['01.03.2026', /not a date|2026-03-01|01 Mar 2026/],
	['12', /not a date/],
])("the date '%s' is refused or read as people mean it", async (date, expected) => {
	const tagged = await get({ download: ['edited'], files: { writeTags: { date } } }, AUDIO);
	const fed = await get({
		download: [],
		...groupedFormats(['feedItem']),
		feedItem: { ...FEED, publishedAt: date },
	});
	expect([
		tagged.error?.message ?? 'written',
		fed.error?.message ?? /<pubDate>[^<]*/.exec(feedOf(fed.out))?.[0],
	]).toEqual([expect.stringMatching(expected), expect.stringMatching(expected)]);
});
