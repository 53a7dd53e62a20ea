import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { messageOf } from '../../../api/failure';
import { pathId, withoutQueries } from '../../../api/sanitizeText';
import { fieldError } from './fieldError';
import type { Fields, Form, Options } from './values';
import { configurationRefusal, parseConfigurationId } from './templateField';
import { readText } from '../texts';
import type { NodeRun } from '../run/nodeRun';

/**
 * A value as a finite number of at least 0. Expressions return text, null and more, and "30 s" must not
 * become a wait of 0.
 *
 * @param label the field's name in the form
 */
export function readAmount(run: NodeRun, itemIndex: number, label: string, value: unknown): number {
	const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const amount = isNumeric ? Number(value) : NaN;
	if (Number.isFinite(amount) && amount >= 0) return amount;
	const message = `'${label}' must be a number of 0 or more, not ${shownValue(value)}`;
	const advice = 'Enter a number without a unit.';
	throw fieldError(run, itemIndex, message, advice);
}

/** An amount in an option, as {@link readAmount} reads it; undefined if the option was not added. */
export function optionalAmount(
	run: NodeRun,
	{ itemIndex, options }: Form,
	name: keyof Options,
	label: string,
): number | undefined {
	return name in options ? readAmount(run, itemIndex, label, options[name]) : undefined;
}

/**
 * The value of a field with JSON; anything but text is taken as it is.
 *
 * @param label the field's name in the form
 * @throws NodeOperationError if it is not valid JSON
 */
export function readJson(run: NodeRun, itemIndex: number, label: string, value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch (error) {
		const reason = messageOf(error);
		// It may quote a part of the JSON, in which no link can be recognized.
		const [said] = reason.split(/, \S*"/);
		const message = `'${label}' is not valid JSON (${said})`;
		const advice = 'Correct the JSON. Keys and texts need double quotes.';
		throw fieldError(run, itemIndex, message, advice);
	}
}

/** More transfers would share the same line, and each takes memory. */
const MAX_TRANSFERS_AT_ONCE = 10;

/** How many items may transfer files in parallel: the first item's option, or 2. */
export function transfersAtOnce(run: NodeRun, { options }: Form): number {
	const { transfersAtOnce: value = 2 } = options;
	const amount = Math.floor(readAmount(run, 0, 'Transfers at Once', value));
	return Math.min(Math.max(amount, 1), MAX_TRANSFERS_AT_ONCE);
}

/** The name of the binary field to write to. Refuses names such as `constructor`. */
export function readOutputField(run: NodeRun, itemIndex: number, given: unknown = 'data'): string {
	const value = readText(given).trim();
	if (value !== '' && !(value in {})) return value;
	const message = `'Put Output File in Field' is not a field name: ${shownValue(value)}`;
	const advice = "Enter a name such as 'data'.";
	throw fieldError(run, itemIndex, message, advice);
}

/**
 * The value of a field. If the field is empty, the first value among `itemFields` of the input item. An
 * expression without a result does not count as empty: the user meant it to have one.
 */
export function givenOrInherited(
	run: NodeRun,
	{ itemIndex, fields }: Pick<Form, 'itemIndex' | 'fields'>,
	name: keyof Fields,
	...itemFields: readonly string[]
): unknown {
	const value = fields[name] ?? '';
	const isExpression = readText(run.node.parameters[name]).startsWith('=');
	if (value !== '' || isExpression) return value;
	const { json } = run.items[itemIndex];
	return itemFields.map((field) => json[field]).find((field) => (field ?? '') !== '') ?? '';
}

/** The edit's ID. @throws NodeOperationError if it cannot be used in a request */
export function readEditId(run: NodeRun, form: Form): string {
	const value = givenOrInherited(run, form, 'editId', 'editId');
	const checked = pathId(value);
	if (checked.ok) return readText(value).trim();
	throw fieldError(
		run,
		form.itemIndex,
		`'Edit ID' ${checked.reason}`,
		adviceOn(run, {
			name: 'editId',
			label: 'Edit ID',
			inWorkflow:
				"Connect Audio Editing Create Edit before this node, or enter an ID; for a new recording, use Audio Editing instead. If the field is empty, the node uses 'editId' of the input item.",
			forModel: 'Pass the editId that Audio Editing Create Edit returned.',
		}),
	);
}

/**
 * The edit ID of a failed item, if there is one.
 *
 * @param form undefined if it could not be read
 */
export function knownEditId(run: NodeRun, itemIndex: number, form?: Form): IDataObject {
	const known = form ?? { itemIndex, fields: unreadEditId(run, itemIndex) };
	const editId = givenOrInherited(run, known, 'editId', 'editId');
	return typeof editId === 'string' && editId !== '' ? { editId } : {};
}

/** The ID in a form of which another field could not be read. */
function unreadEditId({ context }: NodeRun, itemIndex: number): Fields {
	try {
		return { editId: context.getNodeParameter('editId', itemIndex, '') };
	} catch {
		return {};
	}
}

/** The number of a template. @throws NodeOperationError if the field has no whole number */
export function readTemplateId(
	run: Pick<NodeRun, 'node'>,
	itemIndex: number | undefined,
	value: unknown,
): number {
	const id = parseConfigurationId(value);
	if (id !== undefined) return id;
	const { message, advice } = configurationRefusal(value);
	throw fieldError(run, itemIndex, message, advice);
}

function shownValue(value: unknown): string {
	return withoutQueries(JSON.stringify(value) ?? 'nothing').slice(0, 100);
}

/**
 * The json of an input item, for its output. With Retry On Fail, it lacks the field `error`: n8n takes that
 * for a failure of this node, and runs the whole node again.
 */
export function passedJson(run: NodeRun, itemIndex: number): IDataObject {
	const { json } = run.items[itemIndex];
	if (run.node.retryOnFail !== true) return json;
	return Object.fromEntries(Object.entries(json).filter(([key]) => key !== 'error'));
}

/**
 * The files of an output item: those that the node made, and those of its input items if the user keeps
 * them. An input file whose field is taken goes into a field such as `data_input`.
 *
 * @param keptOf the items whose files are kept
 */
export function filesOf(
	{ items }: NodeRun,
	keptOf: readonly number[],
	made: IBinaryKeyData = {},
): Pick<INodeExecutionData, 'binary'> {
	const inputs = keptOf.map((index) => items[index].binary ?? {});
	const binary = besides(made, inputs);
	return Object.keys(binary).length > 0 ? { binary } : {};
}

/** Adds the files of input items to those that the node made. */
function besides(made: IBinaryKeyData, inputs: readonly IBinaryKeyData[]): IBinaryKeyData {
	const binary = { ...made };
	for (const [name, file] of inputs.flatMap((input) => Object.entries(input))) {
		// Two tracks may carry the same file, such as a cover.
		if (!Object.values(binary).includes(file)) binary[freeField(name, binary)] = file;
	}
	return binary;
}

function freeField(name: string, taken: IBinaryKeyData): string {
	if (!(name in taken)) return name;
	const endings = ['input', ...Object.keys(taken).map((_field, index) => `input_${index + 2}`)];
	return endings.map((ending) => `${name}_${ending}`).find((field) => !(field in taken))!;
}

interface FieldAdvice {
	readonly name: string;
	readonly label: string;
	readonly inWorkflow: string;
	/** For the agent's model, if it fills in the field. */
	readonly forModel: string;
}

/** What to do about an unusable field: in a workflow, as a model, or in a tool where ✨ is off. */
export function adviceOn(
	{ isTool, node }: NodeRun,
	{ name, label, inWorkflow, forModel }: FieldAdvice,
): string {
	if (!isTool) return inWorkflow;
	const isFilledByModel = String(node.parameters[name]).includes('$fromAI');
	return isFilledByModel
		? forModel
		: `In this tool's form, press ✨ next to '${label}' so that the agent's model fills it in.`;
}
