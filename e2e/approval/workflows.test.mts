/** The workflow that asks a person before it publishes, with a stand-in for Telegram. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { send } from '../../testkit/service/client.mts';
import { Review } from '../../testkit/service/reviews.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { TALK_WAV, assertEditedTalk } from '../support/audio.mts';
import { failureOf, fileOf, itemOf } from '../support/outputs.mts';
import { firstExecution, submitForm, type ChosenFile } from '../support/pages/form.mts';
import { inNodes, startPublisher } from '../support/publishing/publisher.mts';
import { startService } from '../support/sandbox.mts';
import { startTelegram } from '../support/telegram.mts';
import type { OtherCredentials } from '../support/workflowFiles.mts';

const publisher = await startPublisher();
const { sandbox, editor } = publisher;
const recording = { name: 'talk.wav', content: TALK_WAV };
const telegram = await startTelegram(sandbox, '1:token', Buffer.of());
const bot = { accessToken: '1:token', baseUrl: telegram.url };
const telegramApi = await editor.createCredential('Bot', bot, 'telegramApi');
const MESSAGES = ['Send the link'];
const QUICKLY = { 'Sleep in the database': { amount: 1, unit: 'seconds' } };

/** Publishes a workflow and submits its form. @returns the workflow's ID */
async function begin(file: string, value: ChosenFile | string, others: OtherCredentials = {}) {
	const credentials = { ...inNodes(MESSAGES, { telegramApi }), ...others };
	const workflow = await publisher.importedWith(file, QUICKLY, credentials);
	return await submitForm(editor, workflow, [value]);
}

/** Waits for a message that no other one came after. */
async function lastMessage(count: number) {
	return await eventually(`message ${count} has been sent`, () =>
		Promise.resolve(telegram.messages.length === count ? telegram.messages.at(-1) : undefined),
	);
}

test('approve-cuts publishes what a person approved on the page of the local service', async () => {
	const service = await startService(sandbox, '--review');
	const login = { baseUrl: service.url, apiKey: service.apiKey };
	const audioEditingApi = await editor.createCredential('Review', login);
	const ours = [
		'Audio Editing Upload',
		'Audio Editing Create Edit',
		'Audio Editing Wait For Edit',
		'Audio Editing Get Result',
	];
	const count = telegram.messages.length;
	const id = await begin('approve-cuts.json', recording, inNodes(ours, { audioEditingApi }));
	const { text } = await lastMessage(count + 1);
	const review = new Review('draft', /\]\((.*)\)$/.exec(text)?.[1] ?? '');
	await eventually('the draft waits', async () => {
		return (await send('GET', review.at('/state'))).status === 200 || undefined;
	});
	const { revision, cuts } = await review.state();
	const kept = cuts.map((cut) => ({ ...cut, keep: true }));
	await review.decide({ revision, cuts: kept, approve: true, name: 'Ada' });
	const execution = await firstExecution(editor, id);
	assert.equal(execution.status, 'success', failureOf(execution));
	const { content } = await fileOf(editor, itemOf(execution, 'Publish'));
	await assertEditedTalk(content, { isShorter: false });
});
