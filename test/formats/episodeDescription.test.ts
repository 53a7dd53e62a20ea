import { episodeDescription } from '../../formats/notes/episodeDescription';
import { resultOf, sayWords, transcribed } from '../../testkit/service/results';

type Chapters = Array<{ start: number; title: string }>;

function describeEpisode(chapters: Chapters, more: object = {}, body: object = {}) {
	const description =
		'About **bread**. See [the **shop**](https://shop.example/?a=1&b=2).\n\n- One\n- Two';
	const summarization = { chapters, episode_description: description, ...more };
	return episodeDescription(resultOf({ ...body, summarization }));
}

const at = (...starts: number[]): Chapters =>
	starts.map((start, index) => ({ start, title: `Chapter ${index + 1}` }));

describe('the description of an episode', () => {
	it('is plain text with the list of chapters', () => {
		expect(describeEpisode(at(3, 60.9, 3_700))).toBe(
			'About bread. See the shop (https://shop.example/?a=1&b=2).\n\n• One\n• Two\n\n' +
				'00:00 Chapter 1\n01:00 Chapter 2\n1:01:40 Chapter 3\n',
		);
	});

	it('lists no chapter shorter than 10 s, and none at all if fewer than three remain', () => {
		expect(describeEpisode(at(0, 5, 30, 60))).toMatch(/\n\n00:00 .* 1\n00:30 .* 3\n01:00 .* 4\n$/);
		expect(describeEpisode(at(0, 5, 30))).not.toContain('00:');
		expect(describeEpisode(at(0, 60))).not.toContain('00:');
	});

	it('leaves out a last chapter that ends with the recording within 10 s', () => {
		const body = transcribed(sayWords('word '.repeat(200).trim()));
		const end = Math.floor(body.transcription.transcription.words.length * 0.32);
		const chapters = at(0, 20, 40, end - 5);
		expect(describeEpisode(chapters, {}, body)).toMatch(/00:40 Chapter 3\n$/);
	});

	it('keeps a last chapter of exactly 10 s', () => {
		const words = [
			{ start: 0, end: 1, text: 'Hello.' },
			{ start: 49, end: 50, text: 'Bye.' },
		];
		const lastAt = (start: number) => describeEpisode(at(0, 20, start), {}, transcribed(words));
		expect(lastAt(40)).toMatch(/00:20 Chapter 2\n00:40 Chapter 3\n$/);
		expect(lastAt(41)).not.toContain('00:');
	});

	it('has no angle brackets, which YouTube refuses', () => {
		const chapters = [{ start: 0, title: 'a <b> & c' }, ...at(20, 40)];
		const text = describeEpisode(chapters, { episode_description: 'x \\<y\\> & z' });
		expect(text).toMatch(/^x ‹y› & z\n\n00:00 a ‹b› & c\n/);
	});
});

describe('the length of a description', () => {
	it('fits 4,000 bytes with the longest chapters', () => {
		const starts = Array.from(
			{ length: 300 },
			// The first one is the shortest, and the 151st the longest.
			(_start, index) => (index === 0 ? 0 : index * 20 - 8 + (index > 150 ? 60 : 0)),
		);
		const text = describeEpisode(at(...starts), { episode_description: '词'.repeat(5_000) })!;
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
		expect(Buffer.byteLength(text)).toBeGreaterThan(3_700);
		expect(text).toContain('\n\n00:00 Chapter 1\n');
		expect(text).toContain('Chapter 151\n');
		// A quarter of it is left for the text.
		expect(Buffer.byteLength(text.split('\n\n')[0])).toBeGreaterThan(900);
	});

	it('fits 4,000 bytes with its line ends, and is cut only if it must be', () => {
		for (let length = 3_980; length <= 4_010; length++) {
			const words = 'bread '
				.repeat(700)
				.slice(0, length - 1)
				.replace(/ $/, 'x');
			const text = describeEpisode([], { episode_description: `${words}x` })!;
			expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
			expect(text.includes('…')).toBe(length > 3_997);
		}
	});

	it('cuts the titles of chapters after 100 characters', () => {
		const chapters = [{ start: 0, title: 'x'.repeat(100) }, ...at(20, 40, 60)];
		chapters[1] = { start: 20, title: 'y'.repeat(101) };
		const text = describeEpisode(chapters);
		expect(text).toContain(`00:00 ${'x'.repeat(100)}\n00:20 ${'y'.repeat(99)}…\n`);
	});

	it('does not exist where nothing was summarized', () => {
		expect(episodeDescription(undefined)).toBeUndefined();
		expect(episodeDescription(resultOf({}))).toBeUndefined();
	});
});
