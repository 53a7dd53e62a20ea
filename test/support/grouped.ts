import type { INodeParameters } from 'n8n-workflow';

import type { EditConfigKey } from '../../api/contract';
import { CONFIG_GROUPS } from '../../nodes/CreateEdit/config/configGroups';
import { PURPOSES } from '../../nodes/GetResult/texts/formatFields';

/** Returns options of Create Edit in the groups of its form. */
export function grouped(
	options: Partial<Record<EditConfigKey, INodeParameters[string]>>,
): INodeParameters {
	const entries = Object.entries(options);
	const groups = CONFIG_GROUPS.map(({ name, keys }): [string, INodeParameters] => {
		const own = entries.filter(([key]) => (keys as readonly string[]).includes(key));
		return [name, Object.fromEntries(own)];
	});
	return Object.fromEntries(groups.filter(([, own]) => Object.keys(own).length > 0));
}

/** Returns outputs of Get Result by their purposes, as its form has them. */
export function groupedFormats(names: readonly string[]): INodeParameters {
	const chosen = PURPOSES.map(({ value, formats }): [string, string[]] => [
		String(value),
		formats.filter((format) => names.includes(format)),
	]).filter(([, formats]) => formats.length > 0);
	return { alsoReturn: chosen.map(([value]) => value), ...Object.fromEntries(chosen) };
}
