import type { INodeParameters } from 'n8n-workflow';

import { FILE, useScriptedSubmissions } from '../support/scriptedSubmissions';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const submissions = useScriptedSubmissions();

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
