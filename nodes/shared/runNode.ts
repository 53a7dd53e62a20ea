import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { shortened } from '../../formats/shortened';
import { carriedCause, refuseFailed } from './carriedFailure';
import { type NodeError } from './errors';
import {
	asItemError,
	asNodeError,
	failedItem,
	isOfItem,
	mayContinue,
	withDescription,
	withWayToResume,
} from './failedItems';
import { showHints } from './hints';
import { Pauses } from './pauses';
import { Batch } from './progress';
import { isToolUse } from './toolUse';

/** A node's work: how it reads a group of items, and what it does with them. */
export interface NodeWork<Form> {
	/**
	 * The items of each group; each item is a group if missing. With 'whole', all items are one group
	 * whose outputs are already paired, and a failure is the failure of each item.
	 */
	readonly groups?: 'whole' | ((context: IExecuteFunctions) => ReadonlyArray<readonly number[]>);
	/** Reads what a group asks for. All groups are read before the first is handled. */
	readonly read: (context: IExecuteFunctions, itemIndices: readonly number[]) => Form;
	/** Does the work for a group, and returns the items for each of the node's outputs. */
	readonly handle: (context: IExecuteFunctions, form: Form) => Promise<INodeExecutionData[][]>;
	/** What a failed item still carries, such as its edit ID; may throw. */
	readonly known?: (context: IExecuteFunctions, itemIndex: number, form?: Form) => IDataObject;
	/** How many groups are handled at the same time; 1 if missing. */
	readonly atOnce?: (context: IExecuteFunctions) => number;
	/** Says to the user what a retry repeats and what that costs; 'Nothing is charged again.' if missing. */
	readonly onRetry?: string;
	/** Added to the description of the error of this item, which ends the node. */
	readonly endingNote?: (context: IExecuteFunctions, itemIndex: number) => string;
	/** Called when a group has failed. */
	readonly failed?: (context: IExecuteFunctions, itemIndices: readonly number[]) => void;
	/** The number of the node's outputs; 1 if missing. */
	readonly outputCount?: (context: IExecuteFunctions) => number;
	/** The words of the progress lines: what was done to which things. */
	readonly progress?: readonly [verb: string, noun: string];
	/** Called at the end, also after a failure. */
	readonly finish?: (context: IExecuteFunctions) => void | Promise<void>;
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
 */
export async function runNode<Form>(
	context: IExecuteFunctions,
	work: NodeWork<Form>,
): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	if (items.length === 0) return [[]];
	try {
		const run = new NodeRun(context, work);
		await run.read();
		const lane = async () => {
			for (let group = run.next(); group !== undefined; group = run.next()) {
				try {
					run.done(group, await work.handle(context, group.form));
				} catch (error) {
					run.failed(group, error);
				}
			}
		};
		await Promise.all(Array.from({ length: run.lanes() }, lane));
		return forAgent(context, run.outputs());
	} catch (error) {
		if (!mayContinue(context))
			throw errorForAgent(context, asNodeError(context.getNode(), error, 0));
		const failures = items.map((_item, itemIndex) => {
			const known = knownOf(context, work, itemIndex);
			return failedItem(context, asItemError(context, error, itemIndex, known), itemIndex, known);
		});
		return forAgent(context, [failures, ...emptyOutputs(context, work)]);
	} finally {
		showHints(context);
		await work.finish?.(context);
	}
}

/** Items that are handled together, and their form. */
interface Group<Form> {
	readonly place: number;
	readonly itemIndices: readonly number[];
	readonly form: Form;
}

/** What a run of a node has left to do, and what it has done. */
class NodeRun<Form> {
	private readonly groups: Array<Group<Form>> = [];

	/** The outputs of each group, by its place. */
	private readonly results: INodeExecutionData[][][] = [];

	private batch?: Batch;

	/** The first failure that ends the node, and the item whose own it is; all items may share it. */
	private fatal?: { readonly error: NodeError; readonly ownItemIndex?: number };

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly work: NodeWork<Form>,
	) {}

	/** Reads all groups. @throws the error that ends the node, before any group is handled */
	async read(): Promise<void> {
		const { context } = this;
		const { groups, progress } = this.work;
		const all = context.getInputData().map((_item, index) => index);
		const byGroup = groups === 'whole' ? [all] : (groups?.(context) ?? all.map((index) => [index]));
		const pauses = new Pauses();
		for (const [place, itemIndices] of byGroup.entries()) {
			this.readGroup(itemIndices, place);
			if (this.fatal !== undefined) throw this.ending(this.fatal);
			await pauses.mayPause();
		}
		if (progress) this.batch = new Batch(context, ...progress, byGroup.length);
	}

	lanes(): number {
		return Math.min(this.work.atOnce?.(this.context) ?? 1, this.groups.length);
	}

	/** The next group to handle; none after a failure that ends the node. */
	next(): Group<Form> | undefined {
		return this.fatal === undefined ? this.groups.shift() : undefined;
	}

	done({ itemIndices, place }: Group<Form>, outputs: INodeExecutionData[][]): void {
		this.batch?.step();
		this.results[place] =
			this.work.groups === 'whole'
				? outputs
				: outputs.map((items) => items.map((item) => ({ ...item, ...pairedWith(itemIndices) })));
	}

	failed(group: Omit<Group<Form>, 'form'> & { form?: Form }, thrown: unknown): void {
		const { context, work } = this;
		const { itemIndices, form, place } = group;
		if (work.groups === 'whole') throw thrown;
		work.failed?.(context, itemIndices);
		const [itemIndex] = itemIndices;
		const known = knownOf(context, work, itemIndex, form);
		const carried = itemIndices.map((index) => carriedCause(context, index, thrown)).find(Boolean);
		const error = carried ?? asItemError(context, thrown, itemIndex, known);
		if (mayContinue(context)) {
			const item = failedItem(context, error, itemIndex, known);
			this.results[place] = [[Object.assign(item, pairedWith(itemIndices))]];
			return;
		}
		const isOwn = itemIndices.some((index) => isOfItem(thrown, index));
		this.fatal ??= { error, ...(isOwn && { ownItemIndex: itemIndex }) };
	}

	/** The items of each output, in the order of the input. @throws the error that ends the node */
	outputs(): INodeExecutionData[][] {
		if (this.fatal !== undefined) throw this.ending(this.fatal);
		const count = this.results.reduce((most, outputs) => Math.max(most, outputs.length), 1);
		return Array.from({ length: count }, (_, output) =>
			this.results.flatMap((outputs) => outputs[output] ?? []),
		);
	}

	private readGroup(itemIndices: readonly number[], place: number): void {
		const { context, work } = this;
		try {
			if (work.groups !== 'whole') itemIndices.forEach((index) => refuseFailed(context, index));
			this.groups.push({ place, itemIndices, form: work.read(context, itemIndices) });
		} catch (error) {
			this.failed({ place, itemIndices }, error);
		}
	}

	/** The error that ends the node. Its note is about the items that were in progress, too. */
	private ending({ error, ownItemIndex }: NonNullable<typeof this.fatal>): NodeError {
		if (ownItemIndex === undefined) return error;
		const note = this.work.endingNote?.(this.context, ownItemIndex);
		if (note) error.description = [error.description, note].filter(Boolean).join(' ');
		return withWayToResume(this.context, error, this.work.onRetry);
	}
}

function pairedWith(itemIndices: readonly number[]): Pick<INodeExecutionData, 'pairedItem'> {
	const pairs = itemIndices.map((item) => ({ item }));
	return { pairedItem: pairs.length === 1 ? pairs[0] : pairs };
}

/** What is known of a failed item. Often the form is what could not be read. */
function knownOf<Form>(
	context: IExecuteFunctions,
	{ known }: NodeWork<Form>,
	itemIndex: number,
	form?: Form,
): IDataObject {
	try {
		return known?.(context, itemIndex, form) ?? {};
	} catch {
		return {};
	}
}

/** The outputs after the first, where a failure of the whole node leaves nothing. */
function emptyOutputs<Form>(
	context: IExecuteFunctions,
	{ outputCount }: NodeWork<Form>,
): INodeExecutionData[][] {
	return Array.from({ length: (outputCount?.(context) ?? 1) - 1 }, () => []);
}

function forAgent(
	context: IExecuteFunctions,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	return isToolUse(context) ? outputs.map(shortenedItems) : outputs;
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

function errorForAgent(context: IExecuteFunctions, error: NodeError): NodeError {
	return isToolUse(context) ? withDescription(error) : error;
}
