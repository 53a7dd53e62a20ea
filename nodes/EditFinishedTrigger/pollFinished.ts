import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { type CompletedTask, isFinalStatus, phaseOf } from '../../api/contract';
import { systemTime } from '../../api/time';
import { describeTask, rawEdit, summarizeEdit } from '../../formats/summaries';
import { configurationRefusal, parseConfigurationId } from '../shared/configurations';
import { operationError, toNodeError, valueOrThrow } from '../shared/errors';
import { openService } from '../shared/service';
import { findNewTasks, isFinished } from './finishedTasks';
import { TriggerMemory } from './memory';

/** What n8n gives a poll, in milliseconds, where the host does not say it. */
const USUAL_BUDGET_MS = 300_000;

/** From this part of it on no further edit is read; the next poll goes on with the others. */
const READING_SHARE = 0.4;

/** From this part of it on the edit that is being read is given up, and its event told without it. */
const GIVING_UP_SHARE = 0.8;

/** The nodes whose poll is under way: one that takes long is overtaken by the next. */
const polling = new Set<string>();

/** What the form says. */
interface Form {
	readonly configurationId: number;
	readonly outcomes: unknown;
	readonly isSimple: boolean;
	readonly readsEdit: boolean;
	readonly startsWithPast: boolean;
}

/**
 * Emits the tasks of a configuration that finished since the last poll, each once. The first poll only
 * takes note of what is there, unless the past is asked for. A test run gives the newest task as a
 * sample and remembers nothing.
 */
export async function pollFinished(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const form = readForm(context);
	const { client } = await openService(context);
	if (context.getMode() === 'manual') return await sampleOf(context, client, form);
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	// Both would tell the same tasks: each remembers them when it has told them.
	if (polling.has(key)) return null;
	polling.add(key);
	try {
		return await tellNews(context, client, form);
	} finally {
		polling.delete(key);
	}
}

async function sampleOf(context: IPollFunctions, client: Client, form: Form) {
	const giveUpAtMs = systemTime.now() + budgetMsOf(context) * GIVING_UP_SHARE;
	const listed = await listTasks(context, client, form);
	const newest = listed.find(({ status }) => isFinished(status) && matches(status, form.outcomes));
	if (newest === undefined) return null;
	return [[{ json: await describe(context, client, { ...form, giveUpAtMs }, newest) }]];
}

async function tellNews(context: IPollFunctions, client: Client, form: Form) {
	const { configurationId } = form;
	const startedAtMs = systemTime.now();
	const listed = await listTasks(context, client, form);
	const memory = new TriggerMemory(context);
	const remembered = memory.recall(configurationId);
	const seen = remembered ?? { configurationId, missingSinceMs: {} };
	// What is kept outlives this process, and so counts by the time of day.
	const timeOfDayMs = systemTime.timeOfDay();
	const findings = (most?: number) => findNewTasks(listed, seen, timeOfDayMs, most);
	if (remembered === undefined && !form.startsWithPast) {
		memory.note(findings().seen);
		return null;
	}
	const budgetMs = budgetMsOf(context);
	const giveUpAtMs = startedAtMs + budgetMs * GIVING_UP_SHARE;
	const items: INodeExecutionData[] = [];
	let handled = 0;
	for (const task of findings().tasks) {
		if (systemTime.now() - startedAtMs > budgetMs * READING_SHARE) break;
		handled++;
		if (!matches(task.status, form.outcomes)) continue;
		items.push({ json: await describe(context, client, { ...form, giveUpAtMs }, task) });
	}
	// n8n has given up on a poll that took too long: what it did not hear must be new again.
	if (systemTime.now() - startedAtMs > budgetMs) return null;
	memory.keep(findings(handled).seen);
	return items.length > 0 ? [items] : null;
}

/** How long n8n waits for this poll, in milliseconds. */
function budgetMsOf(context: IPollFunctions): number {
	return context.getPollBudgetMs?.() ?? USUAL_BUDGET_MS;
}

async function listTasks(
	context: IPollFunctions,
	client: Client,
	{ configurationId }: Form,
): Promise<readonly CompletedTask[]> {
	const doing = `list the completed tasks of template ${configurationId}`;
	return valueOrThrow(await client.listCompletedTasks(configurationId), context.getNode(), {
		doing,
	});
}

function matches(status: string, outcomes: unknown): boolean {
	if (outcomes === 'success') return phaseOf(status) === 'succeeded';
	if (outcomes === 'failure') return phaseOf(status) === 'failed';
	return true;
}

/** The json of a task; with its whole edit, where that is asked for and can be read. */
async function describe(
	context: IPollFunctions,
	client: Client,
	{ configurationId, isSimple, readsEdit, giveUpAtMs }: Form & { readonly giveUpAtMs: number },
	task: CompletedTask,
): Promise<IDataObject> {
	const json = describeTask(task, configurationId, isSimple);
	if (!readsEdit) return json;
	const answer = await inTime(client.getEdit(task.id), giveUpAtMs);
	// An edit that cannot be read must not hold its event back: it would be lost after seven days.
	if (answer === undefined) {
		const editNote = 'The edit could not be read in the time that n8n gives a poll.';
		return { ...json, edit: null, editNote };
	}
	if (!answer.ok) {
		const doing = `read edit ${task.id}`;
		const { message } = toNodeError(context.getNode(), answer.failure, { doing });
		return { ...json, edit: null, editNote: message };
	}
	const edit = answer.value;
	if (!isFinalStatus(edit.status)) {
		return { ...json, edit: null, editNote: `The edit reads ${edit.status}; it may be deleted.` };
	}
	return { ...json, edit: isSimple ? summarizeEdit(edit, task.id) : rawEdit(edit, task.id) };
}

/** What work comes to; undefined when it takes longer than until then. */
async function inTime<T>(work: Promise<T>, untilMs: number): Promise<T | undefined> {
	const isDone = new AbortController();
	const late = async () => {
		await systemTime.sleep(untilMs - systemTime.now(), isDone.signal);
		return undefined;
	};
	try {
		return await Promise.race([work, late()]);
	} finally {
		isDone.abort();
	}
}

function readForm(context: IPollFunctions): Form {
	const value: unknown = context.getNodeParameter('configurationId', '', { extractValue: true });
	const configurationId = parseConfigurationId(value);
	if (configurationId === undefined) {
		const { message, advice } = configurationRefusal(value);
		throw operationError(context.getNode(), message, { description: advice });
	}
	return {
		configurationId,
		outcomes: context.getNodeParameter('outcomes', 'both'),
		isSimple: context.getNodeParameter('simplify', true) !== false,
		readsEdit: context.getNodeParameter('options.readEdit', false) === true,
		startsWithPast: context.getNodeParameter('options.startWithPast', false) === true,
	};
}
