import type {
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	IPollFunctions,
} from 'n8n-workflow';

import { type CompletedTask, type Edit, isFinalStatus } from '../../api/contract';
import type { Result } from '../../api/failure';
import { systemTime } from '../../api/time';
import { describeEdit, describeTask } from '../core/fetch/editJson';
import { toNodeError, valueOrThrow } from '../core/errors/errors';
import { readTemplateId } from '../core/form/parameters';
import { type FormContext, readForm } from '../core/form/readForm';
import { withSaid } from '../core/errors/failureTexts';
import { openService } from '../core/run/service';
import { findNewTasks, hasFailed, isFinished } from './finishedTasks';
import { TriggerMemory } from './memory';

/** The time that n8n gives a poll, in milliseconds, for versions of n8n that do not say it. */
const USUAL_LIMIT_MS = 300_000;

/** After this part of that time the poll reads no further edit; the next poll reads the rest. */
const READING_SHARE = 0.4;

/** After this part of it the poll gives up the edit it is reading, and emits its task without it. */
const GIVING_UP_SHARE = 0.8;

/** The nodes that are polling now. A second poll may begin before a long one ends. */
const polling = new Set<string>();

/** A poll under way: the node's options, and its time limit. */
type Poll = Awaited<ReturnType<typeof openPoll>>;

/**
 * Emits the tasks of a template that finished since the last poll, each once. The first poll emits nothing,
 * unless 'Start With the Last 7 Days' is on. A test run emits the newest task and keeps nothing.
 */
export async function pollFinished(context: IPollFunctions, fields: readonly INodeProperties[]) {
	const poll = await openPoll(context, fields);
	if (context.getMode() === 'manual') return await emitNewest(poll);
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	// Both polls would emit the same tasks, since each keeps them only at its end.
	if (polling.has(key)) return null;
	polling.add(key);
	try {
		return await emitNew(poll);
	} finally {
		polling.delete(key);
	}
}

async function openPoll(context: IPollFunctions, fields: readonly INodeProperties[]) {
	const form = readForm(
		{
			getNode: () => context.getNode(),
			getNodeParameter: (name: string, _itemIndex: number, otherwise: never, options?: object) =>
				context.getNodeParameter(name, otherwise, options),
		} as FormContext,
		fields,
		undefined,
		false,
		'both',
	);
	const templateId = readTemplateId({ node: context.getNode() }, undefined, form.fields.templateId);
	const { client } = await openService(context);
	return {
		context,
		client,
		templateId,
		outcomes: form.fields.outcomes,
		isSimple: form.fields.simplify !== false,
		readsEdit: form.options.readEdit === true,
		startsWithPast: form.options.startWithPast === true,
		startedAtMs: systemTime.now(),
		limitMs: context.getPollBudgetMs?.() ?? USUAL_LIMIT_MS,
	};
}

async function emitNewest(poll: Poll) {
	const listed = await listTasks(poll);
	const newest = listed.find(({ status }) => isFinished(status) && isChosen(poll, status));
	return newest === undefined ? null : [[{ json: await describe(poll, newest) }]];
}

async function emitNew(poll: Poll) {
	const { context, templateId, startedAtMs, limitMs } = poll;
	const listed = await listTasks(poll);
	const memory = new TriggerMemory(context);
	const remembered = memory.recall(templateId);
	const seen = remembered ?? { templateId, missingSinceMs: {} };
	// The time of day, since this is kept longer than the process lives.
	const timeOfDayMs = systemTime.timeOfDay();
	const findings = (most?: number) => findNewTasks(listed, seen, timeOfDayMs, most);
	if (remembered === undefined && !poll.startsWithPast) {
		memory.note(findings().seen);
		return null;
	}
	const items: INodeExecutionData[] = [];
	let handled = 0;
	for (const task of findings().tasks) {
		if (systemTime.now() - startedAtMs > limitMs * READING_SHARE) break;
		handled++;
		if (isChosen(poll, task.status)) items.push({ json: await describe(poll, task) });
	}
	// n8n ignores a poll that took too long, so its tasks must stay new.
	if (systemTime.now() - startedAtMs > limitMs) return null;
	memory.keep(findings(handled).seen);
	return items.length > 0 ? [items] : null;
}

async function listTasks({ context, client, templateId }: Poll) {
	const doing = `list the completed tasks of template ${templateId}`;
	const result = await client.listCompletedTasks(templateId);
	return valueOrThrow(result, context.getNode(), { doing });
}

function isChosen({ outcomes }: Poll, status: string): boolean {
	return outcomes === 'both' || hasFailed(status) === (outcomes === 'failure');
}

/** A task for an item's json, with its edit if the person chose so and it can be read. */
async function describe(poll: Poll, task: CompletedTask): Promise<IDataObject> {
	const { client, templateId, isSimple, startedAtMs, limitMs } = poll;
	const json = describeTask(task, templateId, isSimple);
	if (!poll.readsEdit) return json;
	const giveUpAtMs = startedAtMs + limitMs * GIVING_UP_SHARE;
	const result = await inTime(client.getEdit(task.id), giveUpAtMs);
	if (result?.ok && isFinalStatus(result.value.status)) {
		const detail = isSimple ? 'simplified' : 'raw';
		return { ...json, edit: describeEdit(result.value, task.id, detail) };
	}
	// The task is emitted all the same: the service lists it for seven days only.
	return { ...json, edit: null, editNote: noteOn(poll, task, result) };
}

/** Says why an edit is missing. */
function noteOn({ context }: Poll, { id }: CompletedTask, result?: Result<Edit>): string {
	if (result === undefined) return 'Reading the edit took longer than n8n allows a poll.';
	if (result.ok) return `The service reports ${result.value.status}: the edit may be deleted.`;
	const { message } = toNodeError(context.getNode(), result.failure, {
		doing: 'read the edit',
		editId: id,
	});
	return withSaid(message, result.failure);
}

/** The result of `work`; undefined when it takes longer than until then. */
async function inTime<T>(work: Promise<T>, untilMs: number): Promise<T | undefined> {
	const isDone = new AbortController();
	const late = systemTime.sleep(untilMs - systemTime.now(), isDone.signal).then(() => undefined);
	return await Promise.race([work, late]).finally(() => isDone.abort());
}
