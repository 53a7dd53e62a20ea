/** The workflows that ask about doubtful cuts in a chat, with stand-ins for Telegram and Slack. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { z } from 'zod';

import { cutSchema } from '../../service/shared/cuts.mts';
import { makeRecording } from '../../testkit/media/recording.ts';
import { Client } from '../../testkit/service/client.mts';
import { probe } from '../../testkit/service/media.mts';
import { changedCuts, framesOf } from '../../testkit/service/putBack.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { startOutside } from '../support/outside/outside.mts';
import { Slack } from '../support/outside/slack.mts';
import { failureOf, fileOf, itemOf, itemsOf, textOf } from '../support/outputs.mts';
import type { Execution } from '../support/pages/editor.mts';
import { firstExecution, submitForm } from '../support/pages/form.mts';
import { inNodes } from '../support/publishing/publisher.mts';
import { startTelegram } from '../support/telegram.mts';
import { type Changes, settingsOf } from '../support/workflowFiles.mts';

const outside = await startOutside();
const { sandbox, service, editor } = outside;
const client = new Client(service.url, service.apiKey);

/** Seven pauses between words: more than are asked about. */
const PARTS_SECONDS = [2, 1.5, 2, 2.5, 2, 1.2, 2, 3, 2, 1.8, 2, 2.2, 2, 1.4, 2];
const recording = { name: 'talk_1.wav', content: makeRecording({ partsSeconds: PARTS_SECONDS }) };

const QUESTIONS = 5;
/** What is answered to the first questions. Nobody answers the last one. */
const ANSWERS = ['Keep it', 'Cut it', 'Cut it', 'Keep it'] as const;

const IN_CHAT = ['Send before', 'Send after', 'Ask'];

/** What a chat got. */
interface Chat {
	readonly others: Parameters<typeof outside.importedWith>[2];
	/** The setting that names the place. */
	readonly place: Readonly<Record<string, string>>;
	/** The questions so far, with the link of each button. */
	questions(): { text: string; buttons: ReadonlyMap<string, string> }[];
	clips(): { place: string; caption: string; content: Buffer }[];
}

async function telegramChat(): Promise<Chat> {
	const { url: baseUrl, messages, sent } = await startTelegram(sandbox, '1:token', Buffer.of());
	const bot = { accessToken: '1:token', baseUrl };
	const telegramApi = await editor.createCredential('Bot', bot, 'telegramApi');
	return {
		others: inNodes(IN_CHAT, { telegramApi }),
		place: { chatId: '42' },
		questions: () =>
			messages.map(({ text, reply_markup: markup }) => {
				const buttons = markup?.inline_keyboard.flat() ?? [];
				return { text, buttons: new Map(buttons.map((button) => [button.text, button.url])) };
			}),
		clips: () => sent.map(({ chatId: place, ...clip }) => ({ place, ...clip })),
	};
}

async function slackChat(): Promise<Chat> {
	const slack = new Slack();
	outside.answerFor(slack.answer, 'slack.com', 'files.slack.com');
	const slackApi = await editor.createCredential('App', Slack.app, 'slackApi');
	return {
		others: inNodes(IN_CHAT, { slackApi }),
		place: { channel: 'C42' },
		questions: () =>
			slack.messages.map(({ blocks }) => {
				const buttons = blocks.flatMap(({ elements = [] }) => elements);
				return {
					text: blocks.map(({ text }) => text?.text ?? '').join(''),
					buttons: new Map(buttons.map(({ text, url }) => [text.text, url])),
				};
			}),
		clips: () =>
			slack.files.map(({ channel, comment, ...clip }) => {
				return { place: channel, caption: comment, ...clip };
			}),
	};
}

/** Only shortens pauses, so that the rest of the sound stays as it is. */
const EXACT: Changes = {
	'Audio Editing Create Edit': {
		preset: 'none',
		cuts: { long_silences: true },
		sound: { remove_noise: 'false' },
		costAndSafety: { review: true },
	},
	'Sleep in the database': { amount: 1, unit: 'seconds' },
};

/** Publishes a workflow and submits its form. @returns the workflow's ID */
async function begin(
	file: string,
	chat: Chat,
	answerUntil: string,
	changes: Changes = {},
	sent = recording,
): Promise<string> {
	const settings = settingsOf({ ...chat.place, answerUntil });
	const all = { ...EXACT, ...settings, ...changes };
	return await submitForm(editor, await outside.importedWith(file, all, chat.others), [sent]);
}

/** Opens the link of a button, as a browser does. */
async function press(url: string | undefined): Promise<void> {
	const headers = { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile) Firefox/140.0' };
	const answer = await fetch(String(url), { headers });
	assert.equal(answer.status, 200, await answer.text());
}

const cutsSchema = z.object({ approved_by: z.string(), cuts: z.array(cutSchema) });

/** Checks that the published file is the recording without its cuts, except these. */
async function assertKept(execution: Execution, kept: readonly number[], cutsInAll: number) {
	assert.equal(execution.status, 'success', failureOf(execution));
	const published = itemOf(execution, 'Publish');
	const { content } = await fileOf(editor, published);
	const id = textOf(published, 'editId');
	const { json } = await client.call('GET', `/local/edits/${id}/cuts`);
	const { approved_by: by, cuts } = cutsSchema.parse(json);
	const back = cuts.filter(({ keep }) => keep).map(({ start }) => start);
	assert.deepEqual([by, cuts.length], ['n8n', cutsInAll]);
	assert.deepEqual(
		back,
		kept.toSorted((a, b) => a - b),
	);
	assert.equal(changedCuts(content, recording.content, cuts), 0);
}

/** Where the doubtful cuts begin, in the order of the questions. */
function askedIn(execution: Execution): number[] {
	return itemsOf(execution, 'Get doubtful cuts').map(({ json }) => Number(json['start']));
}

function testAnswers(file: string, startChat: () => Promise<Chat>): void {
	test(`${file} asks five questions, and edits as the buttons say; no answer keeps the sound`, async () => {
		const chat = await startChat();
		// The time of the last question is up when it is asked.
		const maxDateAndTime = `={{ $runIndex === ${ANSWERS.length} ? $now.toISO() : $('Settings').first().json.answerUntil }}`;
		const limitWaitTime = { values: { limitType: 'atSpecifiedTime', maxDateAndTime } };
		const Ask = { options: { limitWaitTime, appendAttribution: false } };
		const id = await begin(file, chat, "={{ $now.plus(4, 'hours').toISO() }}", { Ask });
		for (const [index, answer] of ANSWERS.entries()) {
			const { text, buttons } = await eventually(
				`question ${index + 1}`,
				() => chat.questions()[index],
			);
			assert.match(
				text,
				new RegExp(`^${index + 1}\\. Cut a pause of \\d\\.\\d s at 0:\\d\\d\\? [A-Z]`),
			);
			assert.deepEqual([...buttons.keys()].toSorted(), ['Cut it', 'Keep it']);
			assert.equal(chat.questions().length, index + 1);
			await editor.parked(id);
			await press(buttons.get(answer));
		}
		const execution = await firstExecution(editor, id);
		const asked = askedIn(execution);
		assert.deepEqual([asked.length, chat.questions().length], [QUESTIONS, QUESTIONS]);
		await assertKept(execution, [asked[0], asked[3], asked[4]], 7);
		const clips = chat.clips();
		assert.deepEqual(
			clips.map(({ place, caption }) => `${place} ${caption}`),
			asked.flatMap((_start, index) =>
				['Before', 'After'].map((clip) => `${Object.values(chat.place)[0]} ${index + 1}. ${clip}`),
			),
		);
		for (const { content } of clips) assert.equal((await probe(content)).codec, 'mp3');
	});
}

describe('doubtful cuts in a chat', { concurrency: true }, () => {
	testAnswers('doubtful-cuts-telegram.json', telegramChat);
	testAnswers('doubtful-cuts-slack.json', slackChat);

	test('asks nothing more once the time is up, and keeps the sound', async () => {
		const chat = await telegramChat();
		const id = await begin('doubtful-cuts-telegram.json', chat, '={{ $now.toISO() }}');
		const execution = await firstExecution(editor, id);
		await assertKept(execution, askedIn(execution), 7);
		assert.deepEqual([chat.questions(), chat.clips()], [[], []]);
	});

	test('publishes a recording in which nothing is cut without a question', async () => {
		const chat = await telegramChat();
		const content = makeRecording({ partsSeconds: [3] });
		const sent = { name: 'short.wav', content };
		const id = await begin('doubtful-cuts-telegram.json', chat, '={{ $now.toISO() }}', {}, sent);
		const execution = await firstExecution(editor, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		const published = await fileOf(editor, itemOf(execution, 'Publish'));
		assert.deepEqual(framesOf(published.content), framesOf(content));
		assert.deepEqual(chat.questions(), []);
	});
});
