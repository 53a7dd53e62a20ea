import { EDIT_CONFIG_DEFAULTS } from '../../api/contract';
import { CONFIG_GROUPS } from '../../nodes/CreateEdit/configGroups';
import { PRESETS, PRESET_OPTIONS } from '../../nodes/CreateEdit/presets';
import { grouped } from '../support/grouped';
import { useScriptedSubmissions } from '../support/scriptedSubmissions';

jest.mock('../../api/time', () => jest.requireActual('../support/scaledTime'));

const submissions = useScriptedSubmissions();

const OPTIONS = { studio_sound: 'true', fillers: true, transcription: true, export_format: 'mp3' };

const CONFIG = { studio_sound: true, fillers: true, transcription: true, export_format: 'mp3' };

describe('the options of Create Edit', () => {
	it('puts every key of the configuration into one group', () => {
		const keys = CONFIG_GROUPS.flatMap((group) => group.keys);
		expect([...keys].sort()).toEqual(Object.keys(EDIT_CONFIG_DEFAULTS).sort());
	});

	it('sends the options of all groups', async () => {
		const { bodies } = await submissions.create({ preset: 'none', ...grouped(OPTIONS) });
		expect(bodies[0].input.config).toEqual(CONFIG);
	});

	it('sends the options of version 1, which have no groups', async () => {
		const parameters = { preset: 'none', options: OPTIONS };
		const { bodies } = await submissions.create(parameters, undefined, { typeVersion: 1 });
		expect(bodies[0].input.config).toEqual(CONFIG);
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
