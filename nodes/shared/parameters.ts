import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import { operationError } from './errors';
import { pathId } from '../../api/identifiers';
import { adviceOn } from './toolUse';

/** An error about what stands in a field; nothing was sent to the service yet. */
export function fieldError(
	context: IExecuteFunctions,
	itemIndex: number,
	message: string,
	advice: string,
): NodeOperationError {
	const error = operationError(context.getNode(), `${message} [item ${itemIndex}]`, {
		itemIndex,
		description: `Nothing was sent. ${advice}`,
	});
	return asFieldError(error);
}

const fieldErrors = new WeakSet<Error>();

/** The error, known from now on as one about what stands in a field. */
export function asFieldError<FieldError extends Error>(error: FieldError): FieldError {
	fieldErrors.add(error);
	return error;
}

/** Whether an error is about what stands in a field. */
export function isFieldError(error: unknown): boolean {
	return error instanceof Error && fieldErrors.has(error);
}

/**
 * A value as a finite number that is not negative. Expressions give texts, nulls and more; a wait of
 * "30 s" must not become one of nothing.
 *
 * @param label the field's name as the person sees it
 */
export function readAmount(
	context: IExecuteFunctions,
	itemIndex: number,
	label: string,
	value: unknown,
): number {
	const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const amount = isNumeric ? Number(value) : NaN;
	if (Number.isFinite(amount) && amount >= 0) return amount;
	throw fieldError(
		context,
		itemIndex,
		`'${label}' is not a number of at least 0: ${shownValue(value)}`,
		'Enter a number without a unit.',
	);
}

/** More would only share the same line, and each takes memory of its own. */
const TRANSFERS_AT_ONCE_MAXIMUM = 10;

/** How many items may have their files on the way at once: the first item's option, 2 unless told. */
export function readTransfersAtOnce(context: IExecuteFunctions): number {
	const value: unknown = context.getNodeParameter('options.transfersAtOnce', 0, 2);
	const amount = Math.floor(readAmount(context, 0, 'Transfers at Once', value));
	return Math.min(Math.max(amount, 1), TRANSFERS_AT_ONCE_MAXIMUM);
}

/** A value as text: numbers are written out, anything else than text is none. */
export function readText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The name of a binary field to write to; what n8n's items cannot hold is refused. */
export function readOutputField(context: IExecuteFunctions, itemIndex: number): string {
	const value = readText(context.getNodeParameter('binaryPropertyName', itemIndex, 'data')).trim();
	if (value !== '' && !(value in {})) return value;
	throw fieldError(
		context,
		itemIndex,
		`'Put Output File in Field' is not the name of a field: ${shownValue(value)}`,
		"Enter a name such as 'data'.",
	);
}

/** What an item holds; nothing where a node gave out an item without json. */
export function jsonOf(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const item: Partial<INodeExecutionData> | undefined = context.getInputData()[itemIndex];
	return item?.json ?? {};
}

/**
 * The value of a field, or of `itemFields` of the input item, the first that has one, where the field was
 * left empty. An expression that gives nothing is not a field left empty: it was meant to give something.
 */
export function givenOrInherited(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	...itemFields: readonly string[]
): unknown {
	const value: unknown = context.getNodeParameter(name, itemIndex, '') ?? '';
	const isExpression = readText(context.getNode().parameters[name]).startsWith('=');
	if (value !== '' || isExpression) return value;
	const json = jsonOf(context, itemIndex);
	return itemFields.map((field) => json[field]).find((field) => (field ?? '') !== '') ?? '';
}

/** The edit's ID, checked before anything is asked or waited for. */
export function readEditId(context: IExecuteFunctions, itemIndex: number): string {
	const value = givenOrInherited(context, itemIndex, 'editId', 'editId');
	const checked = pathId(value);
	if (checked.ok) return readText(value).trim();
	throw fieldError(
		context,
		itemIndex,
		`'Edit ID' cannot be used: ${checked.reason}`,
		adviceOn(context, {
			name: 'editId',
			label: 'Edit ID',
			inWorkflow:
				"Connect Create Edit before this node, or enter an ID. A field left empty reads 'editId' of the input item.",
			forModel: 'Pass the editId that Create Edit returned.',
		}),
	);
}

/** The edit ID of a failed item, if there is one. */
export function knownEditId(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const editId = givenOrInherited(context, itemIndex, 'editId', 'editId');
	return typeof editId === 'string' && editId !== '' ? { editId } : {};
}

function shownValue(value: unknown): string {
	return (JSON.stringify(value) ?? 'nothing').slice(0, 100);
}
