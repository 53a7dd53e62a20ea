import type { IDataObject } from 'n8n-workflow';

import { toNodeError } from '../core/errors/errors';
import { transfersAtOnce } from '../core/form/parameters';
import type { Form } from '../core/form/values';
import { afterOutput } from '../core/output/deleteFetched';
import type { NodeRun } from '../core/run/nodeRun';
import { Slots } from '../core/run/slots';
import { Recognition } from '../core/skip/recognition';
import { type Source, readSources } from '../core/upload/source';
import type { TrackUpload } from './request';
import { EditWait } from '../core/wait/editWait';

/** Edits submitted at a time: when a failure ends the node, no more submissions than these are under way. */
const SUBMISSIONS_AT_ONCE = 4;

/**
 * What the recordings of one run share. Each recording goes its own way through upload, submission, wait
 * and download. Slots limit the transfers and submissions, and one loop polls all edits.
 */
export class Batch {
	readonly uploads: Slots;

	readonly submissions = new Slots(SUBMISSIONS_AT_ONCE);

	readonly downloads: Slots;

	/** The lookups of recordings: one at a time, so that the next does not begin after the node has failed. */
	readonly lookUps = new Slots(1);

	readonly wait: EditWait;

	readonly recognition = new Recognition();

	/** The edits that are known, by the index of their item. */
	readonly editIds = new Map<number, string>();

	/** The items whose recordings have passed the limit of spending, and are not submitted yet. */
	readonly planned = new Set<number>();

	/** The edits to delete when n8n has their files. Several items may have the same edit. */
	readonly fetched = new Set<string>();

	/** The edits with a file that could not be fetched: they are not deleted, whatever else is said. */
	readonly kept = new Set<string>();

	/** The files of each track of recordings that were looked up, by the index of their first item. */
	readonly sources = new Map<number, ReadonlyArray<readonly Source[]>>();

	/** The recordings that are being submitted, if recordings already edited are skipped. */
	private readonly claims = new Map<string, Slots>();

	/** @param settings what the form says for all items */
	constructor(
		readonly run: NodeRun,
		readonly settings: Form,
	) {
		const atOnce = transfersAtOnce(run, settings);
		this.uploads = new Slots(atOnce);
		this.downloads = new Slots(atOnce);
		// The node has one set of outputs for all items.
		this.wait = new EditWait(run, settings);
	}

	/** What is known of an item's edit, for its failure: its ID, and why the service could not make it. */
	knownOf(itemIndex: number): IDataObject {
		const editId = this.editIds.get(itemIndex);
		if (editId === undefined) return {};
		const failureReason = this.wait.endedWaitOf(editId)?.history.at(-1)?.reason;
		return { editId, ...(failureReason && { failureReason }) };
	}

	/** The one slot for a recording: several items of this run may have the same one. */
	claimOn(key: string): Slots {
		const slots = this.claims.get(key) ?? new Slots(1);
		this.claims.set(key, slots);
		return slots;
	}

	/**
	 * After Stop, deletes or names the edits that go on. Otherwise, if n8n keeps the outputs, has the memory
	 * cleared of the edits that were output, and the fetched ones deleted: not after a failure that ends the node.
	 */
	async finish(): Promise<void> {
		const { run, recognition } = this;
		const { remembered } = recognition;
		try {
			await this.wait.finish(run.ledger.uncertainSubmissions());
		} finally {
			if (run.stoppedOrFailed.aborted) await remembered?.release();
		}
		if (run.stoppedOrFailed.aborted) return;
		const fetched = [...this.fetched].filter((editId) => !this.kept.has(editId));
		const isToTidy = remembered !== undefined || fetched.length > 0;
		if (isToTidy) await afterOutput(run, fetched, remembered);
	}
}

/** Finds the files of each track of a recording. @throws NodeOperationError if one cannot be sent */
export async function readTracks(
	run: NodeRun,
	uploads: readonly TrackUpload[],
): Promise<Source[][]> {
	const tracks: Source[][] = [];
	for (const { itemIndex, upload } of uploads) {
		tracks.push(await readSources(run, itemIndex, upload));
	}
	return tracks;
}

/** The turn of one recording: the slots that it has of those that all recordings share. */
export class Turn {
	private readonly taken = new Set<Slots>();

	constructor(
		private readonly run: NodeRun,
		private readonly itemIndex: number,
	) {}

	/** Takes a slot when one is free. @throws NodeApiError if Stop or a failure has ended the run meanwhile */
	async take(slots: Slots): Promise<void> {
		await slots.take();
		this.taken.add(slots);
		const { run, itemIndex } = this;
		if (!run.stoppedOrFailed.aborted) return;
		const failure = { kind: 'stopped', request: 'POST /v2/edits' } as const;
		throw toNodeError(run.node, failure, { itemIndex, doing: 'edit the recording' });
	}

	/** Gives a slot back, if it has one. */
	giveBack(slots: Slots): void {
		if (this.taken.delete(slots)) slots.giveBack();
	}

	/** Gives back all that it has. */
	end(): void {
		for (const slots of this.taken) this.giveBack(slots);
	}
}
