import { requestOf } from '../../../nodes/GetResult/tags/tagRequest';
import { readTagging } from '../../../nodes/GetResult/tags/readTagging';
import { readFeedItem } from '../../../nodes/GetResult/texts/readFeedItem';
import { Client } from '../../../api/client';
import { runOf, withFields } from '../../../testkit/n8n/nodeContext';
import { resultOf } from '../../../testkit/service/results';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import { cover, edits, seen, serve, serveEdit, service, sound } from './tagging';

const formOf = (fields: object) =>
	runOf({ ...withFields(fields as Record<string, unknown>), getTimezone: () => 'UTC' });

const result = resultOf({ summarization: { title: 'From the summary', summary: 'In short.' } });

/** What is written into the file of an edit, for these tags in the form. */
async function written(writeTags: object) {
	const run = formOf({ writeTags });
	const client = Object.create(Client.prototype) as Client;
	const fetched = { run, client, itemIndex: 0, editId: 'a', result };
	return (await requestOf(fetched, readTagging(run, 0)!, []))?.tags;
}

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

it.each(['2026', '2026-03'])('a feed item is not published in %s: that is no day', (date) => {
	const read = () => readFeedItem(formOf({ feedItem: { publishedAt: date } }), 0);
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
