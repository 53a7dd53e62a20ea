import type { INodeProperties } from 'n8n-workflow';

import type { EditConfigKey } from '../../../api/contract';
import type { OptionGroup } from '../form/optionGroups';
import type { PresetName } from './presetOptions';

/**
 * What forms, presets, docs/openapi.json and docs/options.md say about a key of the configuration
 * (api.md#configuration).
 */
export interface ConfigKeyRow {
	/** The group that has it; missing for a key with a main field. */
	readonly group?: OptionGroup;
	/**
	 * Its field in the form, with the same name, unless it is a main field. Keys that take a boolean or a word are
	 * lists; readConfiguration.ts turns their `true` and `false` into booleans. A deprecated key has none: it can be
	 * set in JSON only.
	 */
	readonly field?: INodeProperties;
	/** What it does, in the words of the API. */
	readonly meaning: string;
	/** The presets that switch it on. */
	readonly presets?: readonly PresetName[];
	/** The key without which it does nothing, and what is said where that one is off. */
	readonly requires?: RequiredKey;
}

interface RequiredKey {
	readonly key: EditConfigKey;
	readonly message: string;
	readonly advice: string;
}
