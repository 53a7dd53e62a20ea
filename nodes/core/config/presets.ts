import type { EditConfig } from '../../../api/contract';
import { CONFIG_KEYS } from './configKeys';
import { PRESET_OPTIONS, type PresetName } from './presetOptions';

/** The configuration keys of each preset: the package's own first, then those of api.md#presets. */
export const PRESETS = Object.fromEntries(
	PRESET_OPTIONS.map(({ value }) => [value, configOf(value)]),
) as Readonly<Record<PresetName, EditConfig>>;

function configOf(preset: PresetName): EditConfig {
	const keys = Object.entries(CONFIG_KEYS).filter(([, { presets = [] }]) =>
		presets.includes(preset),
	);
	return Object.fromEntries(keys.map(([key]) => [key, true]));
}
