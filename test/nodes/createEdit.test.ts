import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { FILE, useScriptedSubmissions } from '../support/scriptedSubmissions';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const submissions = useScriptedSubmissions();

const FULL_EDIT: IDataObject = {
	remove_noise: true,
	normalize: true,
	fillers: true,
	long_silences: true,
	mouth_sounds: true,
	breath: true,
	stutters: true,
};

describe('presets and options', () => {
	it.each<[string, IDataObject]>([
		['enhance', { remove_noise: true, normalize: true }],
		['studioPolish', { remove_noise: true, normalize: true, studio_sound: true }],
		['fullEdit', FULL_EDIT],
		['transcriptOnly', { transcription: true }],
		['fullAnalysis', { transcription: true, summarize: true, social_content: true }],
		['none', {}],
		['podcastEpisode', { ...FULL_EDIT, transcription: true, summarize: true }],
	])('%s sends its keys', async (preset, config) => {
		const { bodies } = await submissions.create({ preset });
		expect(bodies).toEqual([{ input: { files: [FILE], config, upload_type: 'singletrack' } }]);
	});

	it('options override the preset, and words for yes and no become booleans', async () => {
		const { bodies } = await submissions.create({
			preset: 'fullEdit',
			breath: 'natural',
			remove_noise: 'false',
			fillers: false,
			target_lufs: -18,
		});
		expect(bodies[0].input.config).toEqual({
			breath: 'natural',
			remove_noise: false,
			fillers: false,
			target_lufs: -18,
			normalize: true,
			long_silences: true,
			mouth_sounds: true,
			stutters: true,
		});
	});

	it('JSON is sent as it is', async () => {
		const { bodies } = await submissions.create({
			configure: 'json',
			configJson: '{"fillers": true}',
		});
		expect(bodies[0].input.config).toEqual({ fillers: true });
	});

	it('noise reduction uses its own endpoint, and ignores what it cannot do', async () => {
		const { bodies } = await submissions.create({
			preset: 'fullEdit',
			keep_music: true,
			fillers: true,
			transcription: true,
			export_format: 'mp3',
			options: { jobType: 'noise' },
		});
		expect(submissions.service.seen.map(({ path }) => path)).toEqual(['/v2/noise']);
		expect(bodies[0].input.config).toEqual({ keep_music: true, export_format: 'mp3' });
	});

	it('a template may normalize, so merging under one needs no advice', async () => {
		const templateId = { __rl: true, mode: 'id', value: '12' };
		const { run } = await submissions.create({
			configure: 'template',
			templateId,
			fileUrls: `${FILE} ${FILE}?track=2`,
			merge: true,
		});
		expect(run.data.resultData.error).toBeUndefined();
		expect(run.data.resultData.runData.createEdit[0].hints ?? []).toEqual([]);
	});

	it('the edit names its template', async () => {
		const templateId = { __rl: true, mode: 'id', value: '12' };
		const { bodies, out } = await submissions.create({ configure: 'template', templateId });
		expect(bodies[0].input).toMatchObject({ template_id: 12, config: {} });
		expect(out[0].json.templateId).toBe(12);
	});
});

describe('tracks', () => {
	it('several URLs in one item are tracks of one recording', async () => {
		const fileUrls = `${FILE}\nhttps://files.example.com/b.wav`;
		const { bodies } = await submissions.create({ fileUrls, merge: true });
		expect(bodies[0].input).toMatchObject({
			files: [FILE, 'https://files.example.com/b.wav'],
			upload_type: 'multitrack',
		});
	});

	it('an empty fileUrls in the item does not hide its fileUrl', async () => {
		for (const fileUrls of [null, '']) {
			const { out } = await submissions.create({}, [{ fileUrls, fileUrl: FILE }]);
			expect(out[0].json.files).toEqual([FILE]);
		}
	});
});

describe("a file that does not fit 'Video'", () => {
	it.each([
		['https://files.example/My%20talk.MP4?token=x', {}, ["'My talk.MP4': a video"]],
		['https://files.example/%E0%A4%A.mov', {}, ["'%E0%A4%A.mov': a video"]],
		['https://files.example/talk.mp4', { video: true }, []],
		['https://files.example/talk.m4a', {}, []],
		['https://files.example/talk.m4a', { video: true }, ["'talk.m4a': an audio file"]],
		['https://files.example/talk', { video: true }, []],
	])('%s %j: is pointed out', async (fileUrls, options, expected) => {
		const { run } = await submissions.create({ fileUrls, ...options });
		const hints = run.data.resultData.runData.createEdit[0].hints ?? [];
		const messages = hints.map(({ message }) => message);
		expect(messages).toEqual(expected.map((text) => expect.stringContaining(text)));
	});
});

describe('reports impossible settings before any request', () => {
	it.each<[string, INodeParameters, RegExp]>([
		['merge without tracks', { merge: true }, /'Merge Tracks' needs several tracks/],
		['EDL audio without video', { audio_for_edl: true }, /'Audio for EDL' works only for video/],
		['music without noise removal', { keep_music: true, remove_noise: 'false' }, /'Keep Music'/],
		[
			'a target without normalize',
			{ preset: 'none', target_lufs: -16 },
			/'Target Loudness \(LUFS\)'/,
		],
		['a target out of range', { target_lufs: -3 }, /'Target Loudness \(LUFS\)'/],
		['an unknown key', { configure: 'json', configJson: '{"filers": true}' }, /filers/],
		['a list as configuration', { configure: 'json', configJson: '[]' }, /Options \(JSON\)/],
		['broken JSON', { configure: 'json', configJson: '{"a": ' }, /not valid JSON/],
		['no file', { fileUrls: '={{ $json.nothing }}' }, /'File URLs' is empty/],
		['a path', { fileUrls: '/home/me/a.wav' }, /not an http or https URL/],
		[
			'a template that is not a number',
			{ configure: 'template', templateId: { __rl: true, mode: 'id', value: '={{ "x" }}' } },
			/whole number/,
		],
		['an unknown preset', { preset: '={{ "Enhance" }}' }, /'Preset' has no option 'Enhance'/],
	])('%s', async (_name, parameters, message) => {
		const { error } = await submissions.create(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent.');
		expect(submissions.service.seen).toEqual([]);
	});
});
