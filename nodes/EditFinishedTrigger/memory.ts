import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { SeenTasks } from './finishedTasks';

/**
 * What the trigger keeps between polls, in n8n's static data of the node.
 *
 * With durable poll cursors, n8n discards what the poll of the activation stores there unless that poll
 * emits. The first poll of a configuration therefore also leaves a note in the static data of the
 * workflow, which n8n saves after the activation. The note counts until n8n has stored something newer
 * for the node, and is then removed.
 */
export class TriggerMemory {
	private readonly ofNode: IDataObject;

	private readonly ofWorkflow: IDataObject;

	private readonly noteName: string;

	constructor(context: IPollFunctions) {
		this.ofNode = context.getWorkflowStaticData('node');
		this.ofWorkflow = context.getWorkflowStaticData('global');
		this.noteName = `audioEditingEditFinishedTrigger:${context.getNode().id}`;
	}

	/** What an earlier poll kept; undefined when there was none for this configuration. */
	recall(configurationId: number): SeenTasks | undefined {
		const kept = seenIn(this.ofNode, configurationId);
		const note = this.ofWorkflow[this.noteName];
		if (kept !== undefined || !isObject(note)) return kept;
		const isNewer = note.keptBefore === this.ofNode.configurationId;
		return isNewer ? seenIn(note, configurationId) : undefined;
	}

	/** Keeps what the first poll of a configuration found. */
	note(seen: SeenTasks): void {
		const keptBefore = this.ofNode.configurationId;
		this.ofWorkflow[this.noteName] = { ...seen, keptBefore };
		Object.assign(this.ofNode, seen);
	}

	/** Keeps what a later poll found. */
	keep(seen: SeenTasks): void {
		const isKept = this.ofNode.configurationId === seen.configurationId;
		Object.assign(this.ofNode, seen);
		// n8n saves the static data after a deletion, even of nothing.
		if (isKept && this.noteName in this.ofWorkflow) delete this.ofWorkflow[this.noteName];
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
