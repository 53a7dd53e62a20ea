import type { IDataObject } from 'n8n-workflow';

import { afterOutput } from './deleteFetched';
import { EditWait, readWhenTimeIsUp } from '../core/wait/editWait';
import { toNodeError } from '../core/errors/errors';
import { readTransfersAtOnce } from '../core/form/parameters';
import type { NodeRun } from '../core/run/nodeRun';
import type { RememberedRecordings } from '../core/skip/rememberedRecordings';
import type { SkipRule } from '../core/skip/skipRule';
import type { Source } from '../core/upload/source';

/** Edits submitted at a time: when a failure ends the node, no more submissions than these are under way. */
const SUBMISSIONS_AT_ONCE = 4;

/**
 * What the recordings of one run share. Each recording goes its own way through upload, submission, wait
 * and download. Slots limit the transfers and submissions, and one loop polls all edits.
 */
export class Recordings {
	readonly uploads: Slots;

	readonly submissions = new Slots(SUBMISSIONS_AT_ONCE);

	readonly downloads: Slots;

	readonly wait: EditWait;

	/** The edits that are known, by the index of their item. */
	readonly editIds = new Map<number, string>();

	/** The items whose recordings have passed the limit of spending, and are not submitted yet. */
	readonly planned = new Set<number>();

	/** The edits to delete when n8n has their files. Several items may have the same edit. */
	readonly fetched = new Set<string>();

	/** The edits with a file that could not be fetched: they are not deleted, whatever else is said. */
	readonly kept = new Set<string>();

	/** The lookups of recordings: one at a time, so that the next does not begin after the node has failed. */
	readonly lookUps = new Slots(1);

	/** How the recordings of the items are recognized, or why that cannot be said, by the index of the item. */
	readonly rules = new Map<number, { readonly rule: SkipRule } | { readonly error: unknown }>();

	/** The files of items that were looked up, by the index of the item. */
	readonly sources = new Map<number, readonly Source[]>();

	/** What n8n's memory knows of the recordings, if recordings already edited are skipped. */
	remembered?: RememberedRecordings;

	/** Why it could not be asked. */
	lookUpFailure?: unknown;

	/** Why nothing is submitted although edits of earlier executions are fetched. */
	refusal?: Error;

	/** The recordings that are being submitted, if recordings already edited are skipped. */
	private readonly claims = new Map<string, Promise<void>>();

	constructor(readonly run: NodeRun) {
		const atOnce = readTransfersAtOnce(run);
		this.uploads = new Slots(atOnce);
		this.downloads = new Slots(atOnce);
		// The node has one set of outputs for all items.
		this.wait = new EditWait(run, { passesOn: readWhenTimeIsUp(run) !== 'fail' });
	}

	/** How the recording of an item is recognized; undefined if that is off. @throws what kept it from being read */
	ruleOf(itemIndex: number): SkipRule | undefined {
		const found = this.rules.get(itemIndex);
		if (found === undefined) return undefined;
		if ('rule' in found) return found.rule;
		throw found.error;
	}

	/** What is known of an item's edit, for its failure: its ID, and why the service could not make it. */
	knownOf(itemIndex: number): IDataObject {
		const editId = this.editIds.get(itemIndex);
		if (editId === undefined) return {};
		const failureReason = this.wait.endedWaitOf(editId)?.history.at(-1)?.reason;
		return { editId, ...(failureReason && { failureReason }) };
	}

	/**
	 * Does a piece of work when its turn comes. If its failure ends the node, the next one does not begin.
	 *
	 * @throws NodeApiError if the run has ended before
	 */
	async inTurn<T>(slots: Slots, itemIndex: number, work: () => Promise<T>): Promise<T> {
		return await slots.run(async () => {
			this.assertGoesOn(itemIndex);
			let isDone = false;
			try {
				const result = await work();
				isDone = true;
				return result;
			} finally {
				if (!isDone) this.run.endUnlessItContinues();
			}
		});
	}

	/**
	 * Waits until no other item of this run has this recording under way.
	 *
	 * @returns what to call when it is certain what became of the recording
	 * @throws NodeApiError if the run has ended meanwhile
	 */
	async claim(itemIndex: number, key: string): Promise<() => void> {
		while (this.claims.has(key)) {
			await this.claims.get(key);
			this.assertGoesOn(itemIndex);
		}
		let resolve = () => {};
		this.claims.set(key, new Promise<void>((resolved) => (resolve = resolved)));
		return () => {
			this.claims.delete(key);
			resolve();
		};
	}

	/**
	 * After Stop, deletes or names the edits that go on. Otherwise, if n8n keeps the outputs, has the memory
	 * cleared of the edits that were output, and the fetched ones deleted: not after a failure that ends the node.
	 */
	async finish(): Promise<void> {
		const { run, remembered } = this;
		await this.wait.finish(run.ledger.uncertainSubmissions());
		const fetched = [...this.fetched].filter((editId) => !this.kept.has(editId));
		if (run.stoppedOrFailed.aborted) await remembered?.release();
		else await afterOutput(run, fetched, remembered);
	}

	/** @throws NodeApiError if Stop or a failure has ended the run */
	private assertGoesOn(itemIndex: number): void {
		if (!this.run.stoppedOrFailed.aborted) return;
		const failure = { kind: 'stopped', request: 'POST /v2/edits' } as const;
		throw toNodeError(this.run.node, failure, { itemIndex, doing: 'edit the recording' });
	}
}

/** Lets a number of pieces of work run at once; others wait, in the order in which they came. */
export class Slots {
	private readonly waiting: Array<() => void> = [];

	/** @param free how many pieces of work may run at once, from 1 */
	constructor(private free: number) {}

	/** Does a piece of work when its turn comes. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next === undefined) this.free += 1;
			else next();
		}
	}
}
