import type { INodeParameters } from 'n8n-workflow';

import type { EditConfig } from '../../../api/contract';
import { useScriptedSubmissions } from '../../../testkit/service/scriptedSubmissions';

const submissions = useScriptedSubmissions();

const TEMPLATE = { configure: 'template', templateId: { __rl: true, mode: 'id', value: '12' } };

describe("'Picture'", () => {
	const json = (text: string) => ({ configure: 'json', configJson: text });

	it.each<[string, INodeParameters, object, string[]]>([
		['My%20talk.MP4?token=x', {}, { video: true }, []],
		['%E0%A4%A.mov', {}, { video: true }, []],
		['talk.mp4', { picture: 'soundOnly' }, { video: false }, []],
		['talk.mp4', { picture: 'soundOnly', export_format: 'mp3' }, { video: false }, []],
		['talk.m4a', {}, {}, []],
		['talk.m4a', { picture: 'soundOnly' }, {}, []],
		['talk', {}, {}, []],
		['talk.mp4', json('{ "video": false }'), { video: false }, []],
		['talk.mp3', json('{ "video": true }'), { video: true }, ["'talk.mp3': an audio file"]],
	])('%s %j sends %j', async (name, form, picture, said) => {
		const fileUrls = `https://files.example/${name}`;
		const { bodies, hints } = await submissions.create({ preset: 'none', fileUrls, ...form });
		const { video }: EditConfig = bodies[0].input.config;
		expect(video === undefined ? {} : { video }).toEqual(picture);
		expect(hints).toEqual(said.map((text) => expect.stringContaining(text)));
	});

	it('is kept of the one video among the tracks of a recording', async () => {
		const fileUrls = 'https://files.example/mic.wav https://files.example/talk.mp4';
		const { bodies } = await submissions.create({ preset: 'none', fileUrls });
		expect(bodies[0].input.config).toEqual({ video: true });
	});

	it.each<[INodeParameters, string]>([
		[{ export_format: 'mp3' }, 'is for audio, but the picture of this video is kept'],
		[{ ...TEMPLATE, export_format: 'wav' }, 'is for audio, but the picture of this video is kept'],
		[json('{ "video": true, "export_format": "mp3" }'), 'the picture of this video is kept'],
		[json('{}'), "is a video, but 'Options (JSON)' does not say what happens to its picture"],
		[{ picture: 'soundOnly', audio_for_edl: true }, "'Audio for Edit List' works only for a video"],
	])('%j is refused for a video before anything is charged', async (form, message) => {
		const fileUrls = 'https://files.example/talk.mp4';
		const { error, bodies } = await submissions.create({ preset: 'none', fileUrls, ...form });
		expect(error?.message).toContain(message);
		expect(bodies).toEqual([]);
	});
});
