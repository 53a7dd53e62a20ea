import { RETENTION_DAYS } from '../../../api/contract';
import { messageOf } from '../../../api/failure';
import { sanitizeText } from '../../../api/sanitizeText';
import { systemTime } from '../../../api/time';
import type { Hold } from './memory/hold';
import * as memory from './memory/recordingMemory';
import { FIELD_VALUES, type StoredEdit } from './memory/storedEdit';
import { say } from '../run/progress';
import type { RecordingKey } from '../ledger/submissionLedger';
import type { NodeRun } from '../run/nodeRun';
import { wasDeleted } from './deletedEdits';
import type { SkipCode } from './skippedItem';

/** Remembers what becomes of a submission. */
export interface SubmissionMemory {
	/** Remembers that the request leaves now. @throws if it must not, or that cannot be stored */
	begin(): Promise<void>;
	/** Remembers that the service has accepted the edit. Never throws: the edit ID matters more. */
	accepted(editId: string): Promise<void>;
	/** Forgets the recording: the service did not take it. Never throws: that failure matters more. */
	refused(): Promise<void>;
}

const DAY_MS = 86_400_000;

const today = () => Math.floor(systemTime.timeOfDay() / DAY_MS);

const ageInDays = ({ day }: StoredEdit) => (today() - day + FIELD_VALUES) % FIELD_VALUES;

/** A recording as a run of the node knows it, from n8n's memory and from what the run did since. */
export class RecordingHistory implements SubmissionMemory {
	/** The ID of its edit, where that is known. */
	editId?: string;

	private stored?: Promise<StoredEdit | undefined>;

	/** Whether an earlier execution has left its edit open. */
	readonly wasOpen: boolean;

	/** @param hold missing if another execution, here or in another process of n8n, works with the recording */
	constructor(
		private readonly run: NodeRun,
		readonly recording: RecordingKey,
		private known: memory.Remembered,
		private readonly account: number,
		private readonly hold?: Hold,
	) {
		this.wasOpen = known.state === 'open';
	}

	get state(): memory.Remembered['state'] {
		return this.known.state;
	}

	get failures(): memory.Remembered['failures'] {
		return this.known.failures;
	}

	/** Whether another execution works with it. */
	get isInWork(): boolean {
		return this.hold === undefined || this.hold.isLost;
	}

	get key(): string {
		return this.recording.key;
	}

	/** The edit that was not output yet; undefined if nobody knows whether the service took it. */
	async openEdit(): Promise<StoredEdit | undefined> {
		this.stored ??= memory.readEdit(this.run.context, this.key);
		return await this.stored;
	}

	/** Why an edit cannot be fetched, if so. */
	async whyNotFetched(edit: StoredEdit): Promise<SkipCode | undefined> {
		if (edit.account !== this.account) return 'otherCredential';
		const { root } = await this.run.openService();
		if (await wasDeleted(this.run, root, edit.editId)) return 'deletedByUs';
		return ageInDays(edit) > RETENTION_DAYS ? 'tooOld' : undefined;
	}

	/** The day of an edit's submission, such as `2026-11-28`. */
	dayOf(edit: StoredEdit): string {
		return new Date((today() - ageInDays(edit)) * DAY_MS).toISOString().slice(0, 10);
	}

	async begin(): Promise<void> {
		if (this.isInWork) throw new Error('another process of n8n works with the recording');
		const entries = await memory.begin(this.run.context, this.key);
		this.hold?.secure(this.key, entries);
	}

	async accepted(editId: string): Promise<void> {
		this.known = { ...this.known, state: 'edited' };
		this.editId = editId;
		const edit = { editId, day: today() % FIELD_VALUES, account: this.account };
		this.stored = Promise.resolve(edit);
		const message =
			'n8n could not store that this recording was submitted. The next execution will treat it as uncertain and not submit it.';
		const stored = async () => {
			const entries = await memory.accepted(this.run.context, this.key, edit);
			this.hold?.secure(this.key, entries);
		};
		await this.unlessStored(stored(), message);
	}

	async refused(): Promise<void> {
		this.known = { ...this.known, state: 'new' };
		this.hold?.changed(this.key);
		const message =
			"n8n could not store that this recording has no edit. To submit it in the next execution, set 'If Uncertain' to 'Submit Again'.";
		await this.unlessStored(memory.forget(this.run.context, this.key), message);
	}

	/** Notes that this run goes on with the open edit. */
	goesOn({ editId }: StoredEdit): void {
		this.known = { ...this.known, state: 'edited' };
		this.editId = editId;
	}

	/** Counts the edit's FAILURE. Never throws: that failure matters more. */
	async failed(): Promise<void> {
		const { context } = this.run;
		this.hold?.changed(this.key);
		const counted = async () =>
			await memory.failed(context, this.recording, this.failures, await this.ownEdit());
		const message =
			'n8n could not store that the edit of this recording failed. The next execution reads the edit again.';
		await this.unlessStored(counted(), message);
	}

	/** Remembers a recording whose submission is uncertain as edited. */
	async settle(): Promise<void> {
		this.known = { ...this.known, state: 'edited' };
		await memory.settle(this.run.context, this.key);
	}

	/** Takes a recording whose submission is uncertain for new. */
	async forget(): Promise<void> {
		await memory.forget(this.run.context, this.key);
		await memory.clearSpoiled(this.run.context, this.key);
		this.stored = undefined;
		this.known = { ...this.known, state: 'new' };
	}

	/** The recording with its edit, for {@link memory.delivered}. */
	async toClear() {
		this.hold?.changed(this.key);
		return { key: this.key, edit: await this.ownEdit() };
	}

	private async ownEdit(): Promise<StoredEdit | undefined> {
		return this.wasOpen ? await this.openEdit() : await this.stored;
	}

	private async unlessStored(stored: Promise<void>, message: string): Promise<void> {
		try {
			await stored;
		} catch (error) {
			say(this.run, `${message} (${sanitizeText(messageOf(error))})`);
			this.run.hints.add(message);
		}
	}
}
