import type { IBinaryData } from 'n8n-workflow';

import { hashOf } from '../ledger/identity';
import { CONFIG_OPTIONS } from '../config/readConfiguration';
import { optionsIn } from '../form/optionGroups';
import type { NodeRun } from '../run/nodeRun';

/** The fields that decide what is edited and how. Those of the wait and of the result do not count. */
const FIELDS: ReadonlySet<string> = new Set([
	'fileUrls',
	'itemsAre',
	'configure',
	'templateId',
	'preset',
	'picture',
	'configJson',
]);

/** The same among the options. */
const OPTIONS: ReadonlySet<string> = new Set(['jobType', 'additionalKeys', ...CONFIG_OPTIONS]);

/** What identifies a file of an item in all tries of an execution. */
export type FileIdentity = ReadonlyArray<string | number | undefined>;

/**
 * The identity of a file, without reading it: n8n may have deleted it after its edit was created.
 *
 * @param field the name of its field, or the file itself from an expression
 */
export function fileIdentity(field: unknown, binary: IBinaryData): FileIdentity {
	const { id, fileName, fileSize, bytes = fileSize, data } = binary;
	// n8n moves the file of a webhook to another folder when the execution ends.
	const content = id?.split('/').at(-1) ?? data.length;
	return [typeof field === 'string' ? field : '', fileName, bytes, content];
}

/**
 * A hash of what a try of an execution edits. If it differs from that of an earlier try, the item is
 * another recording, or asks for another edit.
 *
 * It contains the fields as saved. What an expression returns does not count: it may contain the time or
 * a new signature, and the edit would be charged again with each try.
 *
 * @param files the identities of the item's files, if the node uploads them
 */
export function fingerprintOf(run: NodeRun, files: readonly FileIdentity[] = []): string {
	const { parameters } = run.node;
	const options = optionsIn(parameters);
	return hashOf([chosen(parameters, FIELDS), chosen(options, OPTIONS), files]);
}

function chosen(values: object, names: ReadonlySet<string>): object {
	const entries: Array<[string, unknown]> = Object.entries(values);
	// n8n fills in what is not set, and another version of this package may have more to fill in.
	const own = entries.filter(([name, value]) => names.has(name) && !isEmpty(value));
	return Object.fromEntries(own.map(([name, value]) => [name, asSaved(value)]));
}

function isEmpty(value: unknown): boolean {
	return value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}

/** A value without the name that n8n's list showed for it, which changes when someone opens the list. */
function asSaved(value: unknown): unknown {
	const isFromList = typeof value === 'object' && value !== null && '__rl' in value;
	return isFromList && 'value' in value ? value.value : value;
}
