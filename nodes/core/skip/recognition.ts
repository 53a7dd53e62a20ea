import type { NodeRun } from '../run/nodeRun';
import type { RecordingKey } from '../ledger/submissionLedger';
import { RunMemory } from './runMemory';
import type { SkipRule } from './skipRule';

/** How the recordings of a run are recognized, and what n8n's memory knows of them. */
export class Recognition {
	/** What n8n's memory knows of the recordings, if recordings already edited are skipped. */
	remembered?: RunMemory;

	/** Why it could not be asked. */
	lookUpFailure?: unknown;

	/** Why nothing is submitted although edits of earlier executions are fetched. */
	refusal?: Error;

	/** How each recording is recognized, or why that cannot be said, by the index of its first item. */
	private readonly rules = new Map<
		number,
		{ readonly rule: SkipRule } | { readonly error: unknown }
	>();

	noteRule(itemIndex: number, rule: SkipRule): void {
		this.rules.set(itemIndex, { rule });
	}

	noteFailure(itemIndex: number, error: unknown): void {
		this.rules.set(itemIndex, { error });
	}

	/** How a recording is recognized; undefined if that is off. @throws what kept it from being read */
	ruleOf(itemIndex: number): SkipRule | undefined {
		const found = this.rules.get(itemIndex);
		if (found === undefined) return undefined;
		if ('rule' in found) return found.rule;
		throw found.error;
	}

	/** Whether a recording is new, as far as that is known: it may be submitted. */
	mayBeNew(itemIndex: number): boolean {
		const found = this.rules.get(itemIndex);
		if (found === undefined || !('rule' in found)) return true;
		const state = this.remembered?.of(found.rule.key)?.state;
		return state === undefined || state === 'new';
	}

	/**
	 * Looks up the recordings in n8n's memory, those with a rule and more. What keeps that from working fails each
	 * recording by itself.
	 */
	async lookUp(run: NodeRun, more: readonly RecordingKey[] = []): Promise<void> {
		const rules = [...this.rules.values()].flatMap((found) => ('rule' in found ? found.rule : []));
		const keys = [...rules, ...more];
		if (keys.length === 0) return;
		// A recording must not stay uncertain because the credential cannot be used.
		await run.openService();
		try {
			this.remembered = await RunMemory.open(run, keys);
		} catch (error) {
			this.lookUpFailure = error;
		}
	}
}
