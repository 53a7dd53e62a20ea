import { z } from 'zod';

import type { Sandbox } from '../sandbox.mts';
import { type Asked, type StandIn, jsonOf, partsOf, startStandIn } from './standIn.mts';

/** A file that the bot has sent to a chat. */
export interface SentAudio {
	readonly chatId: string;
	readonly name: string;
	readonly content: Buffer;
}

/** A message that the bot has sent, with the addresses of its buttons by their labels. */
export interface SentMessage {
	readonly text: string;
	readonly buttons: Readonly<Record<string, string>>;
}

const messageSchema = z.object({
	text: z.string(),
	reply_markup: z
		.object({ inline_keyboard: z.array(z.array(z.object({ text: z.string(), url: z.string() }))) })
		.optional(),
});

function messageOf(asked: Asked): SentMessage {
	const { text, reply_markup: markup } = messageSchema.parse(jsonOf(asked));
	const buttons: Record<string, string> = {};
	for (const button of markup?.inline_keyboard.flat() ?? []) buttons[button.text] = button.url;
	return { text, buttons };
}

/** Telegram as a bot and its users see it. */
export interface Telegram extends StandIn {
	readonly sent: readonly SentAudio[];
	readonly messages: readonly SentMessage[];
	/** Sends the bot a voice note, as from a user. @returns the status that its webhook answers */
	say(fileUniqueId: string): Promise<number>;
}

const CHAT_ID = 42;

/**
 * Telegram's Bot API for one bot: delivers updates to the bot's webhook with its secret, serves the file
 * of a voice note, and takes audio files and messages.
 *
 * Source: https://core.telegram.org/bots/api, sections setWebhook, Update, Voice, getFile, sendAudio and sendMessage
 *
 * @param voiceNote the only voice note there is
 */
export async function startTelegram(
	sandbox: Sandbox,
	token: string,
	voiceNote: Buffer,
): Promise<Telegram> {
	const sent: SentAudio[] = [];
	const messages: SentMessage[] = [];
	let webhook: { url: string; secret: string } | undefined;
	const ok = (result: unknown) => ({ body: { ok: true, result } });
	const standIn = await startStandIn(sandbox, (asked) => {
		const { path, query } = asked;
		if (path === `/file/bot${token}/voice/file_0.oga`) return { body: voiceNote };
		switch (path.replace(`/bot${token}/`, '')) {
			case 'getWebhookInfo':
				return ok({ url: webhook?.url ?? '' });
			case 'setWebhook': {
				const { url, secret_token: secret } = jsonOf(asked);
				webhook = { url: String(url), secret: String(secret) };
				return ok(true);
			}
			case 'deleteWebhook':
				return ok(true);
			case 'getFile': {
				const id = query.get('file_id') ?? String(jsonOf(asked)['file_id']);
				return ok({ file_id: id, file_unique_id: id, file_path: 'voice/file_0.oga' });
			}
			case 'sendAudio': {
				const { chat_id: chat, audio } = partsOf(asked);
				if (chat === undefined || audio?.fileName === undefined) return { status: 400 };
				const { fileName: name, content } = audio;
				sent.push({ chatId: chat.content.toString(), name, content });
				return ok({ message_id: 8 });
			}
			case 'sendMessage':
				messages.push(messageOf(asked));
				return ok({ message_id: 9 });
			default:
				return { status: 404, body: { ok: false } };
		}
	});
	const say = async (fileUniqueId: string) => {
		if (webhook === undefined) throw new Error('The bot has no webhook');
		const voice = { file_id: 'file-0', file_unique_id: fileUniqueId, duration: 12 };
		const message = { message_id: 7, date: 1, chat: { id: CHAT_ID, type: 'private' }, voice };
		const { status } = await fetch(webhook.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-telegram-bot-api-secret-token': webhook.secret,
			},
			body: JSON.stringify({ update_id: 1, message }),
		});
		return status;
	};
	return { ...standIn, sent, messages, say };
}
