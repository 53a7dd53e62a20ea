import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { EDIT_CONFIG_DEFAULTS } from '../../../api/contract';
import { CONFIG_FIELDS } from '../../../nodes/CreateEdit/config/configFields';
import { PRESET_OPTIONS, PRESETS } from '../../../nodes/CreateEdit/config/presets';
import { FILE, useScriptedSubmissions } from '../../support/scriptedSubmissions';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

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

const OPTIONS = { studio_sound: 'true', fillers: true, transcription: true, export_format: 'mp3' };

const CONFIG = { studio_sound: true, fillers: true, transcription: true, export_format: 'mp3' };

describe('the options of Create Edit', () => {
	it('have every key of the configuration', () => {
		const keys = CONFIG_FIELDS.map(({ name }) => name);
		expect(keys.sort()).toEqual(Object.keys(EDIT_CONFIG_DEFAULTS).sort());
	});

	it('are sent', async () => {
		const { bodies } = await submissions.create({ preset: 'none', ...OPTIONS });
		expect(bodies[0].input.config).toEqual(CONFIG);
	});
});

describe('Loudness For', () => {
	const create = async (options: INodeParameters) =>
		await submissions.create({ preset: 'none', options });

	it.each([
		['applePodcasts', -16],
		['spotify', -14],
		['youTube', -14],
		['ebuR128', -23],
		['atscA85', -24],
		['audiobook', -20],
	])('%s sends the target %d and turns the normalization on', async (loudnessFor, target) => {
		const { bodies } = await create({ loudnessFor });
		expect(bodies[0].input.config).toEqual({ normalize: true, target_lufs: target });
	});

	it('Custom sends the target of the form', async () => {
		const { bodies } = await create({ loudnessFor: 'custom', target_lufs: -18 });
		expect(bodies[0].input.config).toEqual({ normalize: true, target_lufs: -18 });
	});

	it.each<[INodeParameters, string]>([
		[
			{ loudnessFor: 'spotify', target_lufs: -18 },
			"'Loudness For' is Spotify (−14 LUFS), but 'Target Loudness (LUFS)' is -18",
		],
		[{ loudnessFor: '={{ "radio" }}' }, "'Loudness For' has no option 'radio'"],
		[{ loudnessFor: 'spotify', normalize: false }, "'Normalize Loudness' is off"],
	])('is refused before anything is charged: %j', async (options, message) => {
		const { error, bodies } = await create(options);
		expect(error?.message).toContain(message);
		expect(bodies).toEqual([]);
	});
});

describe('the list of presets', () => {
	it('begins with Podcast Episode', () => {
		expect(PRESET_OPTIONS[0].name).toBe('Podcast Episode');
	});

	it('offers every preset', () => {
		expect(PRESET_OPTIONS.map(({ value }) => value).sort()).toEqual(Object.keys(PRESETS).sort());
	});
});

async function createWith(additionalKeys: unknown, more: INodeParameters = {}) {
	const special = { additionalKeys } as INodeParameters;
	const { bodies, error, out, run } = await submissions.create({
		preset: 'none',
		...special,
		...more,
	});
	const hints = run.data.resultData.runData.createEdit?.[0].hints ?? [];
	const config = bodies[0]?.input.config;
	return { config, error, out: out[0]?.json, hints: hints.map(({ message }) => message) };
}

describe("'Additional Keys (JSON)'", () => {
	it('are sent as they are, with a hint that they were not checked', async () => {
		const keys = { automix: true, trim: { start: 1.5 }, sound_studio: 'x' };
		const { config, hints, out } = await createWith(JSON.stringify(keys), { fillers: true });
		expect(config).toEqual({ fillers: true, ...keys });
		expect(hints).toEqual([expect.stringMatching(/unchecked.*automix, trim, sound_studio/)]);
		expect(out?.config).toEqual({ fillers: true, ...keys });
	});

	it.each<[string, INodeParameters]>([
		['a template', { configure: 'template', templateId: { __rl: true, mode: 'id', value: '12' } }],
		['JSON', { configure: 'json', configJson: '{"fillers": true}' }],
		['a preset', { preset: 'enhance' }],
	])('go with %s', async (_way, parameters) => {
		const { config, error } = await createWith('{"automix": true}', parameters);
		expect(error).toBeUndefined();
		expect(config).toMatchObject({ automix: true });
	});

	it('may give a known key a value that the form does not have', async () => {
		const { config, hints } = await createWith('{"breath": "muted"}');
		expect(config).toEqual({ breath: 'muted' });
		expect(hints).toEqual([expect.stringContaining('breath')]);
	});

	it.each<[string, unknown, INodeParameters, RegExp, RegExp]>([
		[
			'a key that a field sets',
			'{"breath": "muted"}',
			{ breath: 'true' },
			/'breath'.*already/,
			/Remove it/,
		],
		['a value that a field has', '{"fillers": true}', {}, /'fillers'.*field/, /Set it .*field/],
		[
			'a key of the preset',
			'{"normalize": "loud"}',
			{ preset: 'enhance' },
			/'normalize'.*already/,
			/Remove it/,
		],
		['broken JSON', '{automix}', {}, /not valid JSON/, /double quotes/],
		['a list', '[1]', {}, /not a JSON object/, /curly/],
		['a text', '"automix"', {}, /not a JSON object/, /curly/],
	])('are refused before any request: %s', async (_name, keys, more, message, advice) => {
		const { config, error } = await createWith(keys, more);
		expect(config).toBeUndefined();
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(advice);
	});

	it.each(['', ' ', '{}', {}])('%j sends nothing more and hints at nothing', async (keys) => {
		const { config, hints } = await createWith(keys);
		expect(config).toEqual({});
		expect(hints).toEqual([]);
	});

	it('come as an object from an expression, too', async () => {
		expect((await createWith('={{ { automix: $json.fileUrl !== "" } }}')).config).toEqual({
			automix: true,
		});
	});

	it('show no signature of a link in the output', async () => {
		const link = 'https://bucket.example.com/b?X-Amz-Signature=top-secret-1';
		const { config, out } = await createWith(JSON.stringify({ callback: link, more: [link] }));
		expect(config).toMatchObject({ callback: link, more: [link] });
		expect(JSON.stringify(out)).not.toContain('top-secret-1');
		expect(JSON.stringify(out)).toContain('https://bucket.example.com/b');
	});
});

describe("'Send Page Links Anyway'", () => {
	const PAGE = 'https://www.youtube.com/watch?v=ab';

	it('sends a link to a page, with a hint', async () => {
		const parameters = { fileUrls: `${PAGE} ${FILE}`, sendPageLinks: true };
		const { bodies, error, run } = await submissions.create(parameters);
		expect(error).toBeUndefined();
		expect(bodies[0].input.files).toEqual([PAGE, FILE]);
		const hints = run.data.resultData.runData.createEdit[0].hints ?? [];
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/web page.*sent anyway/),
		]);
	});

	it.each([{}, { sendPageLinks: false }])(
		'refuses it with %j, and names the option',
		async (parameters) => {
			const { bodies, error } = await submissions.create({ fileUrls: PAGE, ...parameters });
			expect(bodies).toEqual([]);
			expect(error?.message).toMatch(/contains a link to a web page/);
			expect(error?.description).toMatch(/'Send Page Links Anyway'/);
		},
	);

	it('leaves what is no link refused', async () => {
		const parameters = { fileUrls: 'talk.wav', sendPageLinks: true };
		expect((await submissions.create(parameters)).error?.message).toMatch(/not an http/);
	});
});
