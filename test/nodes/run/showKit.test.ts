import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemsOf, startEngine, storeFile } from '../../../testkit/n8n/n8nEngine';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import type { Dialect } from '../../../testkit/service/fake/dialects';
import { FakeService } from '../../../testkit/service/fake/fakeService';
import {
	type SeenRequest,
	startScriptedService,
} from '../../../testkit/service/fake/scriptedService';
import { startSpeaking } from '../../../testkit/service/fake/speaking';
import { systemTime } from '../../../testkit/time/leapingTime';

/*
 * The intro, outro and inserts of a show: files of the item, which are uploaded, or URLs.
 */

beforeAll(startEngine);

type Kit = Readonly<Record<string, unknown>>;

const WAYS: Readonly<Record<string, INodeParameters>> = {
	createEdit: {},
	audioEditing: { recordingFrom: 'url' },
};

const AD = 'https://files.example.com/ad.mp3?signature=secret';

const LINKS: Kit = {
	intro: 'https://files.example.com/intro.mp3',
	inserts: {
		insert: [
			{ file: AD, place: 'seconds', seconds: '90.5' },
			{ file: AD, place: 'chapter', chapter: '2' },
			{ file: AD, place: 'chapter', chapter: 'The end' },
		],
	},
	kit_fade_seconds: 1,
};

interface Setting {
	readonly dialects?: readonly Dialect[];
	readonly items?: readonly INodeExecutionData[];
	readonly more?: INodeParameters;
	/** Answers instead of the service. */
	readonly fault?: (request: SeenRequest) => { status: number } | undefined;
	readonly settings?: object;
}

/** Runs a node with files of a show, on a service that says that it is local, unless a dialect says otherwise. */
async function run(
	type: string,
	kit: Kit,
	{ dialects = [], items = [itemOf(0)], more, fault, settings }: Setting = {},
) {
	const fake = new FakeService(systemTime, { serviceName: 'local' });
	const service = await startScriptedService((request) => fault?.(request) ?? fake.answer(request));
	fake.origin = service.url;
	const speaking = await startSpeaking(dialects, service.url);
	try {
		const parameters = { ...WAYS[type], ...more, introAndOutro: kit } as INodeParameters;
		const ended = await runChain(speaking, chain({ type, parameters, settings }), [...items]);
		const { error } = ended.data.resultData;
		const { seen } = speaking;
		return {
			error,
			out: error ? [] : itemsOf(ended, type),
			uploads: seen.filter(({ method }) => method === 'PUT'),
			locals: seen
				.filter(({ method, path }) => method === 'POST' && path === '/v2/edits')
				.map(({ body }) => (JSON.parse(body) as { input: { local?: Kit } }).input.local),
			posts: seen.filter(({ method }) => method === 'POST').length,
		};
	} finally {
		await speaking.stop();
		await service.stop();
	}
}

function itemOf(index: number, binary?: INodeExecutionData['binary']): INodeExecutionData {
	return { json: { fileUrl: `https://files.example.com/${index}.wav` }, ...(binary && { binary }) };
}

const store = async (name: string) =>
	await storeFile(Buffer.from(`RIFF ${name}`), name, 'audio/wav');

describe.each(Object.keys(WAYS))('%s', (type) => {
	it('sends links with their places', async () => {
		const { error, locals, uploads, out } = await run(type, LINKS);
		expect(error).toBeUndefined();
		expect(uploads).toEqual([]);
		expect(locals).toEqual([
			{
				intro: 'https://files.example.com/intro.mp3',
				inserts: [
					{ url: AD, at_seconds: 90.5 },
					{ url: AD, at_chapter: 2 },
					{ url: AD, at_chapter: 'The end' },
				],
				kit_fade_seconds: 1,
			},
		]);
		expect(JSON.stringify(out)).not.toContain('secret');
	});

	it('uploads a file that several items have once', async () => {
		const [intro, outro] = [await store('intro.wav'), await store('outro.wav')];
		const items = [0, 1, 2, 3].map((index) => itemOf(index, { intro, outro }));
		const kit = { intro: 'intro', outro: 'outro', inserts: { insert: [{ file: 'intro' }] } };
		const { error, locals, uploads } = await run(type, kit, { items });
		expect(error).toBeUndefined();
		expect(uploads.map(({ body }) => body).sort()).toEqual(['RIFF intro.wav', 'RIFF outro.wav']);
		expect(locals).toHaveLength(4);
		const [first] = locals;
		expect(first).toEqual({
			intro: expect.stringMatching(/intro\.wav$/) as string,
			outro: expect.stringMatching(/outro\.wav$/) as string,
			inserts: [{ url: first?.intro, at_seconds: 0 }],
		});
		expect(locals.every((local) => JSON.stringify(local) === JSON.stringify(first))).toBe(true);
	});

	it('submits nothing without a file of the show, and says which one could not be uploaded', async () => {
		const items = [itemOf(0, { intro: await store('intro.wav') })];
		const fault = ({ method }: SeenRequest) => (method === 'PUT' ? { status: 403 } : undefined);
		const { error, locals } = await run(type, { intro: 'intro' }, { items, fault });
		expect(error?.message).toContain("could not upload 'intro.wav'");
		expect(locals).toEqual([]);
	});

	it('does not upload it again when n8n tries again', async () => {
		const items = [itemOf(0, { intro: await store('intro.wav') })];
		let failures = 0;
		const fault = ({ method, path }: SeenRequest) => {
			const isFirst = method === 'POST' && path === '/v2/edits' && failures++ === 0;
			return isFirst ? { status: 402 } : undefined;
		};
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const ended = await run(type, { intro: 'intro' }, { items, fault, settings });
		expect(ended.error).toBeUndefined();
		expect(ended.locals).toHaveLength(2);
		expect(ended.uploads).toHaveLength(1);
	});
});

describe.each(Object.keys(WAYS))('%s sends nothing where it cannot be done', (type) => {
	it.each(['local-ignored', 'local-refused'] as const)('to a service with %s', async (dialect) => {
		const items = [itemOf(0, { intro: await store('intro.wav') })];
		const kit = { ...LINKS, intro: 'intro' };
		const { error, posts, uploads } = await run(type, kit, { items, dialects: [dialect] });
		expect(error?.message).toMatch(/only the local service has .*; this is another service/);
		expect((error as { description?: string }).description).toMatch(
			/Not submitted, and not charged\..*'Intro and Outro \(Local Service\)'/,
		);
		expect([posts, uploads.length]).toEqual([0, 0]);
	});

	it.each<[Kit, INodeParameters, string]>([
		[{ intro: '' }, {}, "'Intro' is empty"],
		[
			{ outro: 'outro' },
			{},
			"'Outro' is neither a URL nor a field of the item with a file: 'outro'",
		],
		[{ intro: 'constructor' }, {}, "'Intro' is neither a URL nor a field"],
		[{ intro: 'https://drive.google.com/file/d/1/view' }, {}, "'Intro' is a link to a web page"],
		[{ inserts: { insert: [{ file: '' }] } }, {}, "'Inserts' is empty"],
		[{ inserts: { insert: [{ file: AD, seconds: 'soon' }] } }, {}, "'Seconds' must be a number"],
		[
			{ inserts: { insert: [{ file: AD, place: 'chapter' }] } },
			{},
			"'Chapter' of an insert is empty",
		],
		[
			{ intro: AD },
			{ configure: 'json', configJson: '{"video": true}' },
			'is for sound, but the picture of this video is kept',
		],
	])('refuses %j', async (kit, more, message) => {
		const { error, posts } = await run(type, kit, { more });
		expect(error?.message).toContain(message);
		expect(posts).toBe(0);
	});
});

it.each([{}, { recordingFrom: 'all' }])(
	'edits the only file that is no intro: %j',
	async (more) => {
		const items = [itemOf(0, { intro: await store('intro.wav'), talk: await store('talk.wav') })];
		const kit = { intro: 'intro' };
		const parameters = { recordingFrom: 'file', ...more };
		const { error, uploads, locals } = await run('audioEditing', kit, { items, more: parameters });
		expect(error).toBeUndefined();
		expect(uploads.map(({ body }) => body)).toEqual(['RIFF talk.wav', 'RIFF intro.wav']);
		expect(locals[0]?.intro).toMatch(/intro\.wav$/);
	},
);

it('refuses a document as an intro, before anything is sent', async () => {
	const pdf = await storeFile(Buffer.from('%PDF-1.4'), 'intro.pdf', 'application/pdf');
	const items = [itemOf(0, { intro: pdf })];
	const { error, posts } = await run('createEdit', { intro: 'intro' }, { items });
	expect(error?.message).toContain("'Intro' is a file that is not audio or video: 'intro.pdf'");
	expect(posts).toBe(0);
});
