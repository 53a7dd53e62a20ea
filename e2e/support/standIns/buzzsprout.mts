import type { Sandbox } from '../sandbox.mts';
import { type StandIn, fetched, jsonOf, startStandIn } from './standIn.mts';

/** An episode as the API shows it, and the file that the host fetched. */
export interface Episode {
	readonly sent: Readonly<Record<string, unknown>>;
	content?: Buffer;
}

/** How it treats episodes. */
export interface BuzzsproutWays {
	readonly takesFiles?: boolean;
	readonly isDownAtFirst?: boolean;
}

/** How often an episode is looked at before the host has its file. */
const LOOKS_UNTIL_TAKEN = 2;

/**
 * Buzzsprout's API for one podcast: episodes are created with `audio_url`, which the host fetches later.
 * The pages name no field for that; an episode that has its file has a length and the host's own
 * `audio_url` in their examples.
 *
 * Sources: https://github.com/Buzzsprout/buzzsprout-api/blob/master/sections/episodes.md and its README.md
 *
 * @param takesFiles whether it ever fetches a file
 * @param isDownAtFirst whether it refuses the first episode with 503
 */
export async function startBuzzsprout(
	sandbox: Sandbox,
	token: string,
	{ takesFiles = true, isDownAtFirst = false }: BuzzsproutWays = {},
): Promise<StandIn & { readonly episodes: readonly Episode[] }> {
	const episodes: Episode[] = [];
	let looks = 0;
	let isDown = isDownAtFirst;
	const shown = ({ sent, content }: Episode) => ({
		...sent,
		id: episodes.length,
		...(content !== undefined && {
			audio_url: 'https://www.buzzsprout.com/1/1.mp3',
			duration: content.length,
		}),
	});
	const standIn = await startStandIn(sandbox, async (asked) => {
		const { method, path, headers } = asked;
		if (headers.authorization !== `Token token=${token}`) return { status: 401 };
		if (method === 'POST' && path === '/api/1/episodes.json') {
			if (headers['content-type']?.startsWith('application/json') !== true) return { status: 415 };
			if (isDown) {
				isDown = false;
				return { status: 503 };
			}
			const episode = { sent: { duration: null, ...jsonOf(asked) } };
			episodes.push(episode);
			return { status: 201, body: shown(episode) };
		}
		const episode = episodes.at(0);
		if (method !== 'GET' || path !== '/api/1/episodes/1.json' || !episode) return { status: 404 };
		looks += 1;
		if (takesFiles && looks === LOOKS_UNTIL_TAKEN) {
			episode.content = await fetched(String(episode.sent['audio_url']));
		}
		return { body: shown(episode) };
	});
	return { ...standIn, episodes };
}
