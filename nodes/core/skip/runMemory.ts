import { CREDENTIAL_NAME } from '../../../api/credential';
import { sanitizeText } from '../../../api/sanitizeText';
import { systemTime } from '../../../api/time';
import { Hold } from './memory/hold';
import { unlessStopped } from './memory/nodeMemory';
import * as memory from './memory/recordingMemory';
import { shortHash } from './memory/storedEdit';
import type { RecordingKey } from '../ledger/submissionLedger';
import type { NodeRun } from '../run/nodeRun';
import { RecordingHistory } from './recordingHistory';

/** n8n stores the outputs when the node ends; a second leaves it time for large ones. */
export const OUTPUTS_KEPT_AFTER_MS = 1_000;

/** Of a recording that another execution works with. */
const NOTHING = { state: 'new', failures: 0 } as const;

/** What n8n's memory knows of the recordings of a run, if recordings already edited are skipped. */
export class RunMemory {
	private readonly byKey = new Map<string, RecordingHistory>();

	/** Those whose items leave the node. */
	private readonly delivered = new Set<RecordingHistory>();

	private finding?: Promise<boolean>;

	private isReleased = false;

	private constructor(
		private readonly run: NodeRun,
		private readonly hold: Hold | undefined,
	) {}

	/**
	 * Takes the memory, and looks up the recordings in it.
	 *
	 * @throws NodeApiError or NodeOperationError if the credential cannot be used, and any error of n8n's database
	 */
	static async open(run: NodeRun, recordings: readonly RecordingKey[]): Promise<RunMemory> {
		const { root } = await run.openService();
		const { id = '' } = run.node.credentials?.[CREDENTIAL_NAME] ?? {};
		const account = shortHash([root, id]);
		const hold = await Hold.take(run.context);
		const all = new RunMemory(run, hold);
		let isOpen = false;
		try {
			await all.lookUp(recordings, account);
			isOpen = true;
			return all;
		} finally {
			if (!isOpen) await all.release();
		}
	}

	of(key: string): RecordingHistory | undefined {
		return this.byKey.get(key);
	}

	/** Whether an earlier execution has left an edit open; it may be one that cannot be fetched. */
	get hasOpenEdit(): boolean {
		return [...this.byKey.values()].some((one) => one.wasOpen);
	}

	/** Whether an edit that an earlier execution did not output can be fetched in this one. */
	async findOpenEdit(): Promise<boolean> {
		return await (this.finding ??= this.findsOpenEdit());
	}

	/** Notes that the item of a recording leaves the node. */
	deliver(key: string | undefined): void {
		const one = key === undefined ? undefined : this.byKey.get(key);
		if (one !== undefined) this.delivered.add(one);
	}

	/** Gives the recordings back, after a failure that ended the node or after Stop. */
	async release(): Promise<void> {
		if (this.isReleased) return;
		this.isReleased = true;
		// Stop does not wait for a database that does not respond.
		const released = this.hold?.release(this.run) ?? Promise.resolve();
		await unlessStopped(this.run.context, released).catch(() => undefined);
	}

	/**
	 * Clears the edits that were output from the memory, a second after the end of the node: n8n stores its
	 * output then, and a crash before delivers them again. After Stop, and in a manual execution, they stay.
	 *
	 * @returns whether the output is kept; not after Stop
	 */
	async clear(): Promise<boolean> {
		const { run, hold, delivered } = this;
		const isManual = run.context.getMode() === 'manual';
		// The next execution outputs the edits of a manual one again.
		const kept = isManual ? [] : [...delivered].map(({ key }) => key);
		hold?.giveBack(run, new Set(kept));
		for (const { key, editId = '' } of isManual ? [] : delivered) {
			hold?.justDelivered.set(key, editId);
		}
		try {
			await systemTime.sleep(OUTPUTS_KEPT_AFTER_MS, run.stop);
			if (run.isStopped) return false;
			if (isManual) return true;
			const own = [...delivered].filter(({ key }) => hold?.owns(key, run));
			const cleared = await Promise.all(own.map(async (one) => await one.toClear()));
			await memory.delivered(run.context, cleared);
			return true;
		} catch (error) {
			const reason = sanitizeText(String(error));
			run.context.logger.warn(
				`Audio editing: the next execution outputs the edits of this one again, because n8n could not store that they were output: ${reason}`,
			);
			return false;
		} finally {
			for (const { key } of delivered) hold?.justDelivered.delete(key);
			await this.release();
		}
	}

	private async lookUp(recordings: readonly RecordingKey[], account: number): Promise<void> {
		const { run, hold } = this;
		const single = [...new Map(recordings.map((one) => [one.key, one])).values()];
		// What another execution has just output is as good as cleared.
		const isKnowable = ({ key }: RecordingKey) =>
			hold?.justDelivered.has(key) === true || hold?.claim(key, run) === true;
		const knowable = single.filter(isKnowable);
		const known = await memory.lookUpAll(run.context, knowable);
		for (const recording of single) {
			const { key } = recording;
			const found = known[knowable.indexOf(recording)];
			const editId = hold?.justDelivered.get(key);
			if (editId !== undefined && found?.state === 'new') hold?.takeOver(key, run);
			const isOutput = editId !== undefined && found?.state === 'open';
			const state = isOutput ? { ...found, state: 'edited' as const } : (found ?? NOTHING);
			const one = new RecordingHistory(run, recording, state, account, found && hold);
			one.editId = isOutput ? editId : undefined;
			this.byKey.set(key, one);
		}
		// Nothing becomes of a recording whose result was output.
		const inWork = single.filter(({ key }) => this.byKey.get(key)?.state !== 'edited');
		hold?.giveBack(run, new Set(inWork.map(({ key }) => key)));
	}

	private async findsOpenEdit(): Promise<boolean> {
		const open = [...this.byKey.values()].filter((one) => one.wasOpen);
		for (const one of open) {
			const edit = one.isInWork ? undefined : await one.openEdit();
			if (edit !== undefined && (await one.whyNotFetched(edit)) === undefined) return true;
		}
		return false;
	}
}
