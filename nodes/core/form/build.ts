import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/*
 * Builders for the fields of a form. Each has arguments for what differs from field to field.
 */

/** What a field has besides the arguments of its builder. */
type More = Partial<INodeProperties>;

/** A switch. Unless `more` says otherwise, it is on when a person adds it to the form. */
export function toggle(
	name: string,
	displayName: string,
	description: string,
	more?: More,
): INodeProperties {
	return { displayName, name, type: 'boolean', default: true, description, ...more };
}

/** A field for text, empty at first. */
export function textField(
	name: string,
	displayName: string,
	description: string,
	more?: More,
): INodeProperties {
	return { displayName, name, type: 'string', default: '', description, ...more };
}

export function numberField(
	name: string,
	displayName: string,
	defaultValue: number,
	description: string,
	more?: More,
): INodeProperties {
	return { displayName, name, type: 'number', default: defaultValue, description, ...more };
}

/** The entries of a list by the value that a workflow saves: what people read, and what it means. */
type Entries<Value extends string = string> = Readonly<
	Record<Value, string | readonly [name: string, description: string]>
>;

/** A list, from which a person chooses one. */
export function choice(
	name: string,
	displayName: string,
	defaultValue: string,
	description: string,
	entries: Entries,
) {
	const options = choices(entries);
	const type = 'options' as const;
	return { displayName, name, type, default: defaultValue, description, options };
}

/** A list that decides what else the form shows or the node returns, so it takes no expression. */
export function mode(...list: Parameters<typeof choice>) {
	return { ...choice(...list), noDataExpression: true };
}

/** The options of a list, in the order of its entries. */
export function choices<Value extends string>(
	entries: Entries<Value>,
): Array<INodePropertyOptions & { readonly value: Value }> {
	const rows = Object.entries(entries) as Array<[Value, Entries[string]]>;
	return rows.map(([value, entry]) => {
		const [name, description] = typeof entry === 'string' ? [entry] : entry;
		return { name, value, ...(description !== undefined && { description }) };
	});
}
