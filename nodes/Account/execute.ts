import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../api/client';
import type { Result } from '../../api/failure';
import { describeTask, rawBody } from '../core/fetch/editJson';
import { lowCreditError, valueOrThrow } from '../core/errors/errors';
import { fieldError } from '../core/form/fieldError';
import { optionalAmount, readAmount, readTemplateId } from '../core/form/parameters';
import type { Form } from '../core/form/values';
import { NodeRun } from '../core/run/nodeRun';
import { Outcomes } from '../core/items/outcomes';
import { readItemForm } from '../core/items/readItemForm';
import { ACCOUNT_FIELDS } from './fields';
import { openEdits } from './openEdits';

/** What an item asks for; all items together in one operation. */
interface Input {
	readonly run: NodeRun;
	readonly itemIndex: number;
	readonly itemIndices: readonly number[];
	readonly form: Form;
	readonly name: string;
}

type Operation = (input: Input, client: Client) => Promise<IDataObject[]>;

/** The operations by `resource:operation`. Each returns the json of the output items for one input item. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
	'account:getCredit': getCredit,
	'completedTask:getAll': getCompletedTasks,
	'configuration:get': getConfiguration,
	'configuration:getAll': getConfigurations,
	'edit:getOpen': ({ run }, client) => openEdits(run, client),
	'service:checkHealth': checkHealth,
};

/** Runs the chosen operation for each item. */
export async function runOperations(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context);
	const outcomes = new Outcomes(run);
	if (run.items.length === 0) return outcomes.outputs();
	try {
		for (const input of await readInputs(run, outcomes)) {
			if (outcomes.isOver) break;
			await runOperation(outcomes, input);
		}
		outcomes.assertGoesOn();
		return outcomes.outputs();
	} catch (error) {
		return outcomes.ofAll(error);
	} finally {
		outcomes.show();
	}
}

async function readInputs(run: NodeRun, outcomes: Outcomes): Promise<Input[]> {
	const all = [...run.items.keys()];
	// An edit of one execution may have been fetched in another, so this operation is about all of them.
	const isAboutAll = run.node.parameters.operation === 'getOpen';
	const groups = isAboutAll ? [all] : all.map((index) => [index]);
	const inputs: Input[] = [];
	for await (const itemIndices of outcomes.itemsToRead(groups)) {
		try {
			const form = readItemForm(run, ACCOUNT_FIELDS, itemIndices);
			const { itemIndex } = form;
			inputs.push({ run, itemIndex, itemIndices, form, name: operationIn(run, form) });
		} catch (error) {
			outcomes.failed(itemIndices, error);
		}
	}
	outcomes.assertGoesOn();
	return inputs;
}

async function runOperation(outcomes: Outcomes, input: Input): Promise<void> {
	const { run, itemIndices, name } = input;
	try {
		const { client } = await run.openService();
		const results = await OPERATIONS[name](input, client);
		outcomes.done(
			itemIndices,
			results.map((json) => ({ json })),
		);
	} catch (error) {
		outcomes.failed(itemIndices, error);
	}
}

/** The operation of an item, as a key of {@link OPERATIONS}. */
function operationIn(run: NodeRun, { itemIndex, fields }: Form): string {
	const { resource, operation } = fields;
	const name = `${resource}:${operation}`;
	if (Object.hasOwn(OPERATIONS, name)) return name;
	const message = `'Operation' of '${resource}' has no option '${operation}'`;
	throw fieldError(run, itemIndex, message, 'Choose one from the list.');
}

const FAIL_BELOW = 'Fail When Below';

async function getCredit(input: Input, client: Client): Promise<IDataObject[]> {
	const { run, itemIndex, form } = input;
	const least = optionalAmount(run, form, 'failBelow', FAIL_BELOW) ?? -Infinity;
	const account = valueOf(input, 'read the credit', await client.getAccount());
	const { total, subscription, payg } = account.credit;
	if (total < least) throw lowCreditError(run.node, [total, least], FAIL_BELOW, itemIndex);
	if (!isSimple(input)) return [rawBody(account)];
	return [{ creditTotal: total, creditSubscription: subscription, creditPayg: payg }];
}

async function getCompletedTasks(input: Input, client: Client): Promise<IDataObject[]> {
	const id = templateIdIn(input);
	const limit = readLimit(input);
	const result = await client.listCompletedTasks(id);
	const tasks = valueOf(input, `list the completed tasks of template ${id}`, result);
	return tasks.slice(0, limit).map((task) => describeTask(task, id, isSimple(input)));
}

async function getConfiguration(input: Input, client: Client): Promise<IDataObject[]> {
	const id = templateIdIn(input);
	const template = await client.getConfiguration(id);
	return [rawBody(valueOf(input, `read template ${id}`, template))];
}

async function getConfigurations(input: Input, client: Client): Promise<IDataObject[]> {
	const limit = readLimit(input);
	const result = await client.listConfigurations();
	const templates = valueOf(input, 'list the templates', result).slice(0, limit);
	return templates.map((template) => rawBody(template));
}

/** Asks both endpoints, whose bodies are not known (api.md#open-endpoints). */
async function checkHealth(input: Input, client: Client): Promise<IDataObject[]> {
	const ping = valueOf(input, 'ping the service', await client.ping());
	const health = valueOf(input, 'check the health', await client.getHealth());
	return [{ ping, health } as IDataObject];
}

function valueOf<T>({ run, itemIndex }: Input, doing: string, result: Result<T>): T {
	return valueOrThrow(result, run.node, { itemIndex, doing });
}

function templateIdIn({ run, itemIndex, form }: Input): number {
	return readTemplateId(run, itemIndex, form.fields.templateId);
}

function isSimple({ form }: Input): boolean {
	return form.fields.simplify !== false;
}

/** The highest number of results to return, at least 1; Infinity with 'Return All'. */
function readLimit({ run, itemIndex, form }: Input): number {
	const { returnAll, limit } = form.fields;
	if (returnAll === true) return Infinity;
	return Math.max(1, Math.floor(readAmount(run, itemIndex, 'Limit', limit)));
}
