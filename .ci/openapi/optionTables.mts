import { EDIT_CONFIG_DEFAULTS, type EditConfigKey } from '../../api/contract/config.ts';
import { LOCAL_DEFAULTS, localSettingsSchema } from '../../api/contract/localSettings.ts';
import { CONFIG_KEYS } from '../../nodes/core/config/configKeys.ts';
import { KEYS } from '../../nodes/core/config/keyGroups.ts';
import { LOCAL_KEY_NAMES, LOCAL_KEYS } from '../../nodes/core/config/localKeys.ts';
import { PRESET_OPTIONS } from '../../nodes/core/config/presetOptions.ts';
import { PRESETS } from '../../nodes/core/config/presets.ts';

/** The page with a table of the keys of each group, and of the presets. */
export const OPTIONS_PAGE = 'docs/options.md';

/** A table, between the comments that say which one it is. */
const TABLE = /(<!-- rows: (\w+) -->\n)[^]*?(<!-- end -->)/g;

/** Returns the page with its tables as the rows of the keys give them. */
export function withOptionTables(page: string): string {
	return page.replace(TABLE, (_, start: string, name: string, end: string) => {
		const rows = rowsOf(name);
		const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
		return `${start}\n${lines.join('\n')}\n\n${end}`;
	});
}

function rowsOf(name: string): string[][] {
	if (name === 'presets') return presetRows();
	return name === 'local' ? localRows() : keyRows(name);
}

/** The keys of `input.local`, with their ranges. */
function localRows(): string[][] {
	const rows = LOCAL_KEY_NAMES.map((key) => {
		const { field } = LOCAL_KEYS[key];
		const { minValue: min, maxValue: max } = field.typeOptions ?? {};
		const range = min === undefined ? 'on or off' : `${min} to ${max}`;
		const usual = LOCAL_DEFAULTS[key];
		const unset = typeof usual === 'number' ? String(usual) : usual ? 'on' : 'off';
		const { description = '' } = localSettingsSchema.shape[key];
		return [field.displayName, `\`${key}\``, description, range, unset].map((text) =>
			text.replaceAll(/(^|\s)-(?=\d)/g, '$1−'),
		);
	});
	rows.sort(([one], [other]) => one.localeCompare(other));
	const heads = ['Option', 'Key', 'What it does', 'Range', 'If not set'];
	return [heads, heads.map(() => '---'), ...rows];
}

function presetRows(): string[][] {
	const rows = PRESET_OPTIONS.map(({ name, value }) => {
		const keys = Object.keys(PRESETS[value]).map((key) => `\`${key}\``);
		return [name, keys.join(', ') || 'none'];
	});
	return [['Preset', 'Keys it switches on'], ['---', '---'], ...rows];
}

function keyRows(group: string): string[][] {
	const keys = KEYS.filter((key) => CONFIG_KEYS[key].group === group);
	if (keys.length === 0) throw new Error(`No key is in the group ${group}`);
	const rows = keys.map((key) => {
		return [labelOf(key), `\`${key}\``, effectOf(key), unsetValue(key)];
	});
	rows.sort(([one], [other]) => one.localeCompare(other));
	return [['Option', 'Key', 'What it does', 'If not set'], ['---', '---', '---', '---'], ...rows];
}

function labelOf(key: EditConfigKey): string {
	return CONFIG_KEYS[key].field?.displayName ?? '';
}

/** What a key does, and the option without which it does nothing. A main field is no option: the meaning says it. */
function effectOf(key: EditConfigKey): string {
	const { meaning, requires } = CONFIG_KEYS[key];
	const isOption = requires && CONFIG_KEYS[requires.key].group !== undefined;
	return isOption ? `${meaning}; needs ${labelOf(requires.key)}` : meaning;
}

/** What an edit does without a key, in the words of its field. */
function unsetValue(key: EditConfigKey): string {
	const { field } = CONFIG_KEYS[key];
	const value = EDIT_CONFIG_DEFAULTS[key];
	const number = typeof value === 'number' ? value : field?.default;
	if (typeof number === 'number') return String(number).replace('-', '−');
	const option = field?.options?.find((one) => 'value' in one && one.value === String(value));
	if (option !== undefined) return option.name;
	return value === false ? 'off' : 'empty';
}
