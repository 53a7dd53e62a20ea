import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../../api/client';
import type { Result } from '../../api/failure';
import { describeTask, rawBody } from '../../formats/summaries';
import { configurationRefusal, parseConfigurationId } from '../shared/configurations';
import { fieldError, readAmount } from '../shared/parameters';
import { operationError, valueOrThrow } from '../shared/errors';
import type { NodeWork } from '../shared/runNode';
import { openService } from '../shared/service';

/** One item under work. */
interface Task {
	readonly context: IExecuteFunctions;
	readonly itemIndex: number;
	readonly client: Client;
}

/** What the node can do, by `resource:operation`; each gives the json of the items for one item. */
const OPERATIONS: Readonly<Record<string, (task: Task) => Promise<IDataObject[]>>> = {
	'account:getCredit': getCredit,
	'completedTask:getAll': getCompletedTasks,
	'configuration:get': getConfiguration,
	'configuration:getAll': getConfigurations,
	'service:checkHealth': checkHealth,
};

/** Runs the chosen operation for each item. */
export const ACCOUNT_WORK: NodeWork<Operation> = {
	read: readOperation,
	handle: async (context, { itemIndex, name }) => {
		const { client } = await openService(context);
		const results = await OPERATIONS[name]({ context, itemIndex, client });
		return [results.map((json) => ({ json }))];
	},
};

interface Operation {
	readonly itemIndex: number;
	/** A key of {@link OPERATIONS}. */
	readonly name: string;
}

function readOperation(context: IExecuteFunctions, [itemIndex]: readonly number[]): Operation {
	const resource = context.getNodeParameter('resource', itemIndex) as string;
	const operation = context.getNodeParameter('operation', itemIndex) as string;
	const name = `${resource}:${operation}`;
	if (Object.hasOwn(OPERATIONS, name)) return { itemIndex, name };
	const message = `'Operation' is not known: '${operation}' of '${resource}'`;
	throw fieldError(context, itemIndex, message, 'Choose one from the list.');
}

async function getCredit(task: Task): Promise<IDataObject[]> {
	const { context, itemIndex, client } = task;
	const limit = readFailBelow(context, itemIndex);
	const account = answerOf(task, 'read the credit', await client.getAccount());
	const { total, subscription, payg } = account.credit;
	if (limit !== undefined && total < limit) {
		throw operationError(
			context.getNode(),
			`The credit of the account is ${total}, which is below ${limit} [item ${itemIndex}]`,
			{
				itemIndex,
				description:
					"Nothing was submitted. Top up the account, or lower 'Fail When Below' in this node.",
			},
		);
	}
	if (!isSimple(task)) return [rawBody(account)];
	return [{ creditTotal: total, creditSubscription: subscription, creditPayg: payg }];
}

async function getCompletedTasks(task: Task): Promise<IDataObject[]> {
	const id = readConfigurationId(task);
	const limit = readLimit(task);
	const answer = await task.client.listCompletedTasks(id);
	const tasks = answerOf(task, `list the completed tasks of template ${id}`, answer);
	return tasks.slice(0, limit).map((entry) => describeTask(entry, id, isSimple(task)));
}

async function getConfiguration(task: Task): Promise<IDataObject[]> {
	const id = readConfigurationId(task);
	const answer = await task.client.getConfiguration(id);
	return [rawBody(answerOf(task, `read template ${id}`, answer))];
}

async function getConfigurations(task: Task): Promise<IDataObject[]> {
	const limit = readLimit(task);
	const answer = await task.client.listConfigurations();
	return answerOf(task, 'list the templates', answer).slice(0, limit).map(rawBody);
}

/** Both of the spec's endpoints, whose bodies it does not show. */
async function checkHealth(task: Task): Promise<IDataObject[]> {
	const ping = answerOf(task, 'ping the service', await task.client.ping());
	const health = answerOf(task, 'check the health', await task.client.getHealth());
	return [{ isReachable: true, ping, health } as IDataObject];
}

function answerOf<T>({ context, itemIndex }: Task, doing: string, answer: Result<T>): T {
	return valueOrThrow(answer, context.getNode(), { itemIndex, doing });
}

function isSimple({ context, itemIndex }: Task): boolean {
	return context.getNodeParameter('simplify', itemIndex, true) !== false;
}

/** How many results are wanted, from 1; no limit with Return All. */
function readLimit({ context, itemIndex }: Task): number {
	if (context.getNodeParameter('returnAll', itemIndex, false) === true) return Infinity;
	const limit: unknown = context.getNodeParameter('limit', itemIndex, 50);
	return Math.max(1, Math.floor(readAmount(context, itemIndex, 'Limit', limit)));
}

function readFailBelow(context: IExecuteFunctions, itemIndex: number): number | undefined {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	// An expression that gives nothing must not switch the guard off.
	if (!('failBelow' in options)) return undefined;
	const value: unknown = options.failBelow;
	return readAmount(context, itemIndex, 'Fail When Below', value);
}

function readConfigurationId({ context, itemIndex }: Task): number {
	const value: unknown = context.getNodeParameter('configurationId', itemIndex, '', {
		extractValue: true,
	});
	const id = parseConfigurationId(value);
	if (id !== undefined) return id;
	const { message, advice } = configurationRefusal(value);
	throw fieldError(context, itemIndex, message, advice);
}
