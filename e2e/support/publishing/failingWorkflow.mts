import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { firstExecution } from '../pages/form.mts';
import { failureOf } from '../outputs.mts';
import { ours, webhook } from '../nodes.mts';
import { startMailServer } from '../standIns/mailServer.mts';
import { startSlack } from '../standIns/slack.mts';
import { chain, settingsOf } from '../workflowFiles.mts';
import type { Publisher } from './publisher.mts';

/** Runs a workflow that fails, with the failure report as its error workflow. */
export async function failWithReport(publisher: Publisher, channel: string) {
	const { sandbox, editor, credential } = publisher;
	const slack = await startSlack(sandbox, 'xoxb', '#podcast');
	const { port, mails } = await startMailServer(sandbox);
	const mail = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	const addresses = { mailFrom: 'n8n@example.com', mailTo: 'me@example.com' };
	const settings = settingsOf({ apiUrl: `${slack.url}/api`, channel, ...addresses });
	const report = await publisher.importedWith('failure-report.json', settings, {
		'Post to Slack': {
			slackApi: await editor.createCredential('Slack', { accessToken: 'xoxb' }, 'slackApi'),
		},
		'Send an email': { smtp: await editor.createCredential('Mail', mail, 'smtp') },
	});
	const errorWorkflow = await editor.createWorkflow(report);
	await editor.publish(errorWorkflow);
	const path = randomUUID();
	const parameters = { recordingFrom: 'url', fileUrls: 'http://127.0.0.1:9/gone.wav' };
	const node = ours('audioEditing', { name: 'Audio Editing', parameters });
	const failing = chain('Nightly show', credential, [webhook(path), node]);
	const withReport = { ...failing, settings: { ...failing.settings, errorWorkflow } };
	const id = await editor.createWorkflow(withReport);
	await editor.publish(id);
	await fetch(`${editor.url}/webhook/${path}`, { method: 'POST' });
	const execution = await firstExecution(editor, errorWorkflow);
	assert.equal(execution.status, 'success', failureOf(execution));
	return { slack, mails };
}
