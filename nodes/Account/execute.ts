import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../api/client';
import type { Result } from '../../api/failure';
import { describeTask, rawBody } from '../../formats/summaries';
import {
	fieldError,
	readAmount,
	readOptionalAmount,
	readTemplateId,
} from '../core/form/parameters';
import { lowCreditError, valueOrThrow } from '../core/errors/errors';
import type { NodeWork } from '../core/run/runNode';
import { isOn } from '../core/form/texts';
import type { NodeRun } from '../core/run/nodeRun';
import { openEdits } from './openEdits';

/** An input item, and the service. */
interface Input {
	readonly run: NodeRun;
	readonly itemIndex: number;
	readonly client: Client;
}

/** The operations by `resource:operation`. Each returns the json of the output items for one input item. */
const OPERATIONS: Readonly<Record<string, (input: Input) => Promise<IDataObject[]>>> = {
	'account:getCredit': getCredit,
	'completedTask:getAll': getCompletedTasks,
	'configuration:get': getConfiguration,
	'configuration:getAll': getConfigurations,
	'edit:getOpen': ({ run, client }) => openEdits(run, client),
	'service:checkHealth': checkHealth,
};

/** Runs the chosen operation for each item. */
export function accountWork(run: NodeRun): NodeWork<Operation> {
	const isAboutAll = run.parameter('operation', 0, '') === 'getOpen';
	return {
		// An edit of one execution may have been fetched in another.
		...(isAboutAll && { groups: [run.items.map((_item, index) => index)] }),
		read: ([itemIndex]) => readOperation(run, itemIndex),
		handle: async ({ itemIndex, name }) => {
			const { client } = await run.openService();
			const results = await OPERATIONS[name]({ run, itemIndex, client });
			return [results.map((json) => ({ json }))];
		},
	};
}

type Operation = ReturnType<typeof readOperation>;

/** The operation of an item, as a key of {@link OPERATIONS}. */
function readOperation(run: NodeRun, itemIndex: number) {
	const resource = run.parameter('resource', itemIndex) as string;
	const operation = run.parameter('operation', itemIndex) as string;
	const name = `${resource}:${operation}`;
	if (Object.hasOwn(OPERATIONS, name)) return { itemIndex, name };
	const message = `'Operation' of '${resource}' has no option '${operation}'`;
	throw fieldError(run, itemIndex, message, 'Choose one from the list.');
}

const FAIL_BELOW = 'Fail When Below';

async function getCredit(input: Input): Promise<IDataObject[]> {
	const { run, itemIndex, client } = input;
	const least = readOptionalAmount(run, itemIndex, 'failBelow', FAIL_BELOW) ?? -Infinity;
	const account = valueOf(input, 'read the credit', await client.getAccount());
	const { total, subscription, payg } = account.credit;
	if (total < least) throw lowCreditError(run.node, [total, least], FAIL_BELOW, itemIndex);
	if (!isSimple(input)) return [rawBody(account)];
	return [{ creditTotal: total, creditSubscription: subscription, creditPayg: payg }];
}

async function getCompletedTasks(input: Input): Promise<IDataObject[]> {
	const id = readTemplateId(input.run, input.itemIndex, 'configurationId');
	const limit = readLimit(input);
	const result = await input.client.listCompletedTasks(id);
	const tasks = valueOf(input, `list the completed tasks of template ${id}`, result);
	return tasks.slice(0, limit).map((task) => describeTask(task, id, isSimple(input)));
}

async function getConfiguration(input: Input): Promise<IDataObject[]> {
	const id = readTemplateId(input.run, input.itemIndex, 'configurationId');
	const template = await input.client.getConfiguration(id);
	return [rawBody(valueOf(input, `read template ${id}`, template))];
}

async function getConfigurations(input: Input): Promise<IDataObject[]> {
	const limit = readLimit(input);
	const result = await input.client.listConfigurations();
	const templates = valueOf(input, 'list the templates', result).slice(0, limit);
	return templates.map((template) => rawBody(template));
}

/** Asks both endpoints, whose bodies are not known (api.md#open-endpoints). */
async function checkHealth(input: Input): Promise<IDataObject[]> {
	const ping = valueOf(input, 'ping the service', await input.client.ping());
	const health = valueOf(input, 'check the health', await input.client.getHealth());
	return [{ ping, health } as IDataObject];
}

function valueOf<T>({ run, itemIndex }: Input, doing: string, result: Result<T>): T {
	return valueOrThrow(result, run.node, { itemIndex, doing });
}

function isSimple({ run, itemIndex }: Input): boolean {
	return isOn(run.parameter('simplify', itemIndex, true));
}

/** The highest number of results to return, at least 1; Infinity with 'Return All'. */
function readLimit({ run, itemIndex }: Input): number {
	if (isOn(run.parameter('returnAll', itemIndex, false))) return Infinity;
	const limit: unknown = run.parameter('limit', itemIndex, 50);
	return Math.max(1, Math.floor(readAmount(run, itemIndex, 'Limit', limit)));
}
