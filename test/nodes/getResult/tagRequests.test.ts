import { requestOf } from '../../../nodes/core/fetch/tags/tagRequest';
import { readTagging } from '../../../nodes/core/fetch/tags/readTagging';
import { readFeedItem } from '../../../nodes/core/fetch/texts/feedItem';
import { Client } from '../../../api/client';
import type { Form } from '../../../nodes/core/form/values';
import { formOf, runOf } from '../../../testkit/n8n/nodeContext';
import { resultOf } from '../../../testkit/service/results';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import { cover, edits, seen, serve, serveEdit, service, sound } from './tagging';

const inUtc = () => runOf({ getTimezone: () => 'UTC' });

const result = resultOf({ summarization: { title: 'From the summary', summary: 'In short.' } });

/** What is written into the file of an edit, for these fields of the form, and what is said of it. */
async function asked(options: Form['options']) {
	const run = inUtc();
	const client = Object.create(Client.prototype) as Client;
	const fetched = { run, client, itemIndex: 0, editId: 'a', result };
	const notes: string[] = [];
	return { request: await requestOf(fetched, readTagging(run, formOf(options))!, notes), notes };
}

const written = async (writeTags: object) => (await asked({ writeTags })).request?.tags;

describe('tags from the summary', () => {
	it('fill in what the form leaves empty', async () => {
		const tags = await written({ fillFromSummary: true });
		expect(tags).toMatchObject({ title: 'From the summary', description: 'In short.' });
	});

	it('do not replace what the form says', async () => {
		const own = { title: 'Own title', description: 'Own words' };
		expect(await written({ fillFromSummary: true, ...own })).toMatchObject(own);
	});
});

it.each([
	[0, 0],
	['7', 7],
	['', undefined],
])('the episode number %j is written as %j', async (episodeNumber, number) => {
	const tags = await written({ title: 'x', episodeNumber, season: episodeNumber });
	expect([tags?.episodeNumber, tags?.season]).toEqual([number, number]);
});

it('each tag is that of its own field', async () => {
	const own = { author: 'Anna', show: 'Slow Kitchen', episodeNumber: 12, season: 3 };
	expect(await written(own)).toMatchObject(own);
});

it('a title is on one line, a description as it was written', async () => {
	expect(await written({ title: ' One\ntwo ', description: ' One\ntwo ' })).toMatchObject({
		title: 'One two',
		description: 'One\ntwo',
	});
});

it.each([
	['2026', '2026'],
	['2026-11', '2026-11'],
	['2026-11-22', '2026-11-22'],
	['2026-11-22T16:20:00.000', '2026-11-22T16:20:00'],
	['2026-11-22T01:20:00.000+09:00', '2026-11-21T16:20:00'],
	['2026-11-22T16:20:00Z', '2026-11-22T16:20:00'],
])('the date %s is written as %s: in UTC if it has a zone', (date, expected) => {
	const run = runOf({ getTimezone: () => 'Asia/Tokyo' });
	expect(readTagging(run, formOf({ writeTags: { date } }))?.tags.date).toBe(expected);
});

describe('the chapters to embed', () => {
	it('may name their start and end in each usual way, and may have a link', () => {
		const chaptersJson = JSON.stringify([
			{ title: 'A', startTime: 1, endTime: 2, url: 'https://a.example/ü' },
			{ title: 'B', startSeconds: '3', endSeconds: '4', url: 'no link' },
			{ title: 'C', start: 5, end: 6 },
			{ title: 'D', start: 7 },
		]);
		const { chapters } = readTagging(inUtc(), formOf({ embedChapters: 'json', chaptersJson }))!;
		expect(chapters).toEqual([
			{ title: 'A', startSeconds: 1, endSeconds: 2, url: 'https://a.example/%C3%BC' },
			{ title: 'B', startSeconds: 3, endSeconds: 4 },
			{ title: 'C', startSeconds: 5, endSeconds: 6 },
			{ title: 'D', startSeconds: 7 },
		]);
	});

	it('leave those of the file if the summary has none, and the tags are written', async () => {
		const { request, notes } = await asked({
			writeTags: { title: 'Bread' },
			embedChapters: 'summary',
		});
		expect(request).toMatchObject({ tags: { title: 'Bread' }, existing: 'keep' });
		expect(request).not.toHaveProperty('chapters');
		expect(notes).toEqual([expect.stringContaining('the summary has none with times')]);
	});
});

it("the cover is that of the input field if both are given: 'Cover URL' is ignored then", () => {
	const binary = { picture: { data: '', mimeType: 'image/png' } };
	const writeTags = { coverField: 'picture', coverUrl: 'https://a.example/c.png' };
	const run = runOf({}, [{ json: {}, binary }]);
	expect(readTagging(run, formOf({ writeTags }))?.cover).toEqual({ field: 'picture' });
});

it.each([
	['Audio URL', 'audioUrl'],
	['Chapters URL', 'chaptersUrl'],
	['Image URL', 'imageUrl'],
	['Page URL', 'pageUrl'],
	['Transcript URLs', 'transcriptUrls'],
	['Episode Number', 'episodeNumber'],
	['Season Number', 'seasonNumber'],
])("a value of '%s' that cannot be used is refused by this name", (label, name) => {
	const read = () => readFeedItem(inUtc(), formOf({}, { feedItem: { [name]: 'x' } }));
	expect(read).toThrow(`'${label}' `);
});

it.each(['2026', '2026-03'])('a feed item is not published in %s: that is no day', (date) => {
	const read = () => readFeedItem(inUtc(), formOf({}, { feedItem: { publishedAt: date } }));
	expect(read).toThrow(`'Publish Date' has no day: ${date}`);
});

it('the cover of a show is fetched once for all its episodes, and its connection is closed', async () => {
	let hasClosed: Promise<unknown> = Promise.resolve();
	edits.script = {
		...edits.script,
		'/v2/edits/b': serveEdit(),
		'/cover.png': () => (response) => {
			hasClosed = new Promise((resolve) => response.on('close', resolve));
			// More than a cover may have, and no end.
			response.writeHead(200, { 'Content-Type': 'image/png' });
			response.write(Buffer.concat([cover, Buffer.alloc(10 * 1_048_576)]));
		},
	};
	edits.script['/download/full'] = serve(sound);
	const parameters = { writeTags: { title: 'x', coverUrl: `${service.url}/cover.png` } };
	const items = ['a', 'b'].map((editId) => ({ json: { editId } }));
	const run = await runChain(service, chain({ type: 'getResult', parameters }), items);
	await hasClosed;
	expect(seen().filter((path) => path === '/cover.png')).toHaveLength(1);
	for (const { json } of itemsOf(run, 'getResult')) {
		expect(json.fileNote).toContain('the cover is larger than 10 MB');
	}
});
