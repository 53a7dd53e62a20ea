import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { readText } from '../../nodes/core/texts.ts';
import type { Plan } from './plan.mts';
import { type Job, ORIGIN, type VirtualService } from './virtualService.mts';

/** How an execution ended, as a person sees it. */
export type End = 'done' | 'failed' | 'stopped' | 'killed';

/** What a person can see of an execution. */
export interface Seen {
	end: End;
	/** The items that left the node, of all its runs. */
	readonly items: INodeExecutionData[];
	/** The items that left by the output for unfinished edits, of the last run. */
	unfinished: readonly INodeExecutionData[];
	/** The items that left by the output for skipped recordings, of all runs. */
	readonly skipped: INodeExecutionData[];
	/** Everything that was logged or hinted. */
	readonly lines: string[];
	/** The error that ended the execution the last time. */
	error: string;
	/** The errors of the executions that this one is a retry of, which a person still sees. */
	earlierErrors: string;
}

/** What a person sees of an execution that begins. */
export function newSeen(): Seen {
	const lists = { items: [], unfinished: [], skipped: [], lines: [] };
	return { end: 'done', error: '', earlierErrors: '', ...lists };
}

/** An error as n8n shows it. */
export function textOf(error: unknown): string {
	const { message, description } = error as { message: string; description?: string | null };
	return [message, description].filter(Boolean).join(' ');
}

/** What a person knows of a recording when an execution has ended. */
export type Fate =
	/** Its edited file is in n8n. */
	| 'edited'
	/** It left by the output for recordings that an earlier execution submitted. */
	| 'skipped'
	/** A failed item, an unfinished item, the error, a hint or the log names it or its edit. */
	| 'named'
	/** The log says that a submission without a response may have been taken. */
	| 'uncertain'
	/** Nothing was charged for it, and the execution failed, was stopped or killed. */
	| 'notBegun'
	/** Stop dropped the output: the log says that its edit was created. */
	| 'onlyCreated'
	/** n8n was killed, and knew nothing after that: the next execution begins again with it. */
	| 'begunAgain'
	/** Charged, and nothing says so. Or its only file was deleted. */
	| 'lost';

/** A line of the log that names an edit whose end was not seen. */
const CREATED = /: edit \S+( \('.*'\))? was created in execution/;

/** A line about the progress of an edit, or of the batch. */
const PROGRESS = /: edit \S+ [A-Z]+ after |recordings? edited|of \d+ edited/;

const UNCERTAIN = /while (\d+) edit\(s\) were being submitted/;

/**
 * Judges what an execution left of each recording, and counts the edits of a recording beyond the first.
 *
 * @param jobs the edits of this execution
 * @param before the edits of those before it
 */
export function judge(plan: Plan, seen: Seen, jobs: readonly Job[], before: readonly Job[]) {
	let uncertainLeft = seen.lines.reduce(
		(sum, line) => sum + Number(UNCERTAIN.exec(line)?.[1] ?? 0),
		0,
	);
	let chargedTwice = 0;
	const fates = plan.recordings.map(({ name, isBroken }): { name: string; fate: Fate } => {
		const own = jobsOf(jobs, name);
		const earlier = jobsOf(before, name);
		// A recording whose edit has failed may be edited again.
		const mayRepeat = plan.isSkipping && isBroken;
		const known = plan.isSkipping && !isBroken ? earlier : [];
		if (!(mayRepeat && plan.person.retriesFirst)) chargedTwice += repeatsIn(own, known);
		let fate = fateOf(seen, name, own);
		if (fate === 'skipped' && earlier.length + own.length === 0) fate = 'lost';
		if (fate === 'lost' && uncertainLeft > 0) {
			uncertainLeft -= 1;
			fate = 'uncertain';
		}
		return { name, fate };
	});
	return { chargedTwice, fates };
}

/** The edits of a recording, in both fields of its item. */
function jobsOf(jobs: readonly Job[], name: string): Job[] {
	return jobs.filter(({ recording }) => recording.name.endsWith(name));
}

/** How many edits have the same file and settings as another, or the same file as one that was known before. */
function repeatsIn(jobs: readonly Job[], known: readonly Job[]): number {
	const isKnown = ({ recording }: Job) =>
		known.some((one) => one.recording.name === recording.name);
	const others = jobs.filter((job) => !isKnown(job));
	const kinds = new Set(others.map(({ recording, config }) => recording.name + config));
	return jobs.length - kinds.size;
}

function fateOf(seen: Seen, name: string, jobs: readonly Job[]): Fate {
	const ids = jobs.map(({ id }) => id);
	const names = [name, ...ids];
	const isNamedIn = (text: string) => names.some((one) => text.includes(one));
	const isOf = ({ json }: INodeExecutionData) =>
		names.some((one) => readText(json.sourceFileName).endsWith(one) || one === json.editId);
	const items = [...seen.items, ...seen.unfinished].filter(isOf);
	if (items.some(isEdited)) return 'edited';
	if (seen.skipped.some(isOf)) return 'skipped';
	if (seen.end === 'killed') return 'begunAgain';
	if (items.some(({ json }) => json.failure !== undefined || json.finished === false))
		return 'named';
	const notes = seen.lines.filter((line) => !CREATED.test(line) && !PROGRESS.test(line));
	const errors = seen.earlierErrors + (seen.end === 'failed' ? seen.error : '');
	const isNamed = notes.some(isNamedIn) || isNamedIn(errors);
	const isOpen = seen.end !== 'done';
	const isDeletedByStop = (id: string) =>
		seen.lines.some((line) => line.includes(`edit ${id} deleted after the execution was stopped`));
	if (ids.some(isDeletedByStop)) return 'named';
	// The node deleted the edit because its file was in n8n, and n8n has dropped that file.
	if (jobs.some(({ deletion, deletedBy }) => deletion === 'read' && deletedBy === seen))
		return 'lost';
	if (isNamed) return 'named';
	if (jobs.length === 0) return isOpen ? 'notBegun' : 'lost';
	return seen.end === 'stopped' && seen.lines.some(isNamedIn) ? 'onlyCreated' : 'lost';
}

function isEdited({ json, binary }: INodeExecutionData): boolean {
	return json.finished === true && binary !== undefined;
}

/** Outputs that say of a file or of an edit what is not so. */
export interface Mistakes {
	/** Items whose edit was made from another file or with other settings than those of the run. */
	wrongFile: number;
	/** Files of another edit than the item's. */
	wrongEdit: number;
}

/** What a run of the node was given. */
interface Given {
	readonly items: readonly INodeExecutionData[];
	readonly parameters: INodeParameters;
	/** Whether it goes on with the edits of earlier executions, which may have had other settings. */
	readonly isSkipping: boolean;
}

/** Adds the mistakes in what a run of the node output for what it was given. */
export function countMistakes(
	mistakes: Mistakes,
	given: Given,
	output: readonly INodeExecutionData[],
	service: VirtualService,
): void {
	for (const { json, binary = {}, pairedItem } of output) {
		const job = service.job(readText(json.editId));
		if (job === undefined) continue;
		const input = given.items[(pairedItem as { item: number }).item];
		if (!isFrom(job, input, given)) mistakes.wrongFile += 1;
		if (json.sourceFileName !== job.recording.name) mistakes.wrongFile += 1;
		const editIds = Object.values(binary).map(({ id = '' }) => id.split(':')[1]);
		mistakes.wrongEdit += editIds.filter((id) => id.startsWith('edit-') && id !== job.id).length;
	}
}

/** Whether an edit was made from the file of an item, as the node is set. */
function isFrom(job: Job, input: INodeExecutionData, { parameters, isSkipping }: Given) {
	const { id, recording, config } = job;
	// A loop brings an unfinished edit back, and what it was made from stays.
	if (input.json.editId !== undefined) return input.json.editId === id;
	const { binaryPropertyName, preset } = parameters;
	const file = input.binary?.[readText(binaryPropertyName)].fileName;
	const url = `${ORIGIN}/public/${recording.name}`;
	const isSource = file === undefined ? input.json.fileUrl === url : file === recording.name;
	const isAsSet = config.includes('"fillers":true') === (preset === 'fullEdit');
	return isSource && (isSkipping || isAsSet);
}
