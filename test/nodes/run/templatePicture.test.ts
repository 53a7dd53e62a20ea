import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { setUpCreateEdit } from '../../../testkit/n8n/createEdits';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { urlItem, useRecordingService } from '../../../testkit/service/recordingService';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { runOne } from '../../../testkit/service/useService';

useProcessedData();
const service = useRecordingService();
const TEMPLATE = { configure: 'template', templateId: 12 };
const SOUND_ONLY = { ...TEMPLATE, picture: 'soundOnly' };
const CONTINUE = { settings: { onError: 'continueErrorOutput' as const } };

/** Lets the account show a template, or answer otherwise. */
const showing = (settings: IDataObject, more: Answer = {}) => {
	const shown = { id: 12, name: 'Show', upload_type: 'singletrack', settings };
	service.fault = ({ path }) =>
		path.startsWith('/v2/configuration/') ? { body: shown, ...more } : undefined;
};

const urlOf = (name: string) => urlItem(name).json.fileUrl;

/** The requests that read a template. */
const reads = () => service.seen.filter(({ path }) => path.startsWith('/v2/configuration/'));

const nodeWith = (node: string, from: INodeParameters = {}) => ({
	node,
	run: async (names: readonly string[], form: INodeParameters, more = {}) =>
		await runOne(service, node, { ...from, ...form }, names.map(urlItem), more),
});

const NODES = {
	'Audio Editing': nodeWith('audioEditing', { recordingFrom: 'url' }),
	'Create Edit': nodeWith('createEdit'),
};

it('asks for nothing, and refuses nothing, of an edit that was charged before a retry', async () => {
	const fields = { ...TEMPLATE, picture: 'keep' };
	const given = { fields, files: ['https://f.example.com/talk.mp4'], kept: {} };
	const answers = [{ status: 404, body: {} }, { body: { id: 'edit-1' } }];
	const first = setUpCreateEdit({ ...given, answers });
	await first.create();
	expect(first.paths()).toEqual(['/v2/configuration/12', '/v2/edits']);
	const again = setUpCreateEdit(given);
	expect((await again.create())[0].json.editId).toBe('edit-1');
	expect(again.paths()).toEqual([]);
});

describe.each(Object.entries(NODES))('%s', (_name, { node, run }) => {
	it.each<[INodeParameters, IDataObject, string[]]>([
		[TEMPLATE, { video: true }, []],
		[TEMPLATE, { video: true, export_format: 'auto', future: 'mp3' }, []],
		// A video keeps its container, whatever the format says.
		[TEMPLATE, { video: true, export_format: 'wav' }, []],
		[TEMPLATE, { normalize: true }, ['the template does not say whether it edits videos']],
		[TEMPLATE, { video: 'no', export_format: 7 }, ['the template does not say']],
		[SOUND_ONLY, { video: true }, ['but the template edits videos']],
		[SOUND_ONLY, { video: false, export_format: 'mp3' }, []],
		[SOUND_ONLY, {}, []],
	])('%j and a template with %j are charged, with hints', async (form, settings, said) => {
		showing(settings);
		const { error, hints } = await run(['talk.mp4'], form);
		expect(error).toBeUndefined();
		const about = hints.filter((hint) => hint.includes("'Picture'"));
		expect(about).toEqual(said.map((text) => expect.stringContaining(text)));
		expect(about.every((hint) => hint.startsWith("'talk.mp4': a video"))).toBe(true);
		expect(service.charged).toHaveLength(1);
	});

	it.each<[IDataObject, string]>([
		[{ video: false }, 'talk.mp4: the template does not edit videos'],
		[{ export_format: 'mp3' }, "the template makes an audio file ('export_format' is 'mp3')"],
	])('refuses a video for a template with %j before it is charged', async (settings, message) => {
		showing(settings);
		const { error } = await run(['talk.mp3', 'talk.mp4'], TEMPLATE);
		expect(error?.message).toContain(message);
		expect(error?.description).toContain("set 'Picture' to 'Sound Only'");
		expect(service.charged).toEqual([]);
	});

	it('refuses only the videos if the others go on, and reads a template once', async () => {
		showing({ video: false });
		const names = ['a.mp4', 'talk.mp3', 'b.mov'];
		const { error, run: ended } = await run(names, TEMPLATE, CONTINUE);
		expect(error).toBeUndefined();
		expect(service.charged).toHaveLength(1);
		expect(reads()).toHaveLength(1);
		const failed = ended.data.resultData.runData[node][0].data?.main.at(-1) ?? [];
		expect(failed.map(({ json }) => json.fileUrl)).toEqual([urlOf('a.mp4'), urlOf('b.mov')]);
	});

	it.each<[string, Answer]>([
		['has no such endpoint', { status: 404, body: { detail: 'Not Found' } }],
		['refuses to show it', { status: 403, body: { detail: 'Forbidden' } }],
		['shows no settings', { body: { id: 12, name: 'Show', upload_type: 'singletrack' } }],
		['answers with a page', { body: '<html>', headers: { 'Content-Type': 'text/html' } }],
	])('edits a video if the service %s, and says what depends on it', async (_what, answer) => {
		showing({}, answer);
		const { error, hints } = await run(['talk.mp4'], TEMPLATE);
		expect(error).toBeUndefined();
		expect(hints).toContainEqual(expect.stringContaining('does not show whether the template'));
		expect(service.charged).toHaveLength(1);
	});

	it('reads no template for sound, or without one', async () => {
		showing({ video: false });
		await run(['talk.mp3'], TEMPLATE);
		await run(['talk.mp4'], { preset: 'none' });
		expect(reads()).toEqual([]);
		expect(service.charged).toHaveLength(2);
	});
});
