import { z } from 'zod';

import { transcriptionRequestOf } from '../../testkit/service/openAiServer.mts';
import type { Sandbox } from './sandbox.mts';
import { jsonOf, startStandIn } from './standIn.mts';

const CHAT_ID = 42;

const messageSchema = z.object({
	text: z.string(),
	/** Buttons that open a link, in rows. */
	reply_markup: z
		.object({
			inline_keyboard: z.array(z.array(z.object({ text: z.string(), url: z.string().url() }))),
		})
		.optional(),
});

/**
 * Telegram's Bot API for one bot: delivers updates to the bot's webhook with its secret, serves the file
 * of a voice note, and takes audio files and messages.
 *
 * Source: https://core.telegram.org/bots/api, sections setWebhook, Update, Voice, getFile, sendAudio and sendMessage
 *
 * @param voiceNote the only voice note there is
 */
export async function startTelegram(sandbox: Sandbox, token: string, voiceNote: Buffer) {
	/** The audio files that the bot has sent, with their chats. */
	const sent: { chatId: string; name: string; caption: string; content: Buffer }[] = [];
	const messages: z.infer<typeof messageSchema>[] = [];
	let webhook: { url?: unknown; secret_token?: unknown } = {};
	const ok = (result: unknown) => ({ body: { ok: true, result } });
	const url = await startStandIn(sandbox, (asked) => {
		const { path, query } = asked;
		if (path === `/file/bot${token}/voice/file_0.oga`) return { body: voiceNote };
		switch (path.replace(`/bot${token}/`, '')) {
			case 'getWebhookInfo':
				return ok({ url: webhook.url ?? '' });
			case 'setWebhook':
				webhook = jsonOf(asked);
				return ok(true);
			case 'deleteWebhook':
				return ok(true);
			case 'getFile': {
				const id = query.get('file_id') ?? String(jsonOf(asked)['file_id']);
				return ok({ file_id: id, file_unique_id: id, file_path: 'voice/file_0.oga' });
			}
			case 'sendAudio': {
				const { fields, wav: content } = transcriptionRequestOf(asked);
				const name = /filename="([^"]+)"/.exec(asked.body.toString('latin1'))?.[1];
				if (name === undefined) return { status: 400 };
				const [[chatId], [caption]] = [fields['chat_id'], fields['caption'] ?? ['']];
				sent.push({ chatId, name, caption, content });
				return ok({ message_id: 8 });
			}
			case 'sendMessage':
				messages.push(messageSchema.parse(jsonOf(asked)));
				return ok({ message_id: 9 });
			default:
				return { status: 404, body: { ok: false } };
		}
	});
	/** Sends the bot a voice note, as from a user. @returns the status that its webhook answers */
	const say = async (fileUniqueId: string) => {
		const voice = { file_id: 'file-0', file_unique_id: fileUniqueId, duration: 12 };
		const message = { message_id: 7, date: 1, chat: { id: CHAT_ID, type: 'private' }, voice };
		const { status } = await fetch(String(webhook.url), {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-telegram-bot-api-secret-token': String(webhook.secret_token),
			},
			body: JSON.stringify({ update_id: 1, message }),
		});
		return status;
	};
	return { url, sent, messages, say };
}
