import type { z } from 'zod';

import { unknownKeys } from '../n8n/unknownKeys.ts';
import type { Answer, Call, Calls } from './calls.mts';

/** Something that the contract does not say. */
interface Finding {
	readonly call: string;
	readonly what: string;
}

/** What a response must be. */
interface Wanted {
	/** HTTP status; any 2xx if it is missing. */
	readonly status?: number;
	readonly schema?: z.ZodTypeAny;
	/** What the API documents: other keys are findings. */
	readonly wire?: z.ZodTypeAny;
}

/** A call and what became of it. */
interface Step {
	readonly call: string;
	readonly status: number | null;
	/** Of the first of these calls. */
	readonly milliseconds: number;
	/** Consecutive times with the same result. */
	readonly times: number;
	readonly isGood: boolean;
	readonly note?: string;
}

/** Everything that a run has learned. */
export interface Outcome {
	readonly steps: readonly Step[];
	readonly findings: readonly Finding[];
	/** The statuses of the edit in the order in which they were seen. */
	readonly statuses: readonly string[];
	/** Credit used, in the unit of the service; null where it is unknown. */
	readonly costInCredit: number | null;
}

/** Makes the calls of a run and notes what the contract does not say. */
export class Trial {
	private readonly steps: Step[] = [];
	private readonly findings = new Map<string, Finding>();
	private readonly statuses: string[] = [];
	private costInCredit: number | null = null;

	constructor(
		private readonly calls: Calls,
		private readonly say: (line: string) => void,
	) {}

	get outcome(): Outcome {
		const { steps, statuses, costInCredit } = this;
		return { steps, findings: [...this.findings.values()], statuses, costInCredit };
	}

	/** Sends a request, checks the response, and returns it also if it is not what was wanted. */
	async call(name: string, call: Call, wanted: Wanted = {}): Promise<Answer> {
		const answer = await this.calls.send(call);
		const { status, body, milliseconds } = answer;
		const { schema, wire } = wanted;
		const isStatus = wanted.status === undefined ? status < 300 : status === wanted.status;
		const refused = (isStatus && schema?.safeParse(body).error?.issues) || [];
		for (const { path, message } of refused)
			this.find(name, `the contract refuses '${path.join('.')}': ${message}`);
		const unknown = isStatus && wire ? unknownKeys(body, wire) : [];
		for (const path of unknown) this.find(name, `unknown key '${path}'`);
		const isGood = isStatus && refused.length === 0;
		const note = isGood ? undefined : `${isStatus ? '' : 'not as expected: '}${shown(body)}`;
		this.note({ call: name, status, milliseconds, isGood, ...(note && { note }) });
		return answer;
	}

	/** Notes something that docs/api.md does not show. It is no failure. */
	find(call: string, what: string): void {
		this.findings.set(`${call}: ${what}`, { call, what });
	}

	fail(call: string, note: string): void {
		this.note({ call, status: null, milliseconds: 0, isGood: false, note });
	}

	/** A call had no response. */
	broke(error: unknown): void {
		const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
		this.fail('the run', cause instanceof Error ? cause.message : String(cause));
	}

	saw(status: string): void {
		if (this.statuses.at(-1) !== status) this.statuses.push(status);
	}

	cost(before: number | undefined, after: number | undefined): void {
		if (before !== undefined && after !== undefined) this.costInCredit = before - after;
	}

	/** Records a step. A poll with the same result as the one before it only raises the count. */
	private note(step: Omit<Step, 'times'>): void {
		const { call, status, isGood, note } = step;
		const last = this.steps.at(-1);
		if (last?.call === call && last.status === status && last.note === note) {
			this.steps.splice(-1, 1, { ...last, times: last.times + 1 });
			return;
		}
		this.steps.push({ ...step, times: 1 });
		this.say(`${isGood ? 'ok  ' : 'FAIL'} ${call} ${status ?? ''} ${note ?? ''}`.trim());
	}
}

function shown(body: unknown): string {
	return (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 300);
}
