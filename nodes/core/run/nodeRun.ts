import type {
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWorkflowExecutionCustomData,
} from 'n8n-workflow';

import { sendsKeyInTheClear, withSignal } from '../../../api/credential';
import { sanitizeText } from '../../../api/sanitizeText';
import type { Cover } from '../../../formats/tags/episodeTags';
import { MAX_NAMED, listed } from '../texts';
import type { Progress } from './progress';
import type { RunSummary } from './runSummary';
import { type Service, openService } from './service';
import { SubmissionLedger } from '../ledger/submissionLedger';

/**
 * Whether an agent runs the node. n8n appends 'Tool' to the type of a node used as a tool. AI Agents from
 * version 3 on run tools like any other node, so `isToolExecution()` is false there.
 */
export function isToolUse(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;
}

/** The limits on what a run spends. */
export interface SpendingLimits {
	readonly maxEdits?: number;
	readonly minCredit?: number;
	/** Whether edits are created although the credit cannot be read. */
	readonly ignoresUnknownCredit?: boolean;
}

/** What a template says about the picture of a video, as far as it says so. */
export interface TemplatePicture {
	readonly video?: boolean;
	/** Other than `auto`, it makes an audio file, unless the template edits videos. */
	readonly exportFormat?: string;
}

/** One run of a node: n8n's context, and what the items of the run share. */
export class NodeRun {
	readonly node: INode;

	readonly items: readonly INodeExecutionData[];

	/** Whether an agent runs the node. */
	readonly isTool: boolean;

	/** Aborted by Stop. */
	readonly stop?: AbortSignal;

	/** Aborted when a failure ends the node: no request is tried again; those under way go on. */
	readonly failed = new AbortController();

	/** Aborted by Stop, too: nothing more begins. */
	readonly stoppedOrFailed: AbortSignal;

	readonly hints = new Hints();

	/** The limits on what the node spends, if there are any. */
	limits: SpendingLimits = {};

	/** Logs how far the items are; missing in nodes that take no time. */
	progress?: Progress;

	/** What became of the items, in nodes that create edits. */
	summary?: RunSummary;

	/** The URLs of the recordings as the form has them, by the index of the item. */
	readonly fileUrls = new Map<number, readonly string[]>();

	/** The covers by their URL: episodes of one show share a cover. */
	readonly covers = new Map<string, Promise<Cover>>();

	/** The files of shows that this run uploads or has uploaded, by a hash of each: items share them. */
	readonly kitUploads = new Map<string, Promise<string>>();

	/** What the templates say about pictures, by their IDs; undefined where the service does not show it. */
	readonly templates = new Map<number, Promise<TemplatePicture | undefined>>();

	/** Whether the service is the local one, as it says itself; undefined until it was asked. */
	isLocalService?: boolean;

	/** The names of the recordings, by the ID of their edit. */
	private readonly recordings = new Map<string, string>();

	private service?: Promise<Service>;

	private ownLedger?: SubmissionLedger;

	private custom?: { readonly data: IWorkflowExecutionCustomData | undefined };

	constructor(readonly context: IExecuteFunctions) {
		this.node = context.getNode();
		// A node may have returned items without json.
		const items: Array<Partial<INodeExecutionData>> = context.getInputData();
		this.items = items.map((item) => (hasJson(item) ? item : { ...item, json: {} }));
		this.isTool = isToolUse(context);
		this.stop = context.getExecutionCancelSignal();
		const failed = this.failed.signal;
		this.stoppedOrFailed = this.stop ? AbortSignal.any([this.stop, failed]) : failed;
	}

	get isStopped(): boolean {
		return this.stop?.aborted ?? false;
	}

	/** Whether a failure stays with its item while the other items go on. */
	get mayContinue(): boolean {
		return this.context.continueOnFail() && !this.isStopped;
	}

	/** Ends the node after a failure that does not stay with its item. */
	endUnlessItContinues(): void {
		if (!this.mayContinue) this.failed.abort();
	}

	/** Remembers the name of an edit's recording, for the log. */
	noteRecording(editId: string, sourceFileName: string | undefined): void {
		if (sourceFileName) this.recordings.set(editId, sanitizeText(sourceFileName));
	}

	/** An edit's ID and, if it is known, the name of its recording: `49d2… ('rec-150.mp3')`. */
	labelOf(editId: string, more = ''): string {
		const name = this.recordings.get(editId);
		const about = [name && `'${name}'`, more].filter(Boolean).join(', ');
		return about === '' ? editId : `${editId} (${about})`;
	}

	/** The edits created in this run of the node, in all its tries. */
	createdEditIds(): string[] {
		const editIds = this.ledger.acceptedSubmissions().map(({ editId, sourceFileName }) => {
			this.noteRecording(editId, sourceFileName);
			return editId;
		});
		return [...new Set(editIds)];
	}

	/** What was submitted in this execution. Creating it evaluates an expression, which is slow. */
	get ledger(): SubmissionLedger {
		return (this.ownLedger ??= new SubmissionLedger(this.context, this.isTool));
	}

	/**
	 * The execution's custom data, which expressions have in n8n 2.0, too, and nodes do not. Looking it up
	 * builds everything that an expression may use, which is slow.
	 */
	get customData(): IWorkflowExecutionCustomData | undefined {
		if (this.custom === undefined) {
			const { $execution } = this.context.getWorkflowDataProxy(0) as {
				$execution?: { customData?: IWorkflowExecutionCustomData };
			};
			this.custom = { data: $execution?.customData };
		}
		return this.custom.data;
	}

	/** Whether a request may have been sent. From then on, n8n evaluates nothing more of the form. */
	get hasService(): boolean {
		return this.service !== undefined;
	}

	/**
	 * Opens the service with the node's credential. All items use the first item's: n8n authenticates
	 * every call with it, so an address from another item's credential would get a key not meant for it.
	 */
	async openService(): Promise<Service> {
		return await (this.service ??= this.open());
	}

	/** The service for requests after Stop: `signal` ends them instead of the execution's signal. */
	async openServiceUntil(signal: AbortSignal): Promise<Service> {
		return await openService(withSignal(this.context, signal));
	}

	private async open(): Promise<Service> {
		const service = await openService(this.context, {
			givesUp: this.failed.signal,
			onPause: (waitMs) => this.progress?.pause(waitMs),
		});
		if (sendsKeyInTheClear(service.origin)) {
			this.hints.add(
				`The API key is sent unencrypted to ${service.origin}. Use https:// in the 'Base URL' of the credential.`,
			);
		}
		return service;
	}
}

function hasJson(item: Partial<INodeExecutionData>): item is INodeExecutionData {
	return item.json !== undefined;
}

type HintType = 'info' | 'warning';

/** The hints of a node run. Each appears once on the node's output, however many items have it. */
export class Hints {
	/** The type and the subjects of each hint. */
	private readonly hints = new Map<string, { type: HintType; subjects: Set<string> }>();

	/**
	 * @param message a sentence, or what to say about the subject
	 * @param subject a file or an edit
	 * @param type `info` if nothing is wrong
	 */
	add(message: string, subject?: string, type: HintType = 'warning'): void {
		const hint = this.hints.get(message) ?? { type, subjects: new Set() };
		this.hints.set(message, hint);
		if (subject !== undefined) hint.subjects.add(subject);
	}

	/** Shows the hints on the node's output. */
	show(context: IExecuteFunctions): void {
		for (const [message, { type, subjects }] of this.hints) {
			const text = subjects.size > 0 ? `${listed([...subjects], MAX_NAMED)}: ${message}` : message;
			context.addExecutionHints({ message: text, type, location: 'outputPane' });
		}
	}
}
