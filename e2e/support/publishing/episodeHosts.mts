/** Hosts that fetch the file of an episode from the link that they are sent. */
import { jsonOf, routes, startStandIn } from '../standIn.mts';
import { settingsOf } from '../workflowFiles.mts';
import { type Publisher, headerAuth, inNodes } from './publisher.mts';

/** An episode as it was sent, and the file that the host fetched. */
class Episode {
	content?: Buffer;

	private looks = 0;

	constructor(
		readonly sent: Readonly<Record<string, unknown>>,
		public status = 'draft',
	) {}

	/** The host has the file when an episode is looked at a second time. @throws unless its link works */
	async look(): Promise<void> {
		this.looks += 1;
		if (this.looks !== 2) return;
		const url = String(this.sent['audio_url']);
		const response = await fetch(url);
		if (!response.ok) throw new Error(`${url}: ${response.status}`);
		this.content = Buffer.from(await response.arrayBuffer());
	}
}

/**
 * Publishes on Buzzsprout. The pages name no field for an episode that has its file; in their examples,
 * it has a length and the host's own `audio_url`.
 *
 * Sources: https://github.com/Buzzsprout/buzzsprout-api/blob/master/sections/episodes.md and its README.md
 *
 * @param takesFiles whether it ever fetches a file
 */
export async function publishOnBuzzsprout(publisher: Publisher, takesFiles = true) {
	const token = 'Token token=buzz';
	const episodes: Episode[] = [];
	const shown = ({ sent, content }: Episode) => {
		const own = { audio_url: 'https://www.buzzsprout.com/1/1.mp3', duration: content?.length };
		return { duration: null, ...sent, id: episodes.length, ...(content && own) };
	};
	const url = await startStandIn(
		publisher.sandbox,
		routes(['authorization', token], {
			'POST /api/1/episodes.json': (asked) => {
				if (asked.headers['content-type']?.startsWith('application/json') !== true)
					return { status: 415 };
				episodes.push(new Episode(jsonOf(asked)));
				return { status: 201, body: shown(episodes[0]) };
			},
			'GET /api/1/episodes/1.json': async () => {
				if (takesFiles) await episodes[0].look();
				return { body: shown(episodes[0]) };
			},
		}),
	);
	const auth = await headerAuth(publisher, 'Authorization', token);
	const mostLooks = takesFiles ? 9 : 2;
	const settings = settingsOf({ apiUrl: `${url}/api/1`, private: true, mostLooks });
	const others = inNodes(['Create the episode', 'Get the episode'], auth);
	const execution = await publisher.publish('publish-buzzsprout.json', settings, others);
	return { episodes, execution };
}

/**
 * Publishes on Transistor: a second request publishes the draft that it has processed.
 *
 * Source: https://developers.transistor.fm/, sections "Create an episode" to "Publish, schedule, or
 * unpublish an episode"
 */
export async function publishOnTransistor(publisher: Publisher) {
	const episodes: Episode[] = [];
	const shown = ({ sent: { title }, status, content }: Episode) => {
		const duration = content?.length ?? null;
		const attributes = { title, status, audio_processing: duration === null, duration };
		return { body: { data: { id: '3056098', type: 'episode', attributes } } };
	};
	const sentIn = (asked: Parameters<typeof jsonOf>[0]) =>
		jsonOf(asked)['episode'] as Record<string, unknown>;
	const url = await startStandIn(
		publisher.sandbox,
		routes(['x-api-key', 'transistor'], {
			'POST /v1/episodes': (asked) => {
				episodes.push(new Episode(sentIn(asked)));
				return shown(episodes[0]);
			},
			'PATCH /v1/episodes/3056098/publish': (asked) => {
				episodes[0].status = String(sentIn(asked)['status']);
				return shown(episodes[0]);
			},
			'GET /v1/episodes/3056098': async () => {
				await episodes[0].look();
				return shown(episodes[0]);
			},
		}),
	);
	const auth = await headerAuth(publisher, 'x-api-key', 'transistor');
	const show = { showId: '132543', status: 'published', mostLooks: 9 };
	const settings = settingsOf({ apiUrl: `${url}/v1`, ...show });
	const others = inNodes(['Create the episode', 'Get the episode', 'Publish'], auth);
	const execution = await publisher.publish('publish-transistor.json', settings, others);
	return { episodes, execution };
}
