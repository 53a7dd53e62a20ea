import { Blob } from 'node:buffer';

import { type Editor, type Execution, type NewWorkflow } from './editor.mts';
import { eventually } from '../../../test/support/eventually.mts';

/** A file as the visitor of a form chooses it. */
export interface ChosenFile {
	readonly name: string;
	readonly content: Buffer;
}

/**
 * Publishes a workflow with a form, submits the form as a browser does, and waits for its execution to
 * end.
 *
 * @param values one for each field of the form: a file or a text
 */
export async function submitForm(
	editor: Editor,
	workflow: NewWorkflow,
	values: readonly (ChosenFile | string)[],
): Promise<Execution> {
	const id = await editor.createWorkflow(workflow);
	await editor.publish(id);
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	await sendForm(`${editor.url}/form/${trigger?.webhookId ?? ''}`, values);
	return await firstExecution(editor, id);
}

/** Sends a form as a browser does. @throws unless n8n takes it */
export async function sendForm(
	url: string,
	values: readonly (ChosenFile | string)[],
): Promise<void> {
	const form = new FormData();
	values.forEach((value, index) => {
		const field = `field-${index}`;
		if (typeof value === 'string') {
			form.set(field, value);
			return;
		}
		const { name, content } = value;
		form.set(field, new Blob([new Uint8Array(content)], { type: 'audio/wav' }), name);
	});
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
