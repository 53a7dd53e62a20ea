import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EDIT_CONFIG_DEFAULTS, editRequestSchema } from '../../../api/contract';
import { CONFIG_FIELDS } from '../../../nodes/core/config/keyGroups';
import { PRESETS } from '../../../nodes/core/config/presets';
import { PRESET_OPTIONS } from '../../../nodes/core/config/presetOptions';
import { FILE, useScriptedSubmissions } from '../../../testkit/service/scriptedSubmissions';

const submissions = useScriptedSubmissions();

/** Creates an edit, and returns the configuration and the files that were sent. */
async function create(parameters: INodeParameters) {
	const created = await submissions.create(parameters);
	const { config, files } = { ...created.bodies[0]?.input };
	return { ...created, config, files };
}

const FULL_EDIT: IDataObject = {
	remove_noise: true,
	normalize: true,
	fillers: true,
	long_silences: true,
	mouth_sounds: true,
	breath: true,
	stutters: true,
};

const TEMPLATE = { configure: 'template', templateId: { __rl: true, mode: 'id', value: '12' } };

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
		const { bodies } = await create({ preset });
		expect(bodies).toEqual([{ input: { files: [FILE], config, upload_type: 'singletrack' } }]);
	});

	it('have every key of the configuration, and every preset', () => {
		const names = CONFIG_FIELDS.map(({ name }) => (name === 'picture' ? 'video' : name));
		const keys = [...names, 'autoeq'];
		expect(keys.sort()).toEqual(Object.keys(EDIT_CONFIG_DEFAULTS).sort());
		expect(PRESET_OPTIONS.map(({ value }) => value).sort()).toEqual(Object.keys(PRESETS).sort());
	});

	it('options override the preset, and words for yes and no become booleans', async () => {
		const options = { breath: 'natural', remove_noise: 'false', fillers: false };
		const { config } = await create({ preset: 'fullEdit', ...options, target_lufs: -18 });
		expect(config).toEqual({ ...FULL_EDIT, ...options, remove_noise: false, target_lufs: -18 });
	});

	it('noise reduction takes what changes the sound, and nothing that cuts or writes', async () => {
		const cuts = 'fillers hesitations long_silences mouth_sounds muted stutters'.split(' ');
		const texts = ['social_content', 'summarize', 'transcription'];
		const on = Object.fromEntries([...cuts, ...texts].map((key) => [key, true]));
		const sound = { merge: false, normalize: true, studio_sound: true, export_format: 'mp3' };
		const options = { jobType: 'noise', breath: 'natural', ...on, ...sound };
		const { config } = await create({ preset: 'fullEdit', ...(options as INodeParameters) });
		expect(config).toEqual(sound);
	});

	it('noise reduction uses its own endpoint, and ignores what it cannot do', async () => {
		const { config } = await create({
			preset: 'fullEdit',
			advanced: { jobType: 'noise' },
			keep_music: true,
			fillers: true,
			transcription: true,
			export_format: 'mp3',
		});
		expect(submissions.service.seen.map(({ path }) => path)).toEqual(['/v2/noise']);
		expect(config).toEqual({ keep_music: true, export_format: 'mp3' });
	});

	it('an empty signed URL is not sent', async () => {
		expect((await create({ preset: 'none', signed_url: '' })).config).toEqual({});
	});

	it.each([' ', '\n', ',', ', ', ' ,\n'])('several URLs may be separated by %j', async (mark) => {
		const urls = ['https://files.example/a,b.wav', 'https://files.example/c.wav'];
		expect((await create({ fileUrls: urls.join(mark) })).files).toEqual(urls);
	});

	it('an empty fileUrls in the item does not hide its fileUrl', async () => {
		for (const fileUrls of [null, '']) {
			const { out } = await submissions.create({}, [{ fileUrls, fileUrl: FILE }]);
			expect(out[0].json.files).toEqual([FILE]);
		}
	});
});

describe('reports impossible settings before any request', () => {
	it.each<[string, INodeParameters, RegExp]>([
		['merge without tracks', { merge: true }, /'Merge Tracks' needs several tracks/],
		[
			'EDL audio without video',
			{ audio_for_edl: true },
			/'Audio for Edit List' works only for a video/,
		],
		['music without noise removal', { keep_music: true, remove_noise: 'false' }, /'Keep Music'/],
		['a target without normalize', { preset: 'none', target_lufs: -16 }, /'Target Loudness/],
		['a target out of range', { target_lufs: -3 }, /'Target Loudness \(LUFS\)'/],
		['an option without a value', { target_lufs: '={{ null }}' }, /'Target Loudness .*' is empty/],
		['an unknown key', { configure: 'json', configJson: '{"filers": true}' }, /filers/],
		[
			'a list as configuration',
			{ configure: 'json', configJson: '[]' },
			/'Options \(JSON\)' cannot be used: [^']+ \[item 0\]$/,
		],
		['broken JSON', { configure: 'json', configJson: '{"a": ' }, /not valid JSON/],
		['no file', { fileUrls: '={{ $json.nothing }}' }, /'File URLs' is empty/],
		['a path', { fileUrls: '/home/me/a.wav' }, /not an http or https URL/],
		['a path, although page links are sent', { fileUrls: 'a.wav', sendPageLinks: true }, /not an/],
		['a template without a number', { ...TEMPLATE, templateId: 'x' }, /whole number/],
		['an unknown preset', { preset: '={{ "Enhance" }}' }, /'Preset' has no option 'Enhance'/],
	])('%s', async (_name, parameters, message) => {
		const { error } = await create(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent.');
		expect(submissions.service.seen).toEqual([]);
	});
});

describe('Loudness For', () => {
	it.each([
		['applePodcasts', -16],
		['spotify', -14],
		['youTube', -14],
		['ebuR128', -23],
		['atscA85', -24],
		['audiobook', -20],
	])('%s sends the target %d and turns the normalization on', async (loudnessFor, target) => {
		const { config } = await create({ preset: 'none', loudnessFor });
		expect(config).toEqual({ normalize: true, target_lufs: target });
		for (const other of [target - 1, target + 1]) {
			const { error } = await create({ preset: 'none', loudnessFor, target_lufs: other });
			expect(error?.message).toContain(`but 'Target Loudness (LUFS)' is ${other}`);
		}
	});

	it('Custom sends the target of the form', async () => {
		const custom = { loudnessFor: 'custom', target_lufs: -18 };
		expect((await create({ preset: 'none', ...custom })).config).toEqual({
			normalize: true,
			target_lufs: -18,
		});
	});

	it.each<[INodeParameters, string]>([
		[
			{ loudnessFor: 'spotify', target_lufs: -18 },
			"'Loudness For' is Spotify (−14 LUFS), but 'Target Loudness (LUFS)' is -18",
		],
		[{ loudnessFor: '={{ "radio" }}' }, "'Loudness For' has no option 'radio'"],
		[{ loudnessFor: 'spotify', normalize: false }, "'Normalize Loudness (Volume)' is off"],
	])('is refused before anything is charged: %j', async (options, message) => {
		const { error, bodies } = await create({ preset: 'none', ...options });
		expect(error?.message).toContain(message);
		expect(bodies).toEqual([]);
	});
});

describe("'Additional Keys (JSON)'", () => {
	const createWith = async (additionalKeys: unknown, more: INodeParameters = {}) =>
		await create({ preset: 'none', additionalKeys: additionalKeys as INodeParameters, ...more });

	it('are sent as they are, with a hint that they were not checked', async () => {
		const keys = { automix: true, trim: { start: 1.5 }, sound_studio: 'x' };
		const sent = { fillers: true, ...keys };
		const { config, hints, out } = await createWith(JSON.stringify(keys), { fillers: true });
		expect(config).toEqual(sent);
		expect(hints).toEqual([expect.stringMatching(/unchecked.*automix, trim, sound_studio/)]);
		expect(out[0].json.config).toEqual(sent);
	});

	it.each<[string, INodeParameters]>([
		['a template', TEMPLATE],
		['JSON', { configure: 'json', configJson: '{"fillers": true}' }],
		['a preset', { preset: 'enhance' }],
	])('go with %s', async (_way, parameters) => {
		const { config } = await createWith('{"automix": true}', parameters);
		expect(config).toMatchObject({ automix: true });
	});

	/* 'muted' is a value that the form does not have for a key that it knows. */
	it.each([{ automix: true }, { trim: 1 }, { waveform_preview: true }, { breath: 'muted' }])(
		'may be what clients of other makers send: %j',
		async (keys) => {
			const { config, hints } = await createWith(JSON.stringify(keys));
			expect(config).toEqual(keys);
			expect(hints).toEqual([expect.stringContaining(Object.keys(keys)[0])]);
			const input = { files: [FILE], config };
			expect(editRequestSchema.safeParse({ input }).success).toBe(true);
		},
	);

	const LOUD = '{"normalize": "loud"}';

	it.each<[string, unknown, INodeParameters, RegExp, RegExp]>([
		['of a field', '{"breath": "muted"}', { breath: 'true' }, /'breath'.*already/, /Remove it/],
		['with a value of a field', '{"fillers": true}', {}, /'fillers'.*field/, /Set it .*field/],
		['of the preset', LOUD, { preset: 'enhance' }, /'normalize'.*already/, /Remove it/],
		['as broken JSON', '{automix}', {}, /not valid JSON/, /double quotes/],
		['as a list', '[1]', {}, /not a JSON object/, /curly/],
		['as a text', '"automix"', {}, /not a JSON object/, /curly/],
	])('are refused before any request: %s', async (_name, keys, more, message, advice) => {
		const { bodies, error } = await createWith(keys, more);
		expect(bodies).toEqual([]);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(advice);
	});

	it.each(['', ' ', '{}', {}])('%j sends nothing more and hints at nothing', async (keys) => {
		expect(await createWith(keys)).toMatchObject({ config: {}, hints: [] });
	});

	it('come as an object from an expression, too', async () => {
		const { config } = await createWith('={{ { automix: $json.fileUrl !== "" } }}');
		expect(config).toEqual({ automix: true });
	});

	it('show no signature of a link in the output', async () => {
		const link = 'https://bucket.example.com/b?X-Amz-Signature=top-secret-1';
		const { config, out } = await createWith(JSON.stringify({ callback: link, more: [link] }));
		expect(config).toMatchObject({ callback: link, more: [link] });
		expect(JSON.stringify(out)).not.toContain('top-secret-1');
		expect(JSON.stringify(out)).toContain('https://bucket.example.com/b');
	});
});

describe('an option that has no effect', () => {
	const TALK = 'https://files.example/talk.mp4';
	const TRACKS = 'https://files.example/a.wav https://files.example/b.wav';
	const hintsOf = async (parameters: INodeParameters) =>
		(await create({ preset: 'none', ...parameters })).hints;

	it.each<[INodeParameters, string]>([
		[{ muted: true }, "'Mute Instead of Cut' has no effect: none of the chosen options cuts"],
		[{ export_timestamps: true }, "'Export Timestamps' will be empty: none of the chosen options"],
		[
			{ merge: true, fileUrls: TRACKS },
			"'Merge Tracks' sounds best with 'Normalize Loudness (Volume)' on",
		],
	])('is sent all the same, and a hint says so: %j', async (parameters, said) => {
		expect(await hintsOf(parameters)).toEqual([expect.stringContaining(said)]);
	});

	it.each<[INodeParameters]>([
		...'fillers hesitations long_silences mouth_sounds stutters'
			.split(' ')
			.map((key): [INodeParameters] => [{ [key]: true, muted: true, export_timestamps: true }]),
		[{ breath: 'natural', muted: true, export_timestamps: true }],
		[{ export_format: 'auto', fileUrls: TALK }],
		[{ merge: true, normalize: true, fileUrls: TRACKS }],
		// A template may cut.
		[{ ...TEMPLATE, muted: true, export_timestamps: true }],
	])('is not what these are: %j', async (parameters) => {
		expect(await hintsOf(parameters)).toEqual([]);
	});
});
