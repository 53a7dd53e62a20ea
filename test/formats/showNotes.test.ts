import { showNotesHtml, showNotesMarkdown } from '../../formats/notes/showNotes';
import { socialPosts } from '../../formats/notes/socialPosts';
import { resultOf } from '../../testkit/service/results';

const summarization = {
	title: 'Bread & *Time*',
	episode_description:
		'# Bread & *Time*\n\nMaria bakes **slowly**. See [her shop](https://shop.example/a_(b)?c=1&d=2).\n\n## Guests\n\nMaria',
	key_learnings: '- Patience\n- _Good_ flour, see https://flour.example/.\n',
	chapters: [
		{ start: 0, title: 'Welcome' },
		{ start: 65, title: 'Why [slow]' },
	],
};

const result = resultOf({ summarization });

describe('show notes', () => {
	it('contain title, description, key learnings, chapters and links', () => {
		expect(showNotesMarkdown(result)).toBe(
			[
				'# Bread & \\*Time\\*',
				'Maria bakes **slowly**. See [her shop](https://shop.example/a_(b)?c=1&d=2).',
				'### Guests',
				'Maria',
				'## Key learnings',
				'- Patience\n- _Good_ flour, see https://flour.example/.',
				'## Chapters',
				'- 00:00 Welcome\n- 01:05 Why \\[slow\\]',
				'## Links',
				'- [her shop](<https://shop.example/a_(b)?c=1&d=2>)\n- <https://flour.example/>\n',
			].join('\n\n'),
		);
	});

	it('are the same in HTML', () => {
		expect(showNotesHtml(result)).toBe(
			`<h1>Bread &amp; *Time*</h1>
<p>Maria bakes <strong>slowly</strong>. See <a href="https://shop.example/a_(b)?c=1&amp;d=2">her shop</a>.</p>
<h3>Guests</h3>
<p>Maria</p>
<h2>Key learnings</h2>
<ul>
<li>Patience</li>
<li><em>Good</em> flour, see <a href="https://flour.example/">https://flour.example/</a>.</li>
</ul>
<h2>Chapters</h2>
<ul>
<li>00:00 Welcome</li>
<li>01:05 Why [slow]</li>
</ul>
<h2>Links</h2>
<ul>
<li><a href="https://shop.example/a_(b)?c=1&amp;d=2">her shop</a></li>
<li><a href="https://flour.example/">https://flour.example/</a></li>
</ul>
`,
		);
	});
});

describe('show notes of a poor summary', () => {
	it('contain only title and summary if there is nothing else', () => {
		const partial = resultOf({ summarization: { title: 'T', summary: 'S & <b>' } });
		expect(showNotesMarkdown(partial)).toBe('# T\n\nS & \\<b\\>\n');
		expect(showNotesHtml(partial)).toBe('<h1>T</h1>\n<p>S &amp; &lt;b&gt;</p>\n');
	});

	it.each([
		[{ summary: 'All of it.', summary_of_summary: 'Short.', summaries: ['One.'] }, 'All of it.'],
		[{ summary: ' ', summary_of_summary: 'Short.', summaries: ['One.'] }, 'Short.'],
		[{ summaries: ['One.', 'Two.'] }, 'One.\n\nTwo.'],
	])(
		'describe the episode by the summary, else the short one, else all in parts',
		(given, text) => {
			expect(showNotesMarkdown(resultOf({ summarization: given }))).toBe(`${text}\n`);
		},
	);

	it('list each link once, with its first text, also one in bold', () => {
		const episode_description =
			'**[The shop](https://shop.example)**, [again](https://shop.example), https://b.example';
		const notes = showNotesMarkdown(resultOf({ summarization: { episode_description } }));
		expect(notes).toMatch(
			/\n\n- \[The shop\]\(<https:\/\/shop.example>\)\n- <https:\/\/b.example>\n$/,
		);
	});

	it('list key learnings that came as lines', () => {
		const lines = resultOf({ summarization: { key_learnings: 'One\nTwo' } });
		expect(showNotesMarkdown(lines)).toBe('## Key learnings\n\n- One\n- Two\n');
	});

	it.each([{}, { summarization: null }, { summarization: [] }, { summarization: { title: '' } }])(
		'are absent for %j',
		(body) => {
			expect([showNotesMarkdown(resultOf(body)), showNotesHtml(resultOf(body))]).toEqual([
				undefined,
				undefined,
			]);
		},
	);
});

describe('social posts', () => {
	const posts = (social_content: unknown) => socialPosts(resultOf({ social_content }));

	it('are the newsletter, the LinkedIn text and the posts of the thread', () => {
		expect(
			posts({
				newsletter: '# Hello\n',
				linkedin: 'We talked.',
				twitter_thread:
					'<tweet>1/ Bread\n& butter</tweet>\n\n<tweet>2/ a < b</tweet><Tweet id="3">3/</Tweet>',
			}),
		).toEqual({
			newsletter: '# Hello',
			linkedIn: 'We talked.',
			thread: ['1/ Bread\n& butter', '2/ a < b', '3/'],
		});
	});

	it.each([
		['<tweet>One<tweet>Two', ['One', 'Two']],
		['No tags at all', ['No tags at all']],
		['<tweet> </tweet>', undefined],
		['Here it is:\n<tweet>One</tweet>\n---\n<tweet>Two</tweet> bye', ['One', 'Two']],
	])('read the thread %j', (twitter_thread, thread) => {
		expect(posts({ twitter_thread })?.thread).toEqual(thread);
	});

	it.each([[[]], [null], [{}], [{ newsletter: null, linkedin: ' ' }]])(
		'are absent for %j',
		(odd) => {
			expect(posts(odd)).toBeUndefined();
		},
	);
});
