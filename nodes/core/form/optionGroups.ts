import type { INodeProperties } from 'n8n-workflow';

/** What few people change, in groups by what people look for; each by its name in the form. */
const GROUPS = {
	cuts: ['Cuts', 'Add cut'],
	sound: ['Sound', 'Add sound option'],
	files: ['Files', 'Add file option'],
	transcriptAndNotes: ['Transcript and Notes', 'Add text option'],
	costAndSafety: ['Cost and Safety', 'Add limit'],
	introAndOutro: ['Intro and Outro (Local Service)', 'Add intro or outro'],
	fineControl: ['Fine Control (Local Service)', 'Add fine control'],
	advanced: ['Advanced', 'Add advanced option'],
} as const;

export type OptionGroup = keyof typeof GROUPS;

const GROUP_NAMES = Object.keys(GROUPS) as OptionGroup[];

/** The few options of a form that needs no groups. */
const UNGROUPED = 'options';

/** Options by their group. Each has the same group in all nodes, and a name that no other option has. */
export type OptionsByGroup = Partial<Record<OptionGroup, readonly INodeProperties[]>>;

/**
 * The groups of a form, in which the options are in the order of their labels. None of them may be required: n8n
 * would not run a node to which it was not added.
 */
export function optionGroups(...given: readonly OptionsByGroup[]): INodeProperties[] {
	return GROUP_NAMES.flatMap((name) => {
		const options = given.flatMap((byGroup) => byGroup[name] ?? []);
		if (options.length === 0) return [];
		const [label, placeholder] = GROUPS[name];
		return [{ ...collection(name, label, placeholder, options), ...conditionOfAll(options) }];
	});
}

/** A group without options to add is not shown: what all of them need, it needs. */
function conditionOfAll(
	options: readonly INodeProperties[],
): Pick<INodeProperties, 'displayOptions'> {
	const [show, hide] = (['show', 'hide'] as const).map((way) =>
		sharedEntries(options.map(({ displayOptions }) => displayOptions?.[way] ?? {})),
	);
	const displayOptions = { ...(show && { show }), ...(hide && { hide }) };
	return Object.keys(displayOptions).length === 0 ? {} : { displayOptions };
}

type Conditions = NonNullable<NonNullable<INodeProperties['displayOptions']>['show']>;

/** The conditions that all have; undefined for none. */
function sharedEntries([first, ...others]: readonly Conditions[]): Conditions | undefined {
	const shared = Object.entries(first).filter(([name, values]) =>
		others.every((other) => JSON.stringify(other[name]) === JSON.stringify(values)),
	);
	return shared.length === 0 ? undefined : Object.fromEntries(shared);
}

/** The only collection of a form with few options. */
export const optionsField = (options: readonly INodeProperties[]): INodeProperties =>
	collection(UNGROUPED, 'Options', 'Add option', options);

const collection = (
	name: string,
	displayName: string,
	placeholder: string,
	options: readonly INodeProperties[],
): INodeProperties => ({
	displayName,
	name,
	type: 'collection',
	placeholder,
	default: {},
	options: [...options].sort((one, other) => (one.displayName < other.displayName ? -1 : 1)),
});

/** The names of the fields of a form that have options in them. */
export const OPTION_COLLECTIONS: ReadonlySet<string> = new Set([UNGROUPED, ...GROUP_NAMES]);

/** The options that are set in the fields of a form, of all groups. */
export function optionsIn(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const groups = [...OPTION_COLLECTIONS].map((name) => fields[name] ?? {});
	return Object.assign({}, ...groups) as Record<string, unknown>;
}

/** The label of a group, as texts for people have it. */
export const labelOfGroup = (name: OptionGroup): string => `'${GROUPS[name][0]}'`;
