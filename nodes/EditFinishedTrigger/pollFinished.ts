import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import type { Client } from '../../api/client';
import { type CompletedTask, isFinalStatus, phaseOf } from '../../api/contract';
import { toNodeError } from '../../api/errors';
import { systemTime } from '../../api/time';
import { rawEdit, summarizeEdit } from '../../formats/editSummary';
import { describeTask } from '../../formats/taskSummary';
import { configurationRefusal, parseConfigurationId } from '../shared/configurations';
import { openService, valueOrThrow } from '../shared/service';
import { type SeenTasks, findNewTasks } from './finishedTasks';

/** Reading more edits could outlast what n8n gives a poll; the next poll goes on with the others. */
const EDITS_READ_MAXIMUM = 200;

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
	const { configurationId } = form;
	const { client } = await openService(context);
	const doing = `list the completed tasks of configuration ${configurationId}`;
	const answer = await client.listCompletedTasks(configurationId);
	const listed = valueOrThrow(answer, context.getNode(), { doing });
	const isWanted = ({ status }: CompletedTask) => matches(status, form.outcomes);
	const tell = async (tasks: readonly CompletedTask[]) => {
		const items: INodeExecutionData[] = [];
		for (const task of tasks) items.push({ json: await describe(context, client, form, task) });
		return items.length > 0 ? [items] : null;
	};
	if (context.getMode() === 'manual') return await tell(listed.filter(isWanted).slice(0, 1));

	const memory = context.getWorkflowStaticData('node');
	const remembered = recall(memory, configurationId);
	const seen = remembered ?? { configurationId, missingSinceMs: {} };
	const nowMs = systemTime.now();
	if (remembered === undefined && !form.startsWithPast) {
		Object.assign(memory, findNewTasks(listed, seen, nowMs).seen);
		return null;
	}
	const most = form.readsEdit ? EDITS_READ_MAXIMUM : undefined;
	const findings = findNewTasks(listed, seen, nowMs, most);
	const items = await tell(findings.tasks.filter(isWanted));
	// Only now: what could not be told must be new again at the next poll.
	Object.assign(memory, findings.seen);
	return items;
}

/** What the last poll kept, unless it was for another configuration. */
function recall(memory: IDataObject, configurationId: number): SeenTasks | undefined {
	const { missingSinceMs } = memory;
	if (memory.configurationId !== configurationId) return undefined;
	if (typeof missingSinceMs !== 'object' || missingSinceMs === null) return undefined;
	const entries = Object.entries(missingSinceMs).map(([id, sinceMs]) => [id, Number(sinceMs)]);
	return { configurationId, missingSinceMs: Object.fromEntries(entries) };
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
	{ configurationId, isSimple, readsEdit }: Form,
	task: CompletedTask,
): Promise<IDataObject> {
	const json = describeTask(task, configurationId, isSimple);
	if (!readsEdit) return json;
	const answer = await client.getEdit(task.id);
	// An edit that cannot be read must not hold its event back: it would be lost after seven days.
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

function readForm(context: IPollFunctions): Form {
	const value: unknown = context.getNodeParameter('configurationId', '', { extractValue: true });
	const configurationId = parseConfigurationId(value);
	if (configurationId === undefined) {
		const { message, advice } = configurationRefusal('Configuration', value);
		throw new NodeOperationError(context.getNode(), message, { description: advice });
	}
	return {
		configurationId,
		outcomes: context.getNodeParameter('outcomes', 'both'),
		isSimple: context.getNodeParameter('simplify', true) !== false,
		readsEdit: context.getNodeParameter('options.readEdit', false) === true,
		startsWithPast: context.getNodeParameter('options.startWithPast', false) === true,
	};
}
