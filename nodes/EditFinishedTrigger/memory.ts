import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { SeenTasks } from './finishedTasks';

/**
 * Keeps what the trigger has seen between polls, in n8n's static data of the node.
 *
 * With durable poll cursors, n8n discards what the poll at activation stores there unless that poll emits.
 * So the first poll also leaves a note in the static data of the workflow, which n8n saves after the
 * activation. The note counts until n8n has stored something newer for the node.
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

	/** What an earlier poll of this template kept; undefined when there was none. */
	recall(templateId: number): SeenTasks | undefined {
		const note = this.ofWorkflow[this.noteName];
		const isNewer = isObject(note) && note.keptBefore === this.ofNode.templateId;
		const own = seenIn(this.ofNode, templateId);
		return own ?? (isNewer ? seenIn(note, templateId) : undefined);
	}

	/** Keeps what the first poll of a template found. */
	note(seen: SeenTasks): void {
		this.ofWorkflow[this.noteName] = { ...seen, keptBefore: this.ofNode.templateId };
		Object.assign(this.ofNode, seen);
	}

	/** Keeps what a later poll found. */
	keep(seen: SeenTasks): void {
		const isKept = this.ofNode.templateId === seen.templateId;
		Object.assign(this.ofNode, seen);
		// n8n saves the static data after any deletion, even one without effect.
		if (isKept && this.noteName in this.ofWorkflow) delete this.ofWorkflow[this.noteName];
	}
}

function seenIn(kept: IDataObject, templateId: number): SeenTasks | undefined {
	const { missingSinceMs } = kept;
	if (kept.templateId !== templateId || !isObject(missingSinceMs)) return undefined;
	const entries = Object.entries(missingSinceMs).map(([id, sinceMs]) => [id, Number(sinceMs)]);
	return { templateId, missingSinceMs: Object.fromEntries(entries) };
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null;
}
