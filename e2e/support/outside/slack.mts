import { z } from 'zod';

import { transcriptionRequestOf } from '../../../testkit/service/openAiServer.mts';
import { type Answer, type Asked, jsonOf } from '../standIn.mts';

const UPLOADS = 'https://files.slack.com/upload/';

const buttonSchema = z.object({ text: z.object({ text: z.string() }), url: z.string().url() });
const blockSchema = z.object({
	text: z.object({ text: z.string() }).optional(),
	elements: z.array(buttonSchema).optional(),
});
const messageSchema = z.object({ channel: z.string(), blocks: z.array(blockSchema) });
const completionSchema = z.object({
	files: z.array(z.object({ id: z.string() })).length(1),
	channel_id: z.string(),
	initial_comment: z.string(),
});

/**
 * Slack's Web API for one app: takes files and messages.
 *
 * Sources: https://docs.slack.dev/messaging/working-with-files#uploading_files,
 * https://docs.slack.dev/reference/methods/chat.postMessage
 */
export class Slack {
	readonly messages: z.infer<typeof messageSchema>[] = [];

	/** The files that channels have, with what was said about them. */
	readonly files: { channel: string; comment: string; content: Buffer }[] = [];

	private readonly uploads = new Map<string, Buffer>();

	/** What the credential has. */
	static readonly app = { accessToken: 'xoxb-1' };

	/** Answers a request. */
	readonly answer: Answer = (asked) => {
		if (asked.headers.host === new URL(UPLOADS).host) return this.take(asked);
		if (asked.headers.authorization !== `Bearer ${Slack.app.accessToken}`) return { status: 401 };
		switch (asked.path) {
			case '/api/files.getUploadURLExternal': {
				const id = `F${this.uploads.size + 1}`;
				this.uploads.set(id, Buffer.of());
				return { body: { ok: true, file_id: id, upload_url: `${UPLOADS}${id}` } };
			}
			case '/api/files.completeUploadExternal': {
				const {
					files,
					channel_id: channel,
					initial_comment,
				} = completionSchema.parse(jsonOf(asked));
				const content = this.uploads.get(files[0].id) ?? Buffer.of();
				this.files.push({ channel, comment: initial_comment, content });
				return { body: { ok: true, files } };
			}
			case '/api/chat.postMessage':
				this.messages.push(messageSchema.parse(jsonOf(asked)));
				return { body: { ok: true, ts: '1.1', channel: 'C1', message: {} } };
			default:
				return { status: 404, body: { ok: false, error: 'unknown_method' } };
		}
	};

	private take(asked: Asked) {
		const { wav: content } = transcriptionRequestOf(asked);
		this.uploads.set(asked.path.split('/').at(-1) ?? '', content);
		return { body: 'OK' };
	}
}
