import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { CREDENTIAL_NAME } from '../../../api/credential';
import { choices, mode, numberField, textField, toggle } from './build';

/** The part of the description that all nodes share. n8n's lint wants the icons in each node's file. */
export const COMMON_DESCRIPTION = {
	version: 1,
	credentials: [{ name: CREDENTIAL_NAME, required: true }],
} satisfies Partial<INodeTypeDescription>;

/**
 * A map from the values of a field to their labels, for the expression of a node's subtitle: people read
 * labels there, not the values of a saved workflow.
 */
export const labelsOf = (options: readonly INodePropertyOptions[]): string =>
	`(${JSON.stringify(Object.fromEntries(options.map(({ name, value }) => [value, name])))})`;

type DisplayOptions = NonNullable<INodeProperties['displayOptions']>;

/** Shows a field unless the node is an agent's tool. Older n8n ignores `@tool`, and shows it there, too. */
export const OUTSIDE_TOOLS = { hide: { '@tool': [true] } } satisfies DisplayOptions;

/** Shows a field if the node is an agent's tool. */
export const FOR_TOOLS = { show: { '@tool': [true] } } satisfies DisplayOptions;

/**
 * The default of a field that the agent's model fills in. n8n's editor recognizes the comment, and shows
 * the field as if the user had pressed ✨.
 *
 * Use it in the node's own fields, not in `usableAsTool.replacements`: n8n does not save values that
 * equal the editor's default, and runs the tool with the node's defaults.
 *
 * @param key letters, digits and underscores
 * @param description for the model; without backticks
 * @param otherwise the value if the model leaves the field out
 */
export const filledByModel = (key: string, description: string, otherwise?: string): string => {
	const fallback = otherwise === undefined ? '' : `, '${otherwise}'`;
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, 'string'${fallback}) }}`;
};

/**
 * What an agent's model reads about a tool. n8n shows the text of `usableAsTool.replacements` in the
 * tool's form, but does not save it, and passes the node's own description to the model.
 */
export const toolDescriptionField = (text: string): INodeProperties =>
	textField('toolDescription', 'Description', "What the agent's model reads about this tool", {
		required: true,
		default: text,
		typeOptions: { rows: 2 },
		displayOptions: FOR_TOOLS,
	});

/** A text field that takes its value from the field `inherits` of the input item. */
type InheritingField = Pick<INodeProperties, 'displayName' | 'name' | 'typeOptions'> & {
	/** Where a node that is no agent's tool shows the field; everywhere if missing. */
	readonly shownFor?: DisplayOptions['show'];
	readonly placeholder: string;
	readonly description: string;
	readonly inherits: string;
	/** The description for an agent's model. */
	readonly forModel: string;
};

/**
 * A field that takes its value from the input item, so that people can connect nodes without typing. It
 * is empty, because a value dropped into a field lands inside the expression that is there. In an
 * agent's tool, the model fills it in.
 */
export function inheritingField({
	inherits,
	forModel,
	shownFor,
	...field
}: InheritingField): INodeProperties[] {
	const both: INodeProperties = {
		...field,
		type: 'string',
		default: '',
		placeholder: `${field.placeholder}, or empty to use '${inherits}'`,
		description: `${field.description.replace(/\.$/, '')}. Leave empty to use '${inherits}' of the input item.`,
	};
	return [
		{ ...both, displayOptions: { ...(shownFor && { show: shownFor }), ...OUTSIDE_TOOLS } },
		{ ...both, default: filledByModel(inherits, forModel), displayOptions: FOR_TOOLS },
	];
}

/** The fields for the edit's ID. */
export const EDIT_ID_FIELDS: INodeProperties[] = inheritingField({
	displayName: 'Edit ID',
	name: 'editId',
	inherits: 'editId',
	placeholder: 'e.g. 7f9c24e5-…',
	description: 'ID of the edit, from the output of Audio Editing Create Edit',
	forModel: 'The editId that Audio Editing Create Edit returned',
});

export const SIMPLIFY_FIELD = toggle(
	'simplify',
	'Simplify',
	'Whether to return a simplified version of the response instead of the raw data',
);

/** The fields of an edit among which an agent's tool chooses. */
export const EDIT_FIELDS = choices({
	chapters: 'Chapters',
	cuts: ['Cuts', 'The number of cuts of each kind'],
	cutsText: ['Cuts in Words', 'What was cut, in words'],
	durationAfterSeconds: ['Duration After', 'The length of the edited file, in seconds'],
	durationBeforeSeconds: ['Duration Before', 'The length of the recording, in seconds'],
	links: ['Links', 'Where the files of the result can be downloaded'],
	loudnessAfterLufs: ['Loudness After', 'In LUFS, if the loudness was leveled'],
	loudnessBeforeLufs: ['Loudness Before', 'In LUFS, if the loudness was leveled'],
	status: 'Status',
	summary: 'Summary',
	title: 'Title',
	transcript: 'Transcript',
});

/** The option for how much of an edit the node returns. An agent's tool has {@link MODEL_OUTPUT_FIELDS}. */
export const SIMPLIFY_OPTION: INodeProperties = {
	...SIMPLIFY_FIELD,
	displayOptions: OUTSIDE_TOOLS,
};

/** How much of an edit an agent's tool returns: n8n's guidelines ask for 'Output' there, not 'Simplify'. */
export const MODEL_OUTPUT_FIELDS: INodeProperties[] = [
	{
		...mode(
			'output',
			'Output',
			'simplified',
			"How much of the edit to return to the agent's model",
			{
				simplified: ['Simplified', 'The most useful fields'],
				raw: ['Raw', 'All fields, as the service sent them'],
				selected: [
					'Selected Fields',
					'The fields of the edit that you choose, besides what the node itself adds',
				],
			},
		),
		displayOptions: FOR_TOOLS,
	},
	{
		displayName: 'Fields to Include',
		name: 'fieldsToInclude',
		type: 'multiOptions',
		default: ['status', 'title', 'summary'],
		description: "Which fields of the edit to return, besides 'editId'",
		options: EDIT_FIELDS,
		displayOptions: { show: { ...FOR_TOOLS.show, output: ['selected'] } },
	},
];

/** For the node's options. */
export const TRANSFERS_AT_ONCE_FIELD = numberField(
	'transfersAtOnce',
	'Transfers at Once',
	2,
	'How many items transfer their files at the same time',
	{ typeOptions: { minValue: 1, maxValue: 10, numberPrecision: 0 } },
);

export const KEEP_INPUT_FILES_FIELD = toggle(
	'keepInputFiles',
	'Keep Input Files',
	"Whether the output also includes the input item's files. If a field is already used, the input file goes into a field such as 'data_input'.",
);
