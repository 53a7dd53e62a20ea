import type { INodeParameters } from 'n8n-workflow';

import { fullResult } from '../../../testkit/service/fullResult';
import { useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import { resultsFrom, speakers } from './results';

const edits = useScriptedEdits();
const getResult = resultsFrom(edits);

/** A result with other labels for its two speakers. */
function labeled(first: string, second: string) {
	const result = fullResult(edits.service.url);
	const turns = result.transcription.transcription.paragraphs;
	turns[0].speaker = first;
	turns[1].speaker = second;
	return result;
}

const SPOKEN = ['transcriptText', 'subtitlesVtt', 'transcriptJson'];

const options = { speakersFromTracks: true };

describe('the names of the speakers', () => {
	it('replace the labels in every output', async () => {
		const options = speakers(['speaker 1', 'Anna & Co'], ['Speaker 2', 'Björn']);
		const { formats, hints } = await getResult(SPOKEN, options);
		expect(formats.transcriptText).toMatch(/^Anna & Co: Welcome .*\n\nBjörn: Thank you!/);
		expect(formats.subtitlesVtt).toContain('<v Anna &amp; Co>Welcome');
		expect(formats.subtitlesVtt).toContain('<v Björn>Thank you!');
		expect(formats.transcriptJson).toMatchObject({
			version: '1.0.0',
			segments: expect.arrayContaining([
				{ speaker: 'Björn', startTime: 12, endTime: expect.any(Number), body: expect.any(String) },
			]),
		});
		expect(JSON.stringify(formats)).not.toContain('Speaker');
		expect(hints).toEqual([]);
	});

	it('stay as they are where a label is unknown, which a hint says', async () => {
		const { formats, hints } = await getResult(SPOKEN, speakers(['SPEAKER_07', 'X']));
		expect(formats.transcriptText).toContain('Speaker 1: ');
		expect(hints).toEqual([
			"edit a: the transcript has no speaker 'SPEAKER_07'. It has Speaker 1, Speaker 2. Correct 'Label' under 'Speakers'.",
		]);
	});
});

describe('names in the form', () => {
	it('leave the label of a speaker who has none', async () => {
		const options = speakers(['Speaker 2', 'Björn']);
		const { formats } = await getResult(SPOKEN, options);
		expect(formats.subtitlesVtt).toContain('<v Speaker 1>Welcome');
		expect(formats.subtitlesVtt).toContain('<v Björn>Thank you!');
	});

	it('are listed in order where a label is unknown, whoever speaks first', async () => {
		const options = speakers(['Anna', 'X']);
		const { hints } = await getResult(SPOKEN, options, labeled('Speaker 2', 'Speaker 1'));
		expect(hints.join()).toContain('It has Speaker 1, Speaker 2. ');
	});

	it('are ignored without a name, and without a transcript', async () => {
		const options = speakers(['Speaker 1', ' ', 'host'], ['', 'Zoe']);
		const { formats, hints } = await getResult([...SPOKEN, 'feedItem'], options);
		expect(formats.subtitlesVtt).toContain('<v Speaker 1>Welcome');
		expect(formats.feedItem).not.toContain('podcast:person');
		expect(hints.join()).not.toContain('no speaker');
		const named = speakers(['Speaker 9', 'Anna']);
		const silent = { ...fullResult(edits.service.url), transcription: null };
		expect((await getResult([], named, silent)).hints.join()).not.toContain('no speaker');
	});

	it('that the form gives take precedence over those of the tracks', async () => {
		const named = { ...speakers(['speaker_00', 'Dr. Ada']), speakersFromTracks: true };
		const result = labeled('SPEAKER_00', 'SPEAKER_01');
		const files = ['anna.wav', 'ben.wav'];
		const { formats } = await getResult(['subtitlesVtt'], named, result, files);
		expect(formats.subtitlesVtt).toContain('<v Dr. Ada>Welcome');
		expect(formats.subtitlesVtt).toContain('<v ben>Thank you!');
	});

	it.each([
		['labels from 0', 'SPEAKER_00', 'SPEAKER_01', ['anna.wav', 'b, j.flac'], ['anna', 'b, j']],
		['labels from 1', 'Speaker 1', 'Speaker 2', ['anna.wav', 'ben.wav'], ['anna', 'ben']],
		['a silent first track', 'SPEAKER_01', 'SPEAKER_02', ['a.wav', 'b.wav', 'c.wav'], ['b', 'c']],
		['too few files', 'SPEAKER_00', 'SPEAKER_01', ['mix.wav'], ['SPEAKER_00', 'SPEAKER_01']],
	])('come from the tracks: %s', async (_case, first, second, files, [one, other]) => {
		const result = labeled(first, second);
		const { formats } = await getResult(['subtitlesVtt'], options, result, files);
		expect(formats.subtitlesVtt).toContain(`<v ${one}>Welcome`);
		expect(formats.subtitlesVtt).toContain(`<v ${other}>Thank you!`);
	});
});

describe('the names of speakers whose tracks the service says', () => {
	/** The result of a service that says which track each speaker is on. */
	const stated = (...tracks: Array<number | undefined>) => {
		const result = labeled('SPEAKER_00', 'SPEAKER_01');
		const { paragraphs } = result.transcription.transcription;
		const said = paragraphs.map((turn, index) => ({ ...turn, track: tracks[index] }));
		return {
			...result,
			transcription: {
				...result.transcription,
				transcription: { ...result.transcription.transcription, paragraphs: said },
			},
		};
	};

	it.each<[string, Array<number | undefined>, INodeParameters, [string, string]]>([
		['without being asked', [1, 0], {}, ['ben', 'anna']],
		[
			'not if the form says no',
			[1, 0],
			{ speakersFromTracks: false },
			['SPEAKER_00', 'SPEAKER_01'],
		],
		['only if all are known', [1, undefined], {}, ['SPEAKER_00', 'SPEAKER_01']],
		['only if there are such tracks', [1, 2], {}, ['SPEAKER_00', 'SPEAKER_01']],
	])(
		'come from the tracks that the service says: %s',
		async (_when, tracks, form, [one, other]) => {
			const files = ['anna.wav', 'ben.wav'];
			const { formats } = await getResult(['subtitlesVtt'], form, stated(...tracks), files);
			expect(formats.subtitlesVtt).toContain(`<v ${one}>Welcome`);
			expect(formats.subtitlesVtt).toContain(`<v ${other}>Thank you!`);
		},
	);
});

describe('a transcript of one voice', () => {
	const oneVoice = () => labeled('SPEAKER_00', 'SPEAKER_00');

	it('has no label', async () => {
		const { formats } = await getResult(SPOKEN, options, oneVoice(), ['a.wav', 'b.wav']);
		expect(formats.transcriptText).toMatch(/^Welcome/);
		expect(JSON.stringify(formats)).not.toContain('SPEAKER_00');
	});

	it('has a name that the form gives', async () => {
		const { formats } = await getResult(SPOKEN, speakers(['SPEAKER_00', 'Ada']), oneVoice());
		expect(formats.transcriptText).toMatch(/^Ada: Welcome/);
	});
});
