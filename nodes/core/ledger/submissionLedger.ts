import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { EditRequest } from '../../../api/contract';
import { systemTime } from '../../../api/time';
import { withoutSignaturesIn } from './localLinks';
import { hashOf, unsigned } from './identity';

/** A recording, and what is asked for it. Both are hashes: names and URLs must not be stored. */
export interface RecordingKey {
	readonly key: string;
	readonly request: string;
}

/** A submission that the service may have taken. */
export interface UncertainSubmission {
	readonly state: 'uncertain';
	/** The message of that try's error, which may contain the edit's ID. */
	readonly said?: string;
	/** The name of the recording, where that is known. */
	readonly sourceFileName?: string;
}

/** A submission that the service took. */
export interface AcceptedSubmission {
	readonly state: 'accepted';
	readonly editId: string;
	readonly submittedAt: string;
	/** When the service asks to be asked about the edit first, where it says so. */
	readonly firstPollAfterSeconds?: number;
	/** The name of the recording, where that is known. */
	readonly sourceFileName?: string;
	/** What was sent, without secrets; unknown of an edit that an item brings along. */
	readonly sent?: IDataObject;
	/** The recording in n8n's memory, if recordings already edited are skipped. */
	readonly skip?: RecordingKey;
	/** How the edit ended with FAILURE, and in which execution that was seen. */
	readonly failure?: { readonly executionId: string; readonly said: IDataObject };
	/** Whether there was a link for a review. The ledger is stored, so the link itself is not in it. */
	readonly isReviewed?: true;
}

/** A submission earlier in this execution. */
export type Submission = UncertainSubmission | AcceptedSubmission;

/** What the ledger recognizes a submission by. */
export interface SubmissionKey {
	readonly itemIndex: number;
	/** See `fingerprintOf`: a different fingerprint means a different recording or edit. */
	readonly fingerprint: string;
	/** Needed for a tool only. */
	readonly request?: EditRequest;
}

interface Entry {
	/** For a tool: the key of the item that a node of the workflow would have. */
	readonly item?: string;
	/** For a tool: hash of the item's json, which is the model's input. */
	readonly input?: string;
	readonly submission: Submission;
}

/** The files of an item that were uploaded. */
interface Uploads {
	readonly fileUrls: readonly string[];
	readonly uploadedAt: string;
}

/** The start of a tool's keys: all its calls share one book. */
const TOOL = 'tool:';

/** The service keeps uploads for 7 days (api.md#limits); an edit also needs its time. */
const UPLOADS_KEPT_MS = 6 * 86_400_000;

/**
 * Remembers what was submitted in one execution. n8n's Retry On Fail runs the whole node again, including
 * the items that succeeded; without the ledger those would be charged twice.
 *
 * An entry belongs to an item of a run and its fingerprint. The item is not submitted again even if its
 * request differs the next time, since it may contain the time or a new signature. It is if a person has
 * changed what to edit, or how, before a retry of the execution. A loop runs the node with another run
 * index, and so submits again, as it should.
 *
 * A model that repeats a call of its tool starts another run. For a tool, the same request therefore
 * counts as the same edit, whatever its signatures are. After an uncertain submission, every call with
 * the same input is refused, because other parts of its request may change.
 *
 * The ledger is in the node's context, which n8n stores with the execution.
 */
export class SubmissionLedger {
	private readonly book: Record<string, Entry>;

	private readonly uploads: Record<string, Uploads>;

	private readonly runIndex: string;

	/** Stays the same when n8n copies the ledger into a retry. */
	private readonly firstExecution: unknown;

	/** The fingerprints that were looked up in this try, by item. */
	private readonly current = new Map<number, string>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly isTool: boolean,
	) {
		const nodeContext: IDataObject = context.getContext('node');
		this.book = recordIn(nodeContext, 'submissions');
		this.uploads = recordIn(nodeContext, 'uploads');
		this.firstExecution = nodeContext.firstExecution ??= executionOf(context);
		this.runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	}

	/** The earlier submission of this item with this fingerprint, if there was one. */
	find(submission: SubmissionKey): Submission | undefined {
		this.current.set(submission.itemIndex, submission.fingerprint);
		const own = this.book[this.key(submission)];
		if (own !== undefined || !this.isTool) return own?.submission;
		const { item, input } = this.callOf(submission);
		const isSameCall = (entry: Entry) =>
			(item !== undefined && entry.item === item) ||
			(entry.submission.state === 'uncertain' && entry.input === input);
		return Object.values(this.book).find(isSameCall)?.submission;
	}

	/** How many edits this node has created in this execution, or may have. */
	get size(): number {
		return Object.keys(this.book).length;
	}

	/** The edits accepted in this run of the node, in all its tries. */
	acceptedSubmissions(): AcceptedSubmission[] {
		return this.ofThisRun().flatMap(([, submission]) =>
			submission.state === 'accepted' ? [submission] : [],
		);
	}

	/** How many submissions of this run the service may have taken without a response. */
	uncertainSubmissions(): number {
		return this.ofThisRun().filter(([, { state }]) => state === 'uncertain').length;
	}

	/** The names of the recordings of such submissions, except that of one item. */
	uncertainRecordings(exceptItemIndex: number): string[] {
		// A call of a tool has one item, and its book is that of all calls.
		if (this.isTool) return [];
		const fingerprint = this.current.get(exceptItemIndex) ?? '';
		const own = this.key({ itemIndex: exceptItemIndex, fingerprint });
		return this.ofThisRun().flatMap(([key, submission]) => {
			if (key === own || submission.state !== 'uncertain') return [];
			return [submission.sourceFileName ?? `item ${key.split(':')[1]}`];
		});
	}

	note(key: SubmissionKey, submission: Submission): void {
		const call = this.isTool ? this.callOf(key) : {};
		this.book[this.key(key)] = { ...call, submission };
	}

	/** Notes that an accepted edit ended with FAILURE. */
	noteFailure(key: SubmissionKey, said: IDataObject): void {
		const entry = this.book[this.key(key)];
		if (entry?.submission.state !== 'accepted') return;
		const failure = { executionId: this.context.getExecutionId(), said };
		this.book[this.key(key)] = { ...entry, submission: { ...entry.submission, failure } };
	}

	/** How the edit of a submission ended with FAILURE, if an earlier try of this execution has seen that. */
	failureOf(key: SubmissionKey): IDataObject | undefined {
		const earlier = this.book[this.key(key)]?.submission;
		const failure = earlier?.state === 'accepted' ? earlier.failure : undefined;
		return failure?.executionId === this.context.getExecutionId() ? failure?.said : undefined;
	}

	/** The URLs of these files, if this item uploaded them in this execution and the service still has them. */
	uploadedFiles(itemIndex: number, filesKey: string): readonly string[] | undefined {
		const kept = this.uploads[this.keyOf(itemIndex, filesKey)];
		const ageMs = systemTime.timeOfDay() - Date.parse(kept?.uploadedAt ?? '');
		return ageMs < UPLOADS_KEPT_MS ? kept.fileUrls : undefined;
	}

	/** @param fileUrls without signatures: the context is stored with the execution */
	noteUploads(itemIndex: number, filesKey: string, fileUrls: readonly string[]): void {
		const uploadedAt = new Date(systemTime.timeOfDay()).toISOString();
		this.uploads[this.keyOf(itemIndex, filesKey)] = { fileUrls: [...fileUrls], uploadedAt };
	}

	/** The service did not take it, so it may be submitted again. */
	forget(key: SubmissionKey): void {
		delete this.book[this.key(key)];
	}

	/** A hash that this submission has in all retries of the first execution. */
	keyInRetries(key: SubmissionKey): string {
		return hashOf(['retry', this.firstExecution, this.key(key)]);
	}

	private ofThisRun(): Array<[key: string, Submission]> {
		const run = this.isTool ? TOOL : `${this.runIndex}:`;
		const own = Object.entries(this.book).filter(([key]) => key.startsWith(run));
		return own.map(([key, { submission }]) => [key, submission]);
	}

	private key({ itemIndex, fingerprint, request }: SubmissionKey): string {
		return this.isTool && request !== undefined
			? TOOL + hashOf(withoutSignatures(request))
			: this.keyOf(itemIndex, fingerprint);
	}

	private keyOf(itemIndex: number, hash: string): string {
		return `${this.runIndex}:${itemIndex}:${hash}`;
	}

	private callOf({ itemIndex, fingerprint }: SubmissionKey): Pick<Entry, 'item' | 'input'> {
		// Agents before version 3 give all calls of a batch one run index, and each try its own.
		const hasOwnRun = this.context.isToolExecution?.() !== true;
		const input = hashOf(this.context.getInputData()[itemIndex]?.json ?? {});
		return { input, ...(hasOwnRun && { item: this.keyOf(itemIndex, fingerprint) }) };
	}
}

/** The execution's ID. For a retry, the start of the first execution, which did not get to this node. */
function executionOf(context: IExecuteFunctions): string | number {
	const startedAtMs =
		context.getMode() === 'retry' ? context.getExecutionContext()?.establishedAt : undefined;
	return startedAtMs ?? context.getExecutionId();
}

/** A request without the parts that change from try to try: signatures, and the address for delivery. */
function withoutSignatures({ input }: EditRequest): object {
	const config = { ...input.config, signed_url: undefined };
	const local = input.local && withoutSignaturesIn(input.local);
	return { ...input, config, files: input.files.map(unsigned), ...(local && { local }) };
}

/** A record in a context that n8n stores with the execution. It is made at the first use. */
export function recordIn<Value>(context: IDataObject, key: string): Record<string, Value> {
	context[key] ??= {};
	return context[key] as object as Record<string, Value>;
}
