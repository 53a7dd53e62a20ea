import { createHash } from 'crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { EditRequest } from '../../api/contract';
import { isToolUse } from '../shared/isToolUse';

/** A submission that the service may have taken. */
interface UncertainSubmission {
	readonly state: 'uncertain';
	/** The message of that try's error, which may hold the edit's ID. */
	readonly told?: string;
}

/** A submission that the service took. */
export interface AcceptedSubmission {
	readonly state: 'accepted';
	readonly editId: string;
	readonly submittedAt: string;
	/** What was sent, without secrets; missing where an earlier version of this package submitted it. */
	readonly sent?: IDataObject;
}

/** What became of a submission earlier in this execution. */
export type Submission = UncertainSubmission | AcceptedSubmission;

interface Entry {
	/** For a tool: the run and the item that it was submitted for. */
	readonly item?: string;
	/** For a tool: hash of the item's json, which is what the model passed to it. */
	readonly input?: string;
	readonly submission: Submission;
}

/**
 * Remembers, within one execution, what was already submitted. n8n's Retry On Fail runs the whole node
 * again, also for the items that succeeded; without this ledger those would be charged twice.
 *
 * An entry belongs to an item of a run: whatever the request looks like when the node runs again (it
 * may hold the time, or a new signature), it is the same item's, and is not submitted again. A loop
 * runs the node with another run index, and so submits again, as it should.
 *
 * A model that repeats a call of its tool begins another run. For a tool, the same request is therefore
 * the same edit as well, whatever its signatures are. A call whose input met an uncertain end is refused,
 * too: its request may hold something else that changes.
 *
 * It lives in the node's context, which n8n keeps with the execution.
 */
export class SubmissionLedger {
	private readonly book: Record<string, Entry>;

	private readonly isTool: boolean;

	/** Read once: n8n takes longer over an expression than over most of what a node does. */
	private readonly runIndex: string;

	constructor(private readonly context: IExecuteFunctions) {
		const nodeContext: IDataObject = context.getContext('node');
		nodeContext.submissions ??= {};
		this.book = nodeContext.submissions as object as Record<string, Entry>;
		this.isTool = isToolUse(context);
		this.runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	}

	/** The earlier submission of this item, if there was one. */
	find(itemIndex: number, request: EditRequest): Submission | undefined {
		const own = this.book[this.key(itemIndex, request)];
		if (own !== undefined || !this.isTool) return own?.submission;
		const { item, input } = this.callOf(itemIndex);
		const isSameCall = (entry: Entry) =>
			(item !== undefined && entry.item === item) ||
			(entry.submission.state === 'uncertain' && entry.input === input);
		return Object.values(this.book).find(isSameCall)?.submission;
	}

	/** Every edit accepted in this run of the node, so that an error can name them. */
	acceptedEditIds(): string[] {
		return this.ofThisRun().flatMap((submission) =>
			submission.state === 'accepted' ? [submission.editId] : [],
		);
	}

	/** How many submissions of this run the service may have taken without our knowing. */
	uncertainSubmissions(): number {
		return this.ofThisRun().filter(({ state }) => state === 'uncertain').length;
	}

	note(itemIndex: number, request: EditRequest, submission: Submission): void {
		const call = this.isTool ? this.callOf(itemIndex) : {};
		this.book[this.key(itemIndex, request)] = { ...call, submission };
	}

	/** The service did not take it, so it may be submitted again. */
	forget(itemIndex: number, request: EditRequest): void {
		delete this.book[this.key(itemIndex, request)];
	}

	private ofThisRun(): Submission[] {
		return Object.entries(this.book)
			.filter(([key]) => key.startsWith(this.keyOf('')))
			.map(([, { submission }]) => submission);
	}

	private key(itemIndex: number, request: EditRequest): string {
		return this.keyOf(this.isTool ? hash(withoutSignatures(request)) : String(itemIndex));
	}

	private keyOf(what: string): string {
		return `${this.isTool ? 'tool' : this.runIndex}:${what}`;
	}

	private callOf(itemIndex: number): Pick<Entry, 'item' | 'input'> {
		// Agents before version 3 give all calls of a batch one run index, and each try its own.
		const hasOwnRun = this.context.isToolExecution?.() !== true;
		const input = hash(this.context.getInputData()[itemIndex]?.json ?? {});
		return { input, ...(hasOwnRun && { item: `${this.runIndex}:${itemIndex}` }) };
	}
}

/** Parameters with which storages sign a link; they change whenever it is signed. */
const SIGNATURE_PARAMETER =
	/^(x-(amz|goog)-.*|(aws|google)?access(key)?id|key-pair-id|policy|sig|signature|token|expires|se|sp|sr|st|sv|skoid|sktid|skt|ske|sks|skv)$/i;

/** A request without what changes from try to try: the signatures of its links, and where to deliver. */
function withoutSignatures({ input }: EditRequest): object {
	const config = { ...input.config, signed_url: undefined };
	return { ...input, config, files: input.files.map(unsigned) };
}

function unsigned(link: string): string {
	const url = new URL(link);
	for (const name of [...url.searchParams.keys()]) {
		if (SIGNATURE_PARAMETER.test(name)) url.searchParams.delete(name);
	}
	return url.toString();
}

/** A hash, because what is hashed may hold a signed URL, which must not be stored. */
function hash(value: object): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
