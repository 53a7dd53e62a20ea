import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { Pauses } from '../../../api/pauses';
import { shortened } from '../../../formats/shortened';
import { carriedCause, refuseFailed } from '../errors/carriedFailure';
import { type NodeError, failureBehind } from '../errors/errors';
import {
	asItemError,
	asNodeError,
	failedItem,
	isOfItem,
	withDescription,
	withWayToResume,
} from '../errors/failedItems';
import { refuseChoices } from '../form/checkChoices';
import { recordingNameOf } from '../errors/recordingName';
import { NodeRun } from './nodeRun';
import { Progress } from '../output/progress';
import { RunSummary } from '../output/runSummary';

/** What the error that ends a node says of its other items. */
export interface EndingNote {
	/** For the end of the description: it may name a few edits. */
	readonly text: string;
	/** All edits, in lines, if the text does not name them all: for the error's details and the log. */
	readonly details: readonly string[];
	/** How the results of the other items are reached, if not by a retry of the execution: a sentence. */
	readonly wayToOthers?: string;
}

/** A node's work: how it reads an item's form, and what it does with it. */
export interface NodeWork<Form> {
	/** The items that are handled together; each item alone if missing. */
	readonly groups?: ReadonlyArray<readonly number[]>;
	/** Reads what a group asks for. All groups are read before the first is handled. */
	readonly read: (itemIndices: readonly number[]) => Form;
	/** Called with all forms before the first group is handled. If it throws, none is. */
	readonly begin?: (forms: readonly Form[]) => Promise<void>;
	/** Does the work for a group, and returns the items for each of the node's outputs. */
	readonly handle: (form: Form) => Promise<INodeExecutionData[][]>;
	/** What a failed item still carries, such as its edit ID; may throw. */
	readonly known?: (itemIndex: number, form?: Form) => IDataObject;
	/** How many groups are handled at the same time; 1 if missing. */
	readonly atOnce?: number;
	/** Says to the user what a retry repeats and what that costs; 'Nothing is charged again.' if missing. */
	readonly onRetry?: string;
	/** Added to the error of this item, which ends the node. */
	readonly endingNote?: (itemIndex: number) => EndingNote;
	/** The words of the progress lines: what is done to which things. */
	readonly progress?: readonly [verb: string, noun: string];
	/** Whether a hint sums up what became of the items. */
	readonly sumsUp?: boolean;
	/** Called at the end, also after a failure. */
	readonly finish?: () => void | Promise<void>;
}

/**
 * Runs a node: reads the forms, handles the items, and routes errors the way n8n expects.
 *
 * - The outputs keep the order of the items and are paired with them.
 * - With On Error = Continue, a failure becomes one failed item, and the other items go on. n8n would
 *   pass the input on if we threw, and Delete would then delete what Get Result never fetched.
 * - Otherwise the first failure ends the node, after the items in progress are done. Stop always ends it.
 * - Shows the collected hints at the end.
 * - For an agent, long outputs are cut and files left out, because n8n drops files.
 *
 * @param fields the node's form, whose lists and switches are checked for each item
 * @param workOf reads what the form says about all items. If it throws, every item has failed.
 */
export async function runNode<Form>(
	context: IExecuteFunctions,
	fields: readonly INodeProperties[],
	workOf: (run: NodeRun) => NodeWork<Form>,
): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context);
	if (run.items.length === 0) return [[]];
	let work: NodeWork<Form> | undefined;
	try {
		refuseChoices(run, fields, 0, 'allItems');
		const { handle } = (work = workOf(run));
		const groups = new Groups(run, work, fields);
		await groups.read();
		await groups.begin();
		const lane = async () => {
			for (let group = groups.next(); group !== undefined; group = groups.next()) {
				try {
					groups.done(group, await handle(group.form));
				} catch (error) {
					groups.failed(group, error);
				}
			}
		};
		await Promise.all(Array.from({ length: work.atOnce ?? 1 }, lane));
		return forAgent(run, groups.outputs());
	} catch (error) {
		if (!run.mayContinue) {
			// With several items, what they have in common is not about the first one's recording.
			const isLone = run.items.length === 1;
			const ended = isLone ? asItemError(run, error, 0) : asNodeError(run.node, error, 0);
			throw run.isTool ? withDescription(ended) : ended;
		}
		const failures = run.items.map((_item, itemIndex) =>
			failedItem(run, asItemError(run, error, itemIndex), itemIndex),
		);
		return forAgent(run, [failures]);
	} finally {
		run.hints.show(context);
		showSummary(run);
		await work?.finish?.();
	}
}

/** Items that are handled together, and their form. */
interface Group<Form> {
	readonly place: number;
	readonly itemIndices: readonly number[];
	readonly form: Form;
}

/** A failure that ends the node. */
interface Fatal {
	readonly error: NodeError;
	readonly ownItemIndex?: number;
	/** Whether it is only that of an item which another failure has ended. */
	readonly isConsequence: boolean;
}

/** The groups of items that a run has left to do, and what became of those it has handled. */
class Groups<Form> {
	private readonly waiting: Array<Group<Form>> = [];

	/** The outputs of each group, by its place. */
	private readonly results: INodeExecutionData[][][] = [];

	/** The failure that ends the node, and the item whose own it is; all items may share it. */
	private fatal?: Fatal;

	constructor(
		private readonly run: NodeRun,
		private readonly work: NodeWork<Form>,
		private readonly fields: readonly INodeProperties[],
	) {}

	/** Reads all groups. @throws the error that ends the node, before any group is handled */
	async read(): Promise<void> {
		const { run, work, fields } = this;
		const groups = work.groups ?? run.items.map((_item, index) => [index]);
		const pauses = new Pauses();
		if (work.progress) run.progress = new Progress(run, work.progress, groups.length);
		if (work.progress && work.sumsUp && !run.isTool) {
			run.summary = new RunSummary(work.progress[0], groups.length);
		}
		for (const [place, itemIndices] of groups.entries()) {
			try {
				itemIndices.forEach((index) => refuseFailed(run, index));
				refuseChoices(run, fields, itemIndices[0], 'item');
				this.waiting.push({ place, itemIndices, form: work.read(itemIndices) });
			} catch (error) {
				this.failed({ place, itemIndices }, error);
			}
			if (this.fatal !== undefined) throw this.ending(this.fatal);
			await pauses.mayPause();
		}
	}

	/** Begins the work. If that fails, all groups that were to be handled have failed. */
	async begin(): Promise<void> {
		try {
			await this.work.begin?.(this.waiting.map(({ form }) => form));
		} catch (error) {
			for (const group of this.waiting.splice(0)) this.failed(group, error);
		}
	}

	/** The next group to handle; none after a failure that ends the node. */
	next(): Group<Form> | undefined {
		return this.fatal === undefined ? this.waiting.shift() : undefined;
	}

	done({ itemIndices, place }: Group<Form>, outputs: INodeExecutionData[][]): void {
		this.results[place] = outputs.map((items) =>
			items.map((item) => ({ ...item, ...pairedWith(itemIndices) })),
		);
		this.run.progress?.moved(itemIndices[0], 'done');
		this.run.summary?.done(itemIndices[0]);
	}

	failed(group: Omit<Group<Form>, 'form'> & { form?: Form }, thrown: unknown): void {
		const { run } = this;
		const { itemIndices, form, place } = group;
		const [itemIndex] = itemIndices;
		run.endUnlessItContinues();
		run.progress?.moved(itemIndex, 'failed');
		const known = this.known(itemIndex, form);
		const carried = itemIndices.map((index) => carriedCause(run, index, thrown)).find(Boolean);
		const error = carried ?? asItemError(run, thrown, itemIndex, known);
		if (failureBehind(thrown)?.kind !== 'stopped') {
			run.summary?.failed(itemIndex, recordingNameOf(run, itemIndex, known));
		}
		if (run.mayContinue) {
			const item = failedItem(run, error, itemIndex, known);
			this.results[place] = [[Object.assign(item, pairedWith(itemIndices))]];
			return;
		}
		const isOwn = itemIndices.some((index) => isOfItem(thrown, index));
		// What a failure ended may get here before it, if it has something to tidy up first.
		const isConsequence = !run.isStopped && failureBehind(thrown)?.kind === 'stopped';
		if (this.fatal === undefined || (this.fatal.isConsequence && !isConsequence)) {
			// What all items have in common is not about the first one's recording.
			const fatal =
				isOwn || run.items.length === 1 ? error : asNodeError(run.node, thrown, itemIndex);
			const own = isOwn && { ownItemIndex: itemIndex };
			this.fatal = { error: fatal, isConsequence, ...own };
		}
	}

	/** The items of each output, in the order of the input. @throws the error that ends the node */
	outputs(): INodeExecutionData[][] {
		if (this.fatal !== undefined) throw this.ending(this.fatal);
		const count = this.results.reduce((most, outputs) => Math.max(most, outputs.length), 1);
		return Array.from({ length: count }, (_, output) =>
			this.results.flatMap((outputs) => outputs[output] ?? []),
		);
	}

	/** What is known of a failed item. Often the form is what could not be read. */
	private known(itemIndex: number, form?: Form): IDataObject {
		try {
			return this.work.known?.(itemIndex, form) ?? {};
		} catch {
			return {};
		}
	}

	/** The error that ends the node. Its note is about the items that were in progress, too. */
	private ending({ error, ownItemIndex }: Fatal): NodeError {
		if (ownItemIndex === undefined) return error;
		const { run, work } = this;
		const { text = '', details = [], wayToOthers } = work.endingNote?.(ownItemIndex) ?? {};
		const ended = withWayToResume(run, error, work.onRetry, wayToOthers);
		const summary = run.summary?.isWorthwhile ? `In this run: ${run.summary.text()}.` : '';
		ended.description = [ended.description, summary, text].filter(Boolean).join(' ');
		ended.messages = [...ended.messages, ...details];
		// n8n Cloud shows no log, and after Stop n8n keeps no error.
		if (!run.isStopped)
			for (const line of details) run.context.logger.warn(`Audio editing: ${line}`);
		return ended;
	}
}

/** Shows what became of the items. An error that ends the node says it itself. */
function showSummary({ context, summary, stoppedOrFailed }: NodeRun): void {
	if (stoppedOrFailed.aborted || !summary?.isWorthwhile) return;
	context.addExecutionHints?.({ message: summary.text(), type: 'info', location: 'outputPane' });
}

function pairedWith(itemIndices: readonly number[]): Pick<INodeExecutionData, 'pairedItem'> {
	const pairs = itemIndices.map((item) => ({ item }));
	return { pairedItem: pairs.length === 1 ? pairs[0] : pairs };
}

function forAgent({ isTool }: NodeRun, outputs: INodeExecutionData[][]): INodeExecutionData[][] {
	return isTool ? outputs.map(shortenedItems) : outputs;
}

function shortenedItems(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	const short = shortened(items.map(({ json }) => json));
	const answers = short.items.map((json, index): INodeExecutionData => {
		const { error, pairedItem } = items[index];
		return { json, pairedItem, ...(error && { error: withDescription(error) }) };
	});
	if (short.note === undefined) return answers;
	const { pairedItem } = items[answers.length];
	return [...answers, { json: { note: short.note }, pairedItem }];
}
