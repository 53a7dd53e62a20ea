import { fullResult } from '../support/fullResult';
import { groupedFormats } from '../support/grouped';
import { encodedSound, probed } from '../support/mediaFiles';
import { readFile } from '../support/n8nEngine';
import { status, useScriptedEdits } from '../support/scriptedEdits';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const edits = useScriptedEdits();

/** Two sentences of 20 s, each of another speaker. */
function twoSentences() {
	const words = Array.from({ length: 40 }, (_word, index) => ({
		id: index,
		start: index,
		end: index + 0.9,
		text: index % 20 === 19 ? `word${index}.` : `word${index}`,
	}));
	const paragraphs = ['Speaker 1', 'Speaker 2'].map((speaker, index) => ({
		...{ id: index, speaker },
		...{ start: index * 20, end: index * 20 + 19.9 },
	}));
	return { paragraphs: [], transcription: { words, paragraphs } };
}

it.each([
	['each speaker', ['Anna', 'Björn'], 20],
	['a speaker with two labels', ['Anna', 'Anna'], 40],
])(
	'the feed item has the size of the tagged file and the soundbites that are cut, of %s',
	async (_title, names, seconds) => {
		const sound = encodedSound(60, ['-b:a', '64k'], 'mp3');
		const result = { ...fullResult(edits.service.url), transcription: twoSentences() };
		edits.script = {
			'/v2/edits/a': [status('a', 'SUCCESS', result)],
			'/download/full': [{ body: sound, headers: { 'Content-Type': 'audio/mpeg' } }],
		};
		const speaker = names.map((name, index) => ({ label: `Speaker ${index + 1}`, name }));
		const { out, error } = await edits.run('getResult', ['a'], {
			...groupedFormats(['feedItem', 'soundbites']),
			feedItem: { audioUrl: 'https://cdn.example.com/12.mp3' },
			writeTags: { title: 'Bread' },
			options: { cutSoundbites: true, speakers: { speaker } },
		});
		expect(error).toBeUndefined();
		const { binary = {}, json } = out[0];
		const { feedItem, soundbites } = json.formats as {
			feedItem: string;
			soundbites: Array<{ startSeconds: number; durationSeconds: number; title: string }>;
		};
		const file = await readFile(binary.data);
		expect(file.length).toBeGreaterThan(sound.length);
		expect(feedItem).toContain(`length="${file.length}"`);
		expect(Object.keys(binary)).toEqual(['data', 'soundbite1']);
		expect(soundbites).toHaveLength(1);
		const [{ startSeconds, durationSeconds, title }] = soundbites;
		expect(Math.abs(durationSeconds - seconds)).toBeLessThan(1);
		expect(feedItem).toContain(
			`<podcast:soundbite startTime="${startSeconds}" duration="${durationSeconds}">`,
		);
		const { format } = probed(await readFile(binary.soundbite1), 'a.mp3');
		expect(Math.abs(Number(format.duration) - durationSeconds)).toBeLessThan(0.2);
		expect(format.tags).toMatchObject({ title });
	},
);
