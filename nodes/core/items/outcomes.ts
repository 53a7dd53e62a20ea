import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Pauses } from '../../../api/pauses';
import { shortened } from '../../../formats/shortened';
import { carriedCause } from './carriedFailure';
import { type NodeError, failureBehind, asNodeError } from '../errors/errors';
import { asItemError, failedItem, isOfItem, withDescription, withWayToResume } from './failedItems';
import { recordingNameOf } from './recordingName';
import { sourceNamesOf } from '../files/sourceNames';
import { firstFields } from '../output/firstFields';
import { type NodeOutput, outputNumber } from '../output/outputs';
import { Progress } from '../run/progress';
import { RunSummary } from '../run/runSummary';
import type { NodeRun } from '../run/nodeRun';

/** What the error that ends a node says of its other items. */
export interface EndingNote {
	/** For the end of the description: it may name a few edits. */
	readonly text: string;
	/** All edits, in lines, if the text does not name them all: for the error's details and the log. */
	readonly details: readonly string[];
	/** How the results of the other items are reached, if not by a retry of the execution: a sentence. */
	readonly wayToOthers?: string;
}

/** The failure of an item that ends the node. */
export interface Ending {
	readonly itemIndex: number;
	readonly message: string;
}

/** What a node has and says. */
interface Words<Name extends string> {
	/** The outputs of the node, if it may have several. */
	readonly outputs?: ReadonlyArray<NodeOutput<Name>>;
	/** Says to the user what a retry repeats and what that costs; 'Nothing is charged again.' if missing. */
	readonly onRetry?: string;
	/** The words of the progress lines: what is done to which things. */
	readonly progress?: readonly [verb: string, noun: string];
	/** Whether a hint sums up what became of the items. */
	readonly sumsUp?: boolean;
	/** Whether each item is one of an edit, and begins with the same fields. */
	readonly areEdits?: boolean;
}

/** A failure that ends the node. */
interface Fatal {
	readonly error: NodeError;
	readonly ownItemIndex?: number;
	/** Whether it is only that of an item which another failure has ended. */
	readonly isConsequence: boolean;
}

/**
 * What became of the items of a run, routed the way n8n expects.
 *
 * - The outputs keep the order of the items and are paired with them.
 * - With On Error = Continue, a failure becomes one failed item, and the other items go on. n8n would
 *   pass the input on if we threw, and Delete would then delete what Get Result never fetched.
 * - Otherwise the first failure ends the node, after the items in progress are done. Stop always ends it.
 * - For an agent, long outputs are cut and files left out, because n8n drops files.
 */
export class Outcomes<Name extends string = never> {
	/** By the index of the first of the items that are handled together: the output, and the items for it. */
	private readonly results = new Map<number, { output: number; items: INodeExecutionData[] }>();

	/** The failure that ends the node, and the item whose own it is; all items may share it. */
	private fatal?: Fatal;

	constructor(
		private readonly run: NodeRun,
		private readonly words: Words<Name> = {},
	) {}

	/**
	 * Goes through the items whose forms are to be read, with pauses in which n8n does its other work. Ends early when
	 * a failure has ended the node. From then on, the run tells how far its items are.
	 *
	 * @param groups the items that are handled together; each by itself if missing
	 */
	async *itemsToRead(
		groups: ReadonlyArray<readonly number[]> = this.run.items.map((_item, index) => [index]),
	): AsyncGenerator<readonly number[]> {
		const { run, words } = this;
		const { progress, sumsUp } = words;
		const { length: total } = groups;
		if (progress) run.progress = new Progress(run, progress, total);
		if (progress && sumsUp && !run.isTool) run.summary = new RunSummary(progress[0], total);
		const pauses = new Pauses();
		for (const itemIndices of groups) {
			yield itemIndices;
			if (this.isOver) return;
			await pauses.mayPause();
		}
	}

	/** Whether a failure has ended the node: nothing more begins. */
	get isOver(): boolean {
		return this.fatal !== undefined;
	}

	/**
	 * Items were handled together.
	 *
	 * @param name of the output that gets these items; the first one if missing. An agent's model reads only that
	 */
	done(itemIndices: readonly number[], items: readonly INodeExecutionData[], name?: Name): void {
		const { outputs = [] } = this.words;
		const isFirst = name === undefined || name === outputs[0].name || this.run.isTool;
		const output = isFirst ? 0 : outputNumber(this.run.node, outputs, name);
		const pairs = pairedWith(itemIndices);
		const paired = items.map((item) => ({ ...item, ...pairs }));
		this.results.set(itemIndices[0], { output, items: paired });
		this.run.progress?.moved(itemIndices[0], 'done');
		this.run.summary?.done(itemIndices[0]);
	}

	/**
	 * Items that are handled together have failed.
	 *
	 * @param known what a failed item still carries, such as its edit ID
	 */
	failed(itemIndices: readonly number[], thrown: unknown, known: IDataObject = {}): void {
		const { run } = this;
		const [itemIndex] = itemIndices;
		run.endUnlessItContinues();
		const name = recordingNameOf(run, itemIndex, known);
		run.progress?.failed(itemIndex, name);
		const carried = itemIndices.map((index) => carriedCause(run, index, thrown)).find(Boolean);
		const error = carried ?? asItemError(run, thrown, itemIndex, known);
		if (failureBehind(thrown)?.kind !== 'stopped') {
			run.summary?.failed(itemIndex, name);
		}
		if (run.mayContinue) {
			const item = failedItem(
				run,
				error,
				itemIndex,
				carried ? known : this.knownOf(itemIndex, known),
			);
			const items = [Object.assign(item, pairedWith(itemIndices))];
			this.results.set(itemIndex, { output: 0, items });
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

	/** The failure that ends the node, if it is that of an item; undefined if none does, or one of all items. */
	get ending(): Ending | undefined {
		const { error, ownItemIndex: itemIndex } = this.fatal ?? {};
		if (error === undefined || itemIndex === undefined) return undefined;
		return { itemIndex, message: error.message };
	}

	/**
	 * Ends the node if a failure has.
	 *
	 * @param note what to say of the other items, those in progress, too
	 * @throws the error that ends the node
	 */
	assertGoesOn(note?: EndingNote): void {
		if (this.fatal === undefined) return;
		throw this.ending === undefined ? this.fatal.error : this.endingError(note);
	}

	/** The items of each output, in the order of the input. */
	outputs(): INodeExecutionData[][] {
		const results = [...this.results].sort(([one], [other]) => one - other);
		const last = results.reduce((most, [, { output }]) => Math.max(most, output), 0);
		const outputs = Array.from({ length: last + 1 }, (_, output) =>
			results.flatMap(([, result]) => (result.output === output ? result.items : [])),
		);
		return this.run.isTool ? outputs.map(shortenedItems) : outputs;
	}

	/** The outputs where all items have failed for one reason. @throws the error, unless the items go on */
	ofAll(error: unknown): INodeExecutionData[][] {
		const { run } = this;
		if (!run.mayContinue) {
			// With several items, what they have in common is not about the first one's recording.
			const isLone = run.items.length === 1;
			const ended = isLone ? asItemError(run, error, 0) : asNodeError(run.node, error, 0);
			throw run.isTool ? withDescription(ended) : ended;
		}
		// What counts for all items is an error of the first one, which gets its name: after the others have theirs.
		const failures = [...run.items.keys()]
			.reverse()
			.map((index) => failedItem(run, asItemError(run, error, index), index, this.knownOf(index)))
			.reverse();
		return [run.isTool ? shortenedItems(failures) : failures];
	}

	/** Shows the collected hints, and what became of the items; an error that ends the node says that itself. */
	show(): void {
		const { context, hints, summary, stoppedOrFailed } = this.run;
		hints.show(context);
		if (stoppedOrFailed.aborted || !summary?.isWorthwhile) return;
		const message = summary.text();
		context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	}

	/** What a failed item still carries, after the fields that each item of an edit begins with. */
	private knownOf(itemIndex: number, known: IDataObject = {}): IDataObject {
		// A model calls the tool again if 'finished' is false.
		if (this.words.areEdits !== true || this.run.isTool) return known;
		const first = firstFields({ names: sourceNamesOf(this.run, itemIndex) });
		return { ...first, ...known };
	}

	private endingError({
		text = '',
		details = [],
		wayToOthers,
	}: Partial<EndingNote> = {}): NodeError {
		const { run, words, fatal } = this;
		const ended = withWayToResume(run, fatal!.error, words.onRetry, wayToOthers);
		const summary = run.summary?.isWorthwhile ? `In this run: ${run.summary.text()}.` : '';
		ended.description = [ended.description, summary, text].filter(Boolean).join(' ');
		ended.messages = [...ended.messages, ...details];
		// n8n Cloud shows no log, and after Stop n8n keeps no error.
		if (!run.isStopped)
			for (const line of details) run.context.logger.warn(`Audio editing: ${line}`);
		return ended;
	}
}

function pairedWith(itemIndices: readonly number[]): Pick<INodeExecutionData, 'pairedItem'> {
	const pairs = itemIndices.map((item) => ({ item }));
	return { pairedItem: pairs.length === 1 ? pairs[0] : pairs };
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
