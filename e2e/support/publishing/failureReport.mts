import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { ours, webhook } from '../nodes.mts';
import { failureOf } from '../outputs.mts';
import { firstExecution } from '../pages/form.mts';
import { startMailServer } from '../mailServer.mts';
import type { Sandbox } from '../sandbox.mts';
import { jsonOf, routes, startStandIn } from '../standIn.mts';
import { chain, settingsOf } from '../workflowFiles.mts';
import type { Publisher } from './publisher.mts';

/**
 * Slack's method chat.postMessage for one channel. It answers 200 also if it takes no message.
 *
 * Source: https://docs.slack.dev/reference/methods/chat.postMessage
 */
async function startSlack(sandbox: Sandbox) {
	const messages: string[] = [];
	const url = await startStandIn(
		sandbox,
		routes(['authorization', 'Bearer xoxb'], {
			'POST /api/chat.postMessage': (asked) => {
				const { channel, text } = jsonOf(asked);
				if (channel !== '#podcast') return { body: { ok: false, error: 'channel_not_found' } };
				messages.push(String(text));
				return { body: { ok: true, channel: 'C123ABC456', ts: '1503435956.000247' } };
			},
		}),
	);
	return { apiUrl: `${url}/api`, messages };
}

/** Runs a workflow that fails, with the failure report as its error workflow. */
export async function failWithReport(publisher: Publisher, channel: string) {
	const { sandbox, editor, credential } = publisher;
	const { apiUrl, messages } = await startSlack(sandbox);
	const { port, mails } = await startMailServer(sandbox);
	const mail = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	const addresses = { mailFrom: 'n8n@example.com', mailTo: 'me@example.com' };
	const settings = settingsOf({ apiUrl, channel, ...addresses });
	const report = await publisher.importedWith('failure-report.json', settings, {
		'Post to Slack': {
			slackApi: await editor.createCredential('Slack', { accessToken: 'xoxb' }, 'slackApi'),
		},
		'Send an email': { smtp: await editor.createCredential('Mail', mail, 'smtp') },
	});
	const errorWorkflow = await editor.published(report);
	const path = randomUUID();
	const parameters = { recordingFrom: 'url', fileUrls: 'http://127.0.0.1:9/gone.wav' };
	const node = ours('audioEditing', { name: 'Audio Editing', parameters });
	const failing = chain('Nightly show', credential, [webhook(path), node]);
	const withReport = { ...failing, settings: { ...failing.settings, errorWorkflow } };
	await editor.published(withReport);
	await editor.post(path);
	const execution = await firstExecution(editor, errorWorkflow);
	assert.equal(execution.status, 'success', failureOf(execution));
	return { messages, mails };
}
