import type { INodeProperties } from 'n8n-workflow';

import type { EditConfigKey } from '../../../api/contract';
import type { OptionGroup } from '../form/optionGroups';
import { CONFIG_KEYS } from './configKeys';
import { LOCAL_KEYS_FOR_CUTS } from './localKeys';

/*
 * The keys of the configuration by what they are for.
 */

export const KEYS = Object.keys(CONFIG_KEYS) as EditConfigKey[];

const keysIn = (group: OptionGroup) => KEYS.filter((key) => CONFIG_KEYS[key].group === group);

const fieldOf = (key: EditConfigKey) => CONFIG_KEYS[key].field ?? [];

/** The fields of all keys that a form has. */
export const CONFIG_FIELDS: readonly INodeProperties[] = KEYS.flatMap(fieldOf);

/** The fields of a group. */
export const configFieldsIn = (group: OptionGroup) => keysIn(group).flatMap(fieldOf);

/** The keys that cut something out of the recording. */
export const CUTS = keysIn('cuts').filter((key) => key !== 'muted');

/** The keys that noise reduction ignores, since it neither cuts nor writes texts. */
export const NOT_FOR_NOISE: ReadonlySet<string> = new Set([
	...keysIn('cuts'),
	...keysIn('transcriptAndNotes'),
	...LOCAL_KEYS_FOR_CUTS,
]);
