import { createHmac } from 'node:crypto';

import { type Answer, jsonOf } from '../standIn.mts';

const SECRET = 'app secret';

/**
 * WhatsApp's Cloud API for one app: its webhook, the files of voice messages, and replies.
 *
 * Sources: https://developers.facebook.com/docs/graph-api/reference/app/subscriptions,
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media
 */
export class WhatsApp {
	/** The text of each reply. */
	readonly replies: string[] = [];

	private callbackUrl = '';

	/** @param voices the files of voice messages, by their IDs */
	constructor(private readonly voices: ReadonlyMap<string, Buffer>) {}

	/** What the trigger's credential has. */
	static readonly app = { clientId: 'app', clientSecret: SECRET };

	/** Answers a request. */
	readonly answer: Answer = (asked) => {
		const { method, path, headers } = asked;
		const [, id = ''] = /^\/voice\/(\w+)$/.exec(path) ?? [];
		if (id !== '') return { body: this.voices.get(id), headers: { 'Content-Type': 'audio/ogg' } };
		if (path.endsWith('/oauth/access_token')) return { body: { access_token: 'app token' } };
		if (path.endsWith('/subscriptions')) {
			if (method === 'POST') this.callbackUrl = String(jsonOf(asked)['callback_url']);
			return { body: { data: [], success: true } };
		}
		if (headers.authorization !== 'Bearer token') return { status: 401 };
		if (method === 'POST' && path.endsWith('/phone/messages')) {
			this.replies.push((jsonOf(asked)['text'] as { body: string }).body);
			return { body: { messages: [{ id: 'reply' }] } };
		}
		const voice = path.split('/').at(-1) ?? '';
		return { body: { url: `https://lookaside.fbsbx.com/voice/${voice}`, id: voice } };
	};

	/** Sends messages to the webhook, as WhatsApp does. @returns the status that it answers */
	async say(messages: readonly object[]): Promise<number> {
		const value = { metadata: { phone_number_id: 'phone' }, messages };
		const entry = [{ id: '1', changes: [{ field: 'messages', value }] }];
		const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
		const signature = createHmac('sha256', SECRET).update(body).digest('hex');
		const headers = {
			'content-type': 'application/json',
			'x-hub-signature-256': `sha256=${signature}`,
		};
		return (await fetch(this.callbackUrl, { method: 'POST', headers, body })).status;
	}
}
