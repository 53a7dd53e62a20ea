import type { IDataObject } from 'n8n-workflow';

/** The limit of a whole answer as JSON, in characters: a model reads all of it, and tokens are charged. */
const ANSWER_CHARACTERS = 20_000;

/** What is kept of each text and each list. If the answer is still too long, the next step applies. */
const STEPS = [
	{ characters: 4_000, entries: 50 },
	{ characters: 1_000, entries: 20 },
	{ characters: 200, entries: 5 },
] as const;

/** A cut link does not work, so links are kept up to this length. */
const LINK_CHARACTERS = 4_000;

/** The limit of an object's fields and of a field name's characters. The service uses under 30 and 40. */
const MAX_FIELDS = 100;

type Limits = (typeof STEPS)[number];

/** What a tool returns to an agent. */
interface ShortAnswer {
	/** The first items. */
	readonly items: IDataObject[];
	/** Says how many items there were, if some are left out. */
	readonly note?: string;
}

/** Cuts long texts and lists, which then say how long they were, and objects after 100 fields. */
export function shortened(items: readonly IDataObject[]): ShortAnswer {
	let short: ShortAnswer = { items: [] };
	for (const limits of STEPS) {
		short = {
			items: items.slice(0, limits.entries).map((item) => shortObject(item, limits)),
			...(items.length > limits.entries && { note: cutNote(items, 'entries') }),
		};
		if (JSON.stringify(short).length <= ANSWER_CHARACTERS) break;
	}
	return short;
}

function shortObject(value: IDataObject, limits: Limits): IDataObject {
	const entries = Object.entries(value);
	const fields = entries
		.slice(0, MAX_FIELDS)
		.map(([name, field]) => [name.slice(0, MAX_FIELDS), shortValue(field, limits)]);
	const cut = entries.length > MAX_FIELDS ? [['note', cutNote(entries, 'fields')]] : [];
	return Object.fromEntries([...fields, ...cut]) as IDataObject;
}

function shortValue(value: unknown, limits: Limits): IDataObject[string] {
	if (typeof value === 'string') return shortText(value, limits);
	if (Array.isArray(value)) {
		const entries = value.slice(0, limits.entries).map((entry) => shortValue(entry, limits));
		const cut = value.length > limits.entries ? [cutNote(value, 'entries')] : [];
		return [...entries, ...cut] as IDataObject[string];
	}
	const isObject = typeof value === 'object' && value !== null;
	return isObject ? shortObject(value as IDataObject, limits) : (value as IDataObject[string]);
}

function shortText(text: string, { characters }: Limits): string {
	const limit = /^https?:\/\/\S+$/.test(text) ? LINK_CHARACTERS : characters;
	if (text.length <= limit) return text;
	// Never keep the first half of a character that has two code units.
	const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
	return `${kept}${cutNote(text, 'characters')}`;
}

function cutNote({ length }: { readonly length: number }, what: string): string {
	return `… (cut; ${length} ${what} in all)`;
}
