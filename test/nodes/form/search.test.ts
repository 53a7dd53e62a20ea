import {
	NodeSearchEngine,
	NodeTypeParser,
	searchCodeBuilderNodes,
} from '@n8n/ai-utilities/node-catalog';
import { SEARCHED_NODES, searchPanel } from '../../../testkit/n8n/panelSearch';

type Descriptions = ConstructorParameters<typeof NodeTypeParser>[0];

/** Our nodes as n8n's AI workflow builder reads them: from the list of node types, which is JSON. */
const DESCRIPTIONS = JSON.parse(JSON.stringify(SEARCHED_NODES)) as Descriptions;

describe("n8n's AI workflow builder", () => {
	const engine = new NodeSearchEngine(DESCRIPTIONS);

	const WORDS =
		'clean audio, remove noise, filler words, um, podcast, transcribe, loudness, subtitle, edit audio, audio editing, mastering';

	it.each(WORDS.split(', '))('finds the one node first for "%s"', (words) => {
		expect(engine.searchByName(words)[0].displayName).toBe('Audio Editing');
	});

	it.each([
		['upload audio', 'Audio Editing Upload'],
		['wait for edit', 'Audio Editing Wait For Edit'],
		['show notes', 'Audio Editing'],
		['delete edit', 'Audio Editing Delete'],
		['credit', 'Audio Editing Account'],
		['edit finished trigger', 'Audio Editing Edit Finished Trigger'],
	])('finds the node for "%s"', (words, displayName) => {
		expect(engine.searchByName(words)[0].displayName).toBe(displayName);
	});

	it('reads when to use the one node, and which nodes belong together', () => {
		const parser = new NodeTypeParser(DESCRIPTIONS);
		const { results } = searchCodeBuilderNodes(parser, ['clean audio', 'submit edit']);
		expect(results).toMatch(/This node alone turns a recording into an edited file/);
		expect(results).toMatch(/@relatedNodes\s+- n8n-nodes-audio-editing\.audioEditing: "Does all/);
	});

	it('finds every related node', () => {
		const related = DESCRIPTIONS.flatMap(({ builderHint }) => builderHint?.relatedNodes ?? []);
		expect(related.length).toBeGreaterThan(5);
		for (const { nodeType } of related)
			expect(SEARCHED_NODES.map(({ name }) => name)).toContain(nodeType);
	});
});

/** What people type who want a recording edited. */
const WORDS = `audio, edit, editing, editor, edit audio, audio editor, podcast editing, podcast editor, sound editing,
	trim, shorten, cut, pauses, silence, dead air, breaths, stutter, ums, um, filler words, clicks, mouth sounds, merge,
	mix, tracks, two speakers, interview, speech to text, transcribe, transcript, subtitles, voice memo, voice, louder,
	loudness, lufs, vocal, vocals, microphone, mic, sound, sound quality, noise, noise reduction, denoise, background noise,
	reverb, de-ess, noise gate, lecture, audiobook, music, speech, mastering, mp3, m4a, wav, flac, video, mp4, podcast`;

const VERBS = ['edit', 'trim', 'cut', 'shorten', 'clean', 'enhance', 'merge', 'mix', 'transcribe'];

const OBJECTS = ['audio', 'podcast', 'voice', 'recording', 'interview'];

const BOTH_ORDERS = VERBS.flatMap((verb) =>
	OBJECTS.flatMap((object) => [`${verb} ${object}`, `${object} ${verb}`]),
);

describe("n8n's node panel", () => {
	it.each([...WORDS.split(/,\s+/), ...BOTH_ORDERS])(
		'finds the one node first for "%s"',
		(words) => {
			expect(searchPanel(words)[0]).toBe('Audio Editing');
		},
	);

	it.each([
		['Upload', ['upload', 'upload audio', 'audio upload']],
		['Create Edit', ['create edit', 'submit edit']],
		['Wait For Edit', ['wait', 'wait for edit', 'edit status']],
		['Get Result', ['download']],
		['Delete', ['delete', 'delete audio', 'audio delete']],
		['Account', ['credit', 'template']],
		['Edit Finished Trigger', ['edit finished']],
	])('finds %s first for each of %j', (step, searches) => {
		const found = searches.map((words) => searchPanel(words)[0]);
		expect(found).toEqual(searches.map(() => `Audio Editing ${step}`));
	});
});
