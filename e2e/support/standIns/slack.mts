import type { Sandbox } from '../sandbox.mts';
import { type StandIn, jsonOf, startStandIn } from './standIn.mts';

/** A message to a channel. */
export interface SlackMessage {
	readonly channel: string;
	readonly text: string;
}

/**
 * Slack's method chat.postMessage. It answers 200 also if it takes no message.
 *
 * Source: https://docs.slack.dev/reference/methods/chat.postMessage
 *
 * @param channel the only channel there is
 */
export async function startSlack(
	sandbox: Sandbox,
	token: string,
	channel: string,
): Promise<StandIn & { readonly messages: readonly SlackMessage[] }> {
	const messages: SlackMessage[] = [];
	const standIn = await startStandIn(sandbox, (asked) => {
		const { method, path, headers } = asked;
		if (method !== 'POST' || path !== '/api/chat.postMessage') return { status: 404 };
		const refused = (error: string) => ({ body: { ok: false, error } });
		if (headers.authorization !== `Bearer ${token}`) return refused('invalid_auth');
		const { channel: wanted, text } = jsonOf(asked);
		if (wanted !== channel) return refused('channel_not_found');
		messages.push({ channel, text: String(text) });
		return { body: { ok: true, channel: 'C123ABC456', ts: '1503435956.000247' } };
	});
	return { ...standIn, messages };
}
