import type { INodeProperties } from 'n8n-workflow';

import { configurationField } from '../form/templateField';
import { FOR_TOOLS, OUTSIDE_TOOLS, filledByModel } from '../form/fields';
import type { OptionGroup, OptionsByGroup } from '../form/optionGroups';
import { NOT_FOR_NOISE, configFieldsIn } from './keyGroups';
import { KIT_FIELDS } from './kitFields';
import { localFieldsIn } from './localKeys';
import { LOUDNESS_FOR_FIELD } from './loudnessFor';
import { PRESET_OPTIONS } from './presetOptions';
import { mode, toggle } from '../form/build';

/*
 * The fields that configure an edit, for every node that creates one.
 */

type DisplayOptions = NonNullable<INodeProperties['displayOptions']>;

/** Shows a field only where the edit is configured by a preset. */
const withPreset = (also: DisplayOptions): DisplayOptions => ({
	...also,
	show: { ...also.show, configure: ['fields'] },
});

const PRESET: INodeProperties = {
	displayName: 'Preset',
	name: 'preset',
	type: 'options',
	default: 'enhance',
	description: 'What the edit starts from; the options below override it',
	options: PRESET_OPTIONS,
};

/** What an agent's model reads about the presets. */
const PRESETS_FOR_MODEL = PRESET_OPTIONS.map(
	({ value, description }) => `${value} (${description})`,
).join(', ');

export const SEVERAL_URLS =
	'One URL per line; spaces and commas also separate URLs. Several URLs in one item are tracks of one recording.';

/** Whether the input items are recordings, or the tracks of one. */
export const ITEMS_ARE = mode(
	'itemsAre',
	'Treat Input Items As',
	'recordings',
	"What the input items are. For many recordings, switch on 'Save execution progress' in the workflow's settings: if you stop a run, n8n keeps the edit IDs only in the saved execution and in its log.",
	{
		recordings: ['Separate Recordings', 'Each item is its own recording and becomes one edit'],
		tracks: ['Tracks of One Recording', 'All items together become one multi-track edit'],
	},
);

/** The field for the URLs of a recording, without its description. */
export const FILE_URLS = {
	displayName: 'File URLs',
	name: 'fileUrls',
	inherits: 'fileUrl',
	typeOptions: { rows: 2 },
	placeholder: 'e.g. https://example.com/episode.wav',
	forModel: 'URL of the audio or video file',
};

/** How an edit is configured, and the template if there is one. */
export const CONFIGURE_FIELDS: INodeProperties[] = [
	mode('configure', 'Configure', 'fields', 'Where the settings of the edit come from', {
		fields: ['From a Preset', 'A preset, and options that override it'],
		template: ['From a Template', 'A template stored in your account, and options sent with it'],
		json: ['Using JSON', "The options as JSON, under the service's own names"],
	}),
	configurationField({
		displayName: 'Template',
		name: 'templateId',
		description:
			"A template stored in your account. The node sends the options below with it. On the local service, they override the template; ask your provider what a hosted service does. If a person must review the cuts, the output contains the link as 'reviewUrl': anyone with it can approve them.",
		displayOptions: { show: { configure: ['template'] } },
	}),
];

/** The field for the preset, which the model fills in for a tool. */
export const PRESET_FIELDS: INodeProperties[] = [
	{ ...PRESET, displayOptions: withPreset(OUTSIDE_TOOLS) },
	{
		...PRESET,
		default: filledByModel(
			'preset',
			`One of these, with what each edits: ${PRESETS_FOR_MODEL}`,
			'enhance',
		),
		displayOptions: withPreset(FOR_TOOLS),
	},
];

/*
 * More than the interface describes, for services that take it.
 */

const ADDITIONAL_KEYS: INodeProperties = {
	displayName: 'Additional Keys (JSON)',
	name: 'additionalKeys',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "automix": true }',
	description:
		'More settings for a service that accepts them. They are sent unchecked: the service may refuse or ignore them. An accepted edit is charged even if a name is misspelt.',
};

const SEND_PAGE_LINKS = toggle(
	'sendPageLinks',
	'Send Page Links Anyway',
	'Whether to send links to web pages, such as video pages, instead of refusing them. Some services fetch the recording from such a page. With other services the edit fails, and may be charged.',
);

/** Hides what noise reduction does not do. */
export const NOT_NOISE = { '/advanced.jobType': ['noise'] };

/** Noise reduction neither cuts nor writes texts. */
const unlessForNoise = ({ name }: INodeProperties): DisplayOptions =>
	NOT_FOR_NOISE.has(name) ? { hide: NOT_NOISE } : {};

/** The options of a group that configure an edit. JSON has its own. */
const configuring = (group: OptionGroup, ...more: INodeProperties[]): INodeProperties[] =>
	[...configFieldsIn(group), ...more].map((field) => ({
		...field,
		displayOptions: { show: { '/configure': ['fields', 'template'] }, ...unlessForNoise(field) },
	}));

/** The options of a group that only the local service has. */
const local = (group: OptionGroup): INodeProperties[] =>
	localFieldsIn(group).map((field) => ({ ...field, displayOptions: unlessForNoise(field) }));

/** The options of an edit. */
export const EDIT_OPTIONS: OptionsByGroup = {
	cuts: configuring('cuts'),
	sound: configuring('sound', LOUDNESS_FOR_FIELD),
	files: configuring('files'),
	transcriptAndNotes: [...configuring('transcriptAndNotes'), ...local('transcriptAndNotes')],
	costAndSafety: [SEND_PAGE_LINKS, ...local('costAndSafety')],
	introAndOutro: [...KIT_FIELDS, ...local('introAndOutro')],
	fineControl: local('fineControl'),
	advanced: [...configuring('advanced'), ADDITIONAL_KEYS],
};

export const CONFIG_JSON: INodeProperties = {
	displayName: 'Options (JSON)',
	name: 'configJson',
	type: 'json',
	typeOptions: { rows: 6 },
	default: '{\n  "remove_noise": true,\n  "normalize": true\n}',
	description: "The edit's options, under the service's own names",
	displayOptions: { show: { configure: ['json'] } },
};
