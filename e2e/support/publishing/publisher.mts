import assert from 'node:assert/strict';

import { Client } from '../../../testkit/service/client.mts';
import { publishRecording } from '../audio.mts';
import type { Execution } from '../pages/editor.mts';
import { firstExecution, submitForm } from '../pages/form.mts';
import { type Host, startHost } from '../host.mts';
import { failureOf, itemsOf, onlyOne, textOf } from '../outputs.mts';
import {
	type Changes,
	type NodeCredentials,
	type OtherCredentials,
	withOthers,
} from '../workflowFiles.mts';

/** The title of every published episode. */
export const TITLE = 'Words & "chapters"';

/** Seconds instead of minutes between two looks at the host. */
const QUICKLY: Changes = { 'Wait a minute': { amount: 1, unit: 'seconds' } };

/**
 * Starts n8n and the service for somebody who publishes with the example workflows. The service recognizes
 * speech.
 */
export async function startPublisher() {
	const host = await startHost('publishing', {
		recognizes: true,
		// The workflow that signs a link for S3 needs it.
		env: { NODE_FUNCTION_ALLOW_BUILTIN: 'crypto' },
	});
	const { sandbox, service, editor } = host;
	const recordingUrl = await publishRecording(sandbox);
	const client = new Client(service.url, service.apiKey);
	/** Returns a workflow as it is after importing, with these credentials. */
	const importedWith = async (file: string, changes: Changes, others: OtherCredentials) =>
		withOthers(await host.imported(file, changes), others);
	return {
		...host,
		importedWith,
		/** Submits the form of a workflow, by default with a recording that is mostly talk. */
		publish: async (
			file: string,
			changes: Changes,
			others: OtherCredentials,
			url = recordingUrl,
		): Promise<Execution> => {
			const workflow = await importedWith(file, { ...QUICKLY, ...changes }, others);
			return await firstExecution(editor, await submitForm(editor, workflow, [url, TITLE]));
		},
		/** Checks that the execution made one edit, and whether that edit is still on the service. */
		assertOneEdit: async (execution: Execution, isKept: boolean): Promise<void> => {
			const editId = textOf(onlyOne(itemsOf(execution, 'Audio Editing')), 'editId');
			// The service shows an edit that is deleted as PENDING.
			const { status } = await client.edit(editId);
			assert.equal(status, isKept ? 'SUCCESS' : 'PENDING', failureOf(execution));
		},
	};
}

export type Publisher = Awaited<ReturnType<typeof startPublisher>>;

export async function headerAuth({ editor }: Host, name: string, value: string) {
	return {
		httpHeaderAuth: await editor.createCredential(name, { name, value }, 'httpHeaderAuth'),
	};
}

/** Creates a credential that has its token, as after the login at the other service. */
export async function loggedIn({ editor }: Host, type: string): Promise<NodeCredentials> {
	const oauthTokenData = { access_token: 'token', token_type: 'Bearer' };
	const data = { clientId: 'id', clientSecret: 'secret', oauthTokenData };
	return { [type]: await editor.createCredential(type, data, type) };
}

export function inNodes(names: readonly string[], credential: NodeCredentials): OtherCredentials {
	return Object.fromEntries(names.map((name) => [name, credential]));
}
