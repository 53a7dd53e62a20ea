import type { Sandbox } from '../sandbox.mts';
import { type StandIn, fetched, jsonOf, startStandIn } from './standIn.mts';

/** An episode as it was sent, its status, and the file that the host fetched. */
export interface Episode {
	readonly sent: Readonly<Record<string, unknown>>;
	status: string;
	content?: Buffer;
}

/** How often an episode is looked at before the host has its file. */
const LOOKS_UNTIL_TAKEN = 2;

const EPISODE_PATH = '/v1/episodes/3056098';

/**
 * Transistor's API for one episode: a draft is created with `audio_url`, which the host fetches and
 * processes; a second request publishes it.
 *
 * Source: https://developers.transistor.fm/, sections "Create an episode" to "Publish, schedule, or
 * unpublish an episode"
 */
export async function startTransistor(
	sandbox: Sandbox,
	apiKey: string,
): Promise<StandIn & { readonly episodes: readonly Episode[] }> {
	const episodes: Episode[] = [];
	let looks = 0;
	const shown = ({ sent, status, content }: Episode) => ({
		body: {
			data: {
				id: '3056098',
				type: 'episode',
				attributes: {
					title: sent['title'],
					status,
					audio_processing: content === undefined,
					duration: content === undefined ? null : content.length,
				},
			},
		},
	});
	const standIn = await startStandIn(sandbox, async (asked) => {
		const { method, path, headers } = asked;
		if (headers['x-api-key'] !== apiKey) return { status: 401 };
		const episode = episodes.at(0);
		if (method === 'POST' && path === '/v1/episodes') {
			const sent = jsonOf(asked)['episode'] as Episode['sent'];
			const created = { sent, status: 'draft' };
			episodes.push(created);
			return shown(created);
		}
		if (episode === undefined) return { status: 404 };
		if (method === 'PATCH' && path === `${EPISODE_PATH}/publish`) {
			episode.status = String((jsonOf(asked)['episode'] as Episode['sent'])['status']);
			return shown(episode);
		}
		if (method !== 'GET' || path !== EPISODE_PATH) return { status: 404 };
		looks += 1;
		if (looks === LOOKS_UNTIL_TAKEN) {
			episode.content = await fetched(String(episode.sent['audio_url']));
		}
		return shown(episode);
	});
	return { ...standIn, episodes };
}
