import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { SeenTasks } from './finishedTasks';

/**
 * What the trigger keeps between polls, in n8n's static data of the node.
 *
 * With durable poll cursors n8n drops what the poll of the activation keeps there, unless it emits. The
 * first poll therefore leaves a note in the static data of the workflow, too, which n8n saves after the
 * activation. The note counts until n8n has kept something for the node, and is then removed.
 */
export class TriggerMemory {
	private readonly ofNode: IDataObject;

	private readonly ofWorkflow: IDataObject;

	private readonly noteName: string;

	private readonly isKept: boolean;

	constructor(context: IPollFunctions) {
		this.ofNode = context.getWorkflowStaticData('node');
		this.ofWorkflow = context.getWorkflowStaticData('global');
		this.noteName = `audioEditingEditFinishedTrigger:${context.getNode().id}`;
		this.isKept = this.ofNode.configurationId !== undefined;
	}

	/** What an earlier poll kept; undefined when there was none for this configuration. */
	recall(configurationId: number): SeenTasks | undefined {
		const kept = this.isKept ? this.ofNode : this.ofWorkflow[this.noteName];
		return seenIn(kept, configurationId);
	}

	/** Keeps what the first poll of a configuration found. */
	note(seen: SeenTasks): void {
		this.keep(seen);
		if (!this.isKept) this.ofWorkflow[this.noteName] = seen;
	}

	/** Keeps what a poll found. */
	keep(seen: SeenTasks): void {
		Object.assign(this.ofNode, seen);
		if (this.isKept && this.noteName in this.ofWorkflow) delete this.ofWorkflow[this.noteName];
	}
}

function seenIn(kept: unknown, configurationId: number): SeenTasks | undefined {
	if (!isObject(kept) || kept.configurationId !== configurationId) return undefined;
	const { missingSinceMs } = kept;
	if (!isObject(missingSinceMs)) return undefined;
	const entries = Object.entries(missingSinceMs).map(([id, sinceMs]) => [id, Number(sinceMs)]);
	return { configurationId, missingSinceMs: Object.fromEntries(entries) };
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null;
}
