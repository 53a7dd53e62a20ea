import type { IExecuteFunctions } from 'n8n-workflow';

import { systemTime } from '../../../../api/time';
import { type Entries, type MemoryContext, inTurn, unlessStopped } from './nodeMemory';

/*
 * Which process of n8n works with the memory of a node. n8n's list has no lock, so two processes would lose
 * each other's entries, and charge a recording twice. A process holds the memory while one of its executions
 * works with it, and records every 15 s that it lives; the entry of a dead process is too old after a minute.
 * Leases of single recordings would not do: each access reads and writes the whole list, so a process would
 * lose what the other one has recorded about other recordings.
 *
 * Two processes that begin at the same moment both sign the list, wait until the other must have written,
 * and look: the one with the lowest sign goes on. Within a process, a map says which execution has which
 * recording.
 */

const BEAT_MS = 15_000;

/** Longer than a beat, and no multiple of it: else each question might meet a sign of life that is being recorded. */
const LOOK_AGAIN_MS = 20_000;

/** A process whose last sign of life is this old is dead. */
const BEATS_ALIVE = 4;

/** Longer than a few accesses to n8n's database take. */
const SETTLED_AFTER_MS = 1_000;

/** Executions at the same moment have IDs that differ by less than this. */
const SIGNS = 64;

const beatEntry = (beat: number) => `alive:${beat}`;
const signEntry = (sign: number) => `holder:${sign}`;
const ALL_SIGNS = Array.from({ length: SIGNS }, (_, sign) => signEntry(sign));

function beatNow(): number {
	return Math.floor(systemTime.timeOfDay() / BEAT_MS);
}

/** The hold of this process on the memory of a node. */
export class Hold {
	/** Who works with each recording, by its key. */
	private readonly owners = new Map<string, object>();

	/** The edits that were output a moment ago, by the key of their recording. */
	readonly justDelivered = new Map<string, string>();

	/** Whether another process has taken the memory, because this one showed no sign of life. */
	isLost = false;

	/** What was recorded lately, by the key of its recording. */
	private readonly recent = new Map<
		string,
		{ readonly entries: readonly string[]; beat: number }
	>();

	private readonly released = new AbortController();

	/** How many executions of this process use it. */
	private users = 0;

	private constructor(
		private readonly context: MemoryContext,
		private readonly node: string,
		private readonly sign: string,
		/** The last sign of life. */
		private beat: number,
	) {}

	/** Takes the memory of a node for an execution; undefined if another process of n8n works with it. */
	static async take(context: IExecuteFunctions): Promise<Hold | undefined> {
		const node = `${context.getWorkflow().id}:${context.getNode().id}`;
		const { helpers } = context;
		const unstoppable = { helpers, getExecutionCancelSignal: () => undefined };
		const sign = signEntry(numberOf(context.getExecutionId()) % SIGNS);
		const taking = holds.get(node) ?? Hold.acquire(unstoppable, node, sign);
		holds.set(node, taking);
		// What was not taken is not kept.
		const isNotTaken = () => holds.get(node) === taking && holds.delete(node);
		void taking.then((hold) => hold ?? isNotTaken(), isNotTaken);
		// Counts this execution at once: another one may end before the memory is taken.
		const counted = taking.then((hold) => {
			if (hold !== undefined) hold.users += 1;
			return hold;
		});
		let isUsed = false;
		try {
			const hold = await unlessStopped(context, counted);
			isUsed = true;
			return hold;
		} finally {
			if (!isUsed) void counted.then((hold) => hold?.release(context)).catch(() => undefined);
		}
	}

	/** Gives a recording to an execution, unless another one has it. Look it up after that. */
	claim(key: string, owner: object): boolean {
		const other = this.owners.get(key);
		if (other !== undefined && other !== owner) return false;
		this.owners.set(key, owner);
		return true;
	}

	/** Whether an execution still has a recording. */
	owns(key: string, owner: object): boolean {
		return this.owners.get(key) === owner;
	}

	/** Gives a recording whose output is over to another execution: n8n's memory was cleared meanwhile. */
	takeOver(key: string, owner: object): void {
		this.justDelivered.delete(key);
		this.owners.set(key, owner);
	}

	/**
	 * Records entries again at the next signs of life: a process that asks who holds the memory writes the
	 * whole list, too, and may lose what was recorded at that moment.
	 */
	secure(key: string, entries: readonly string[]): void {
		this.recent.set(key, { entries, beat: this.beat });
	}

	/** The entries of a recording have changed, and must not come back. */
	changed(key: string): void {
		this.recent.delete(key);
	}

	/** Gives back the recordings of an execution, except some. */
	giveBack(owner: object, except: ReadonlySet<string> = new Set()): void {
		for (const [key, one] of this.owners) {
			if (one === owner && !except.has(key)) this.owners.delete(key);
		}
	}

	/** Ends an execution's use, and gives back its recordings. Never throws. */
	async release(owner: object): Promise<void> {
		this.giveBack(owner);
		this.users -= 1;
		if (this.users > 0) return;
		holds.delete(this.node);
		this.released.abort();
		// Before anything that the next execution asks of the memory.
		await this.leave();
	}

	private static async acquire(
		context: MemoryContext,
		node: string,
		sign: string,
	): Promise<Hold | undefined> {
		if (await isHeldElsewhere(context)) return undefined;
		const beat = beatNow();
		await inTurn(context, async (entries) => {
			// Those of dead processes.
			await entries.remove([ALL_SIGNS]);
			await entries.record([sign, beatEntry(beat)]);
		});
		await systemTime.sleep(SETTLED_AFTER_MS);
		const known = await inTurn(context, async (entries) => await entries.ask([ALL_SIGNS]));
		if (ALL_SIGNS.find((one) => known.has(one)) !== sign) {
			await inTurn(context, async (entries) => await entries.remove([[sign]]));
			return undefined;
		}
		const hold = new Hold(context, node, sign, beat);
		void hold.live();
		return hold;
	}

	/** Records signs of life until the hold is released. */
	private async live(): Promise<void> {
		for (;;) {
			await systemTime.sleep(BEAT_MS, this.released.signal);
			if (this.released.signal.aborted) return;
			try {
				await inTurn(this.context, async (entries) => await this.renew(entries));
			} catch {
				// The database may respond next time; the last sign of life counts for a minute.
			}
		}
	}

	private async renew(entries: Entries): Promise<void> {
		const last = this.beat;
		const next = beatNow();
		const recent = [...this.recent.values()].flatMap((one) => one.entries);
		const known = await entries.record([this.sign, beatEntry(next), ...recent]);
		for (const [key, { beat }] of this.recent) if (beat < last) this.recent.delete(key);
		this.beat = next;
		if (last !== next) await entries.remove([[beatEntry(last)]]);
		if (known.has(this.sign)) return;
		// Without another sign, a person has cleared the memory.
		const signs = await entries.ask([ALL_SIGNS]);
		if (signs.size === 1) return;
		this.isLost = true;
		await entries.remove([[this.sign]]);
	}

	/** Lets another process take the memory at once. */
	private async leave(): Promise<void> {
		try {
			await inTurn(this.context, async (entries) => {
				const recent = [...this.recent.values()].flatMap((one) => one.entries);
				if (!this.isLost) await entries.record(recent);
				await entries.remove([[beatEntry(this.beat), ...(this.isLost ? [] : [this.sign])]]);
			});
		} catch {
			// The next process finds that this one is dead.
		}
	}
}

/** By workflow and node. A hold that is being taken is there, too. */
const holds = new Map<string, Promise<Hold | undefined>>();

/** Whether another process shows new signs of life. Waits for one where the last is not too old. */
async function isHeldElsewhere(context: MemoryContext): Promise<boolean> {
	let last: number | undefined;
	let isMissing = false;
	for (;;) {
		const beat = await lastBeat(context);
		if (beat === undefined && (last === undefined || isMissing)) return false;
		if (beat !== undefined && last !== undefined && beat > last) return true;
		// Our question may have removed a sign of life that was recorded meanwhile, so look again.
		isMissing = beat === undefined;
		last = beat ?? last;
		await systemTime.sleep(LOOK_AGAIN_MS);
	}
}

/** The last sign of life that is not too old. The clock of another machine may be ahead. */
async function lastBeat(context: MemoryContext): Promise<number | undefined> {
	const newest = beatNow() + 1;
	const beats = Array.from({ length: BEATS_ALIVE + 1 }, (_, index) => newest - index);
	const known = await inTurn(context, async (entries) => await entries.ask([beats.map(beatEntry)]));
	return beats.find((beat) => known.has(beatEntry(beat)));
}

/** The number of an execution; n8n counts them. */
function numberOf(executionId: string): number {
	const number = Number(executionId);
	if (Number.isSafeInteger(number) && number >= 0) return number;
	return [...executionId].reduce((sum, character) => sum + character.charCodeAt(0), 0);
}
