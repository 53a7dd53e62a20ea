import { Blob } from 'node:buffer';

import { type Editor, type Execution, type NewWorkflow } from './editor.mts';
import { eventually } from '../../../testkit/time/eventually.mts';

/** A file as the visitor of a form chooses it. */
export interface ChosenFile {
	readonly name: string;
	readonly content: Buffer;
}

/**
 * Publishes a workflow with a form, and submits the form as a browser does.
 *
 * @param values one for each field of the form: a file or a text
 * @returns the workflow's ID
 */
export async function submitForm(
	editor: Editor,
	workflow: NewWorkflow,
	values: readonly (ChosenFile | string)[],
): Promise<string> {
	const id = await editor.published(workflow);
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	await sendForm(`${editor.url}/form/${trigger?.webhookId ?? ''}`, values);
	return id;
}

/** Sends a form as a browser does. @throws unless n8n takes it */
export async function sendForm(
	url: string,
	values: readonly (ChosenFile | string)[],
): Promise<void> {
	const form = new FormData();
	for (const [index, value] of values.entries()) {
		const field = `field-${index}`;
		if (typeof value === 'string') form.set(field, value);
		else
			form.set(field, new Blob([new Uint8Array(value.content)], { type: 'audio/wav' }), value.name);
	}
	const response = await fetch(url, { method: 'POST', body: form });
	if (!response.ok) throw new Error(`The form: ${response.status} ${await response.text()}`);
}

/** Returns the first execution of a published workflow after it has ended. */
export async function firstExecution(editor: Editor, workflowId: string): Promise<Execution> {
	const { id } = await eventually(`workflow ${workflowId} was started`, async () =>
		(await editor.executionsOf(workflowId)).at(-1),
	);
	return await editor.reached(id);
}
