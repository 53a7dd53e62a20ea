import type { INodeParameters } from 'n8n-workflow';

import { EDIT_CONFIG_DEFAULTS } from '../../api/contract';
import { CONFIG_FIELDS } from '../../nodes/CreateEdit/config/configFields';
import { PRESETS, PRESET_OPTIONS } from '../../nodes/CreateEdit/config/presets';
import { useScriptedSubmissions } from '../support/scriptedSubmissions';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const submissions = useScriptedSubmissions();

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
