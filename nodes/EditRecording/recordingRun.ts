import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { WaitEnd, WaitReport } from '../../waiting/polledEdit';
import type { PollRules } from '../../waiting/schedule';
import { WaitLoop } from '../../waiting/waitForEdits';
import { ledgerOf } from '../CreateEdit/submissionLedger';
import { deleteUnfinished } from '../WaitForEdit/deleteUnfinished';
import { readDeletesWhenStopped, readPollRules } from '../WaitForEdit/readPollRules';
import { submittedAtMsOf } from '../WaitForEdit/submittedAt';
import { waitToolsOf } from '../WaitForEdit/waitTools';
import { toNodeError } from '../shared/errors';
import { mayContinue } from '../shared/failedItems';
import { readTransfersAtOnce } from '../shared/parameters';
import { sayGoingOn } from '../shared/progress';
import { type Service, giveUpOf, openService } from '../shared/service';
import { Slots } from '../shared/slots';
import { deleteFetched } from './deleteFetched';
import { type RecordingsProgress, progressOf } from './recordingsProgress';

/** Ends after which the edit needs nothing more from this node. */
const ENDED: ReadonlySet<WaitEnd> = new Set(['succeeded', 'failed', 'refused']);

/** Edits submitted at a time: when a failure ends the node, no more submissions than these are under way. */
const SUBMISSIONS_AT_ONCE = 4;

/** What an item's failure says about its edit. */
interface KnownEdit {
	readonly editId: string;
	/** Why the service could not make it, where it says so. */
	readonly failureReason?: string;
}

/** By the context of a node run. */
const runs = new WeakMap<IExecuteFunctions, RecordingRun>();

/** The run of this context; undefined if no recording has got as far as {@link recordingRunOf}. */
export function begunRunOf(context: IExecuteFunctions): RecordingRun | undefined {
	return runs.get(context);
}

/** The run of the node that this context belongs to. */
export function recordingRunOf(context: IExecuteFunctions): RecordingRun {
	const run = runs.get(context) ?? new RecordingRun(context);
	runs.set(context, run);
	return run;
}

/**
 * What the recordings of one run share. Each recording goes its own way through upload, submission, wait
 * and download. Slots limit the transfers and submissions, and one loop polls all edits.
 */
export class RecordingRun {
	readonly progress: RecordingsProgress;

	private readonly uploads: Slots;

	private readonly submissions = new Slots(SUBMISSIONS_AT_ONCE);

	private readonly downloads: Slots;

	private readonly rules: PollRules;

	private readonly known = new Map<number, KnownEdit>();

	/** The edits that may still run at the service, with the items they belong to. */
	private readonly unfinished = new Map<number, string>();

	/** The recordings that are being submitted, if recordings already edited are skipped. */
	private readonly claims = new Map<string, Promise<void>>();

	/** Aborted when a failure ends the node: nothing more is begun, waited for, or tried again. */
	private readonly over: AbortController;

	/** Aborted by Stop, too. */
	private readonly signal: AbortSignal;

	private loop?: WaitLoop;

	/** The edits to delete when n8n has their files. Several items may have the same edit. */
	private readonly fetched = new Set<string>();

	/** The edits with a file that could not be fetched. */
	private readonly kept = new Set<string>();

	constructor(private readonly context: IExecuteFunctions) {
		const stop = context.getExecutionCancelSignal();
		this.over = giveUpOf(context);
		this.signal = stop ? AbortSignal.any([stop, this.over.signal]) : this.over.signal;
		this.rules = readPollRules(context);
		const atOnce = readTransfersAtOnce(context);
		this.uploads = new Slots(atOnce);
		this.downloads = new Slots(atOnce);
		this.progress = progressOf(context);
	}

	/** What is known of an item's edit, for its failure: its ID, and why the service could not make it. */
	knownOf(itemIndex: number): IDataObject {
		return { ...this.known.get(itemIndex) };
	}

	/** The IDs of the edits that are known of the other items. */
	editIdsExcept(itemIndex: number): string[] {
		return [...this.known].flatMap(([index, { editId }]) => (index === itemIndex ? [] : [editId]));
	}

	/** Uploads the files of an item when its turn comes. */
	async upload<T>(itemIndex: number, work: () => Promise<T>): Promise<T> {
		return await this.inTurn(this.uploads, itemIndex, work);
	}

	/** Submits an item's edit when its turn comes. */
	async submit<T>(itemIndex: number, work: () => Promise<T>): Promise<T> {
		return await this.inTurn(this.submissions, itemIndex, work);
	}

	/** Downloads the files of an item when its turn comes. */
	async download<T>(itemIndex: number, work: () => Promise<T>): Promise<T> {
		this.progress.moved(itemIndex, 'downloading');
		return await this.inTurn(this.downloads, itemIndex, work);
	}

	/** Waits for an item's edit, together with all others. */
	async wait(
		itemIndex: number,
		{ editId, submittedAt }: { readonly editId: string; readonly submittedAt: string },
	): Promise<WaitReport> {
		this.known.set(itemIndex, { editId });
		this.unfinished.set(itemIndex, editId);
		this.progress.moved(itemIndex, 'atService');
		const service = await openService(this.context);
		this.loop ??= this.newLoop(service);
		const report = await this.loop.add({ editId, submittedAtMs: submittedAtMsOf(submittedAt) });
		if (ENDED.has(report.end)) this.unfinished.delete(itemIndex);
		const failureReason = report.edit?.failureReason;
		if (failureReason) this.known.set(itemIndex, { editId, failureReason });
		return report;
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
		let release = () => {};
		const isReleased = new Promise<void>((resolve) => {
			release = () => {
				this.claims.delete(key);
				resolve();
			};
		});
		this.claims.set(key, isReleased);
		return release;
	}

	/** Deletes an edit when n8n has the outputs of this node. */
	deleteLater(editId: string): void {
		this.fetched.add(editId);
	}

	/** Does not delete an edit, whatever else is said of it. */
	keep(editId: string): void {
		this.kept.add(editId);
	}

	/**
	 * After Stop, deletes the edits that go on if the user chose that; otherwise names them. If n8n keeps the
	 * outputs, has the fetched edits deleted: not after Stop or a failure that ends the node.
	 */
	async finish(): Promise<void> {
		const { context } = this;
		if (context.getExecutionCancelSignal()?.aborted !== true) {
			const fetched = [...this.fetched].filter((editId) => !this.kept.has(editId));
			if (!this.over.signal.aborted) await deleteFetched(context, fetched);
			return;
		}
		const editIds = [...new Set(this.unfinished.values())];
		const deletes = readDeletesWhenStopped(context);
		if (deletes) await deleteUnfinished(context, editIds);
		sayGoingOn(context, deletes ? [] : editIds, ledgerOf(context).uncertainSubmissions());
	}

	private async inTurn<T>(slots: Slots, itemIndex: number, work: () => Promise<T>): Promise<T> {
		return await slots.run(async () => {
			this.assertGoesOn(itemIndex);
			return await this.orEnd(work);
		});
	}

	/** @throws NodeApiError if Stop or a failure has ended the run */
	private assertGoesOn(itemIndex: number): void {
		if (!this.signal.aborted) return;
		const failure = { kind: 'stopped', request: 'POST /v2/edits' } as const;
		const doing = 'edit the recording';
		throw toNodeError(this.context.getNode(), failure, { itemIndex, doing });
	}

	/** Does a piece of work. If its failure ends the node, the run ends before the turn of the next one. */
	async orEnd<T>(work: () => Promise<T>): Promise<T> {
		let isDone = false;
		try {
			const result = await work();
			isDone = true;
			return result;
		} finally {
			if (!isDone && !mayContinue(this.context)) this.over.abort();
		}
	}

	private newLoop(service: Service): WaitLoop {
		return new WaitLoop([], this.rules, {
			...waitToolsOf(this.context, service),
			signal: this.signal,
			onStatus: ({ editId }, change) => this.progress.statusChanged(editId, change),
			onPoll: (view) => this.progress.polled(view),
		});
	}
}
