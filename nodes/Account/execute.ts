import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../api/client';
import type { Result } from '../../api/failure';
import { describeTask, rawBody } from '../core/fetch/editJson';
import { lowCreditError, valueOrThrow } from '../core/errors/errors';
import { fieldError } from '../core/form/fieldError';
import { knownEditId, optionalAmount, readAmount, readTemplateId } from '../core/form/parameters';
import type { Form } from '../core/form/values';
import { NodeRun } from '../core/run/nodeRun';
import { Outcomes } from '../core/items/outcomes';
import { readItemForm } from '../core/items/readItemForm';
import { ACCOUNT_FIELDS } from './fields';
import type { Input } from './input';
import { openEdits } from './openEdits';
import { decide, getDoubtfulCuts, refuseUnlessLocal } from './review';
import { readDecisions, readQuestion, together, type ReviewInput } from './reviewInput';

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

/** The operations about the review of an edit: how each is read, and what it returns. */
const REVIEW_OPERATIONS: Readonly<Record<string, ReviewOperation>> = {
	'review:getDoubtful': { read: readQuestion, run: getDoubtfulCuts },
	'review:decide': { read: readDecisions, run: decide },
};

interface ReviewOperation {
	readonly read: (run: NodeRun, form: Form) => ReviewInput;
	readonly run: (
		input: Input,
		review: ReviewInput,
		client: Client,
	) => Promise<INodeExecutionData[]>;
}

/** Runs the chosen operation for each item. */
export async function runOperations(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context);
	const outcomes = new Outcomes(run);
	if (run.items.length === 0) return outcomes.outputs();
	try {
		for (const input of approvals(outcomes, await readInputs(run, outcomes))) {
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
		let form: Form | undefined;
		try {
			form = readItemForm(run, ACCOUNT_FIELDS, itemIndices);
			const { itemIndex } = form;
			const name = operationIn(run, form);
			const review = REVIEW_OPERATIONS[name]?.read(run, form);
			inputs.push({ run, itemIndex, itemIndices, form, name, ...(review && { review }) });
		} catch (error) {
			const isReview = form?.fields.resource === 'review';
			outcomes.failed(itemIndices, error, isReview ? knownEditId(run, itemIndices[0], form) : {});
		}
	}
	outcomes.assertGoesOn();
	return inputs;
}

/** The same with all decisions about an edit in one: each approval counts only once. */
function approvals(outcomes: Outcomes, inputs: readonly Input[]): Input[] {
	const byEdit = new Map<string | number, Input[]>();
	for (const input of inputs) {
		const isApproval = input.name === 'review:decide' && input.review;
		const key = isApproval ? `edit ${isApproval.editId}` : input.itemIndex;
		const group = byEdit.get(key);
		if (group === undefined) byEdit.set(key, [input]);
		else group.push(input);
	}
	const all: Input[] = [];
	for (const group of byEdit.values()) {
		const [first] = group;
		const reviews = group.flatMap(({ review }) => review ?? []);
		const itemIndices = group.flatMap((input) => input.itemIndices);
		try {
			const review = reviews.length > 0 && together(first.run, first.itemIndex, reviews);
			all.push({ ...first, itemIndices, ...(review && { review }) });
		} catch (error) {
			outcomes.failed(itemIndices, error, { editId: reviews[0].editId });
		}
	}
	outcomes.assertGoesOn();
	return all;
}

async function runOperation(outcomes: Outcomes, input: Input): Promise<void> {
	const { run, itemIndices, name, review } = input;
	try {
		if (review) await refuseUnlessLocal(input);
		const { client } = await run.openService();
		const items = review
			? await REVIEW_OPERATIONS[name].run(input, review, client)
			: (await OPERATIONS[name](input, client)).map((json) => ({ json }));
		outcomes.done(itemIndices, items);
	} catch (error) {
		outcomes.failed(itemIndices, error, review && { editId: review.editId });
	}
}

/** The operation of an item, as a key of {@link OPERATIONS}. */
function operationIn(run: NodeRun, { itemIndex, fields }: Form): string {
	const { resource, operation } = fields;
	const name = `${resource}:${operation}`;
	if (Object.hasOwn(OPERATIONS, name) || Object.hasOwn(REVIEW_OPERATIONS, name)) return name;
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
