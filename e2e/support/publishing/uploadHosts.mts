/** Hosts that n8n sends the edited file to. */
import { createHash, randomUUID } from 'node:crypto';

import { talk } from '../../../testkit/service/recordings.mts';
import { H264, codedVideo } from '../../../testkit/service/video.mts';
import { eventually } from '../../../testkit/time/eventually.mts';
import { publishRecording } from '../audio.mts';
import { webhook } from '../nodes.mts';
import { jsonOf, routes, startStandIn } from '../standIn.mts';
import { settingsOf } from '../workflowFiles.mts';
import { type Publisher, inNodes, loggedIn } from './publisher.mts';

/**
 * Publishes on a WordPress site, which takes a file as the body of a request, and posts.
 *
 * Sources: https://developer.wordpress.org/rest-api/reference/media/#create-a-media-item,
 * https://developer.wordpress.org/rest-api/reference/posts/#create-a-post
 *
 * @param lostBytes how much of the file gets lost on its way
 */
export async function publishOnWordPress(publisher: Publisher, lostBytes: number) {
	const { sandbox, editor } = publisher;
	const [username, password] = ['anna', 'application password'];
	const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
	const files: { name: string; content: Buffer }[] = [];
	const posts: Record<string, unknown>[] = [];
	const url = await startStandIn(
		sandbox,
		routes(['authorization', basic], {
			'POST /wp-json/wp/v2/posts': (asked) => {
				posts.push(jsonOf(asked));
				return { status: 201, body: { id: 7, status: 'draft' } };
			},
			'POST /wp-json/wp/v2/media': ({ headers, body }) => {
				const disposition = headers['content-disposition'] ?? '';
				const name = /^attachment; filename="([^"]+)"$/.exec(disposition)?.[1];
				if (name === undefined || headers['content-type'] !== 'audio/mpeg') return { status: 400 };
				const content = body.subarray(0, body.length - lostBytes);
				files.push({ name, content });
				const source_url = `https://example.com/wp-content/uploads/${name}`;
				const media_details = { filesize: content.length };
				return { status: 201, body: { id: 6, source_url, media_details } };
			},
		}),
	);
	const data = { username, password, url };
	const site = { wordpressApi: await editor.createCredential('Site', data, 'wordpressApi') };
	const settings = settingsOf({ siteUrl: url, status: 'draft' });
	const others = inNodes(['Upload the file', 'Create the post'], site);
	const execution = await publisher.publish('publish-wordpress.json', settings, others);
	return { files, posts, execution };
}

interface Video {
	readonly sent: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	content?: Buffer;
}

/**
 * Publishes a video on YouTube: a resumable upload in one piece, then the video's status.
 *
 * Sources: https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol,
 * https://developers.google.com/youtube/v3/docs/videos#status.uploadStatus
 *
 * @param finalStatus the status that the video has when it is looked at a second time
 */
export async function publishOnYouTube(publisher: Publisher, finalStatus: string) {
	const { sandbox } = publisher;
	const videos: Video[] = [];
	let looks = 0;
	let expectedBytes = 0;
	const apiUrl = await startStandIn(
		sandbox,
		routes(['authorization', 'Bearer token'], {
			'POST /upload/youtube/v3/videos': (asked) => {
				const { query, headers } = asked;
				const expected = ['snippet,status', 'resumable', 'video/mp4'];
				const type = headers['x-upload-content-type'];
				const found = [query.get('part'), query.get('uploadType'), type];
				if (found.join() !== expected.join()) return { status: 400 };
				expectedBytes = Number(headers['x-upload-content-length']);
				videos.push({ sent: jsonOf(asked) as Video['sent'] });
				const location = `${apiUrl}/upload/youtube/v3/videos?upload_id=1`;
				return { headers: { Location: location }, body: '' };
			},
			'PUT /upload/youtube/v3/videos': ({ query, body }) => {
				if (query.get('upload_id') !== '1') return { status: 404 };
				if (body.length !== expectedBytes) return { status: 308 };
				videos[0].content = body;
				return { status: 201, body: { id: 'v1', status: { uploadStatus: 'uploaded' } } };
			},
			'GET /youtube/v3/videos': ({ query }) => {
				looks += 1;
				const uploadStatus = looks < 2 ? 'uploaded' : finalStatus;
				return { body: { items: [{ id: query.get('id'), status: { uploadStatus } }] } };
			},
		}),
	);
	const plan = { fileName: 'v.mp4', phrases: 4, frameRate: '25', codecArguments: H264 };
	const url = await publishRecording(sandbox, await codedVideo(plan), 'episode-12.mp4');
	const settings = settingsOf({ apiUrl, privacyStatus: 'unlisted', mostLooks: 9 });
	const auth = await loggedIn(publisher, 'youTubeOAuth2Api');
	const others = inNodes(['Start the upload', 'Send the video', 'Get the video'], auth);
	const execution = await publisher.publish('publish-youtube.json', settings, others, url);
	return { videos, execution };
}

/**
 * A Dropbox with these recordings and two other files, and a function that runs the workflow.
 *
 * Source: https://www.dropbox.com/developers/documentation/http/documentation, sections
 * /list_folder, /get_temporary_link and /upload
 *
 * @param lostBytes how much of each file gets lost on its way
 */
export async function dropboxWith(
	publisher: Publisher,
	names: readonly string[],
	lostBytes: number,
) {
	const { sandbox, editor } = publisher;
	const files = new Map(names.map((name) => [`/inbox/${name}`, talk]));
	files.set('/inbox/notes.txt', Buffer.from('no recording'));
	files.set('/inbox/broken.wav', Buffer.from('no recording either'));
	const shown = (path: string) => {
		const content = files.get(path) ?? Buffer.of();
		const content_hash = createHash('sha256').update(content).digest('hex');
		const about = { size: content.length, content_hash };
		const name = path.split('/').at(-1);
		return { '.tag': 'file', id: `id:${path}`, name, path_display: path, ...about };
	};
	const api = routes(['authorization', 'Bearer token'], {
		'POST /2/files/list_folder': (asked) => {
			const folder = `${String(jsonOf(asked)['path'])}/`;
			const paths = [...files.keys()].filter((path) => path.startsWith(folder));
			return { body: { entries: paths.map(shown), cursor: 'c', has_more: false } };
		},
		'POST /2/files/get_temporary_link': (asked) => {
			const path = String(jsonOf(asked)['path']).replace('id:', '');
			// Like the real one, the link does not end with the file's name.
			const link = `${url}/cd/0/get/${encodeURIComponent(path)}/file`;
			return { body: { metadata: shown(path), link } };
		},
		'POST /2/files/upload': ({ headers, body }) => {
			const { path } = JSON.parse(String(headers['dropbox-api-arg'])) as { path: string };
			const isBinary = headers['content-type'] === 'application/octet-stream';
			if (!isBinary) return { status: 400, body: 'Bad content type' };
			files.set(path, body.subarray(0, body.length - lostBytes));
			return { body: shown(path) };
		},
	});
	const url = await startStandIn(sandbox, (asked) => {
		const linked = /^\/cd\/0\/get\/(.+)\/file$/.exec(asked.path)?.[1];
		return linked === undefined ? api(asked) : { body: files.get(decodeURIComponent(linked)) };
	});
	const urls = { apiUrl: `${url}/2`, contentUrl: `${url}/2` };
	const settings = settingsOf({ ...urls, inbox: '/inbox', outbox: '/edited' });
	const auth = await loggedIn(publisher, 'dropboxOAuth2Api');
	const others = inNodes(['List the inbox', 'Get a link', 'Save to the outbox'], auth);
	const workflow = await publisher.importedWith('dropbox-folder.json', settings, others);
	return { files, run: await scheduled(editor, workflow) };
}

/**
 * Publishes a workflow, and returns what runs it as its schedule does: a manual execution clears no memory, and
 * the next one would wait for the edit that the workflow has deleted.
 */
async function scheduled(
	editor: Publisher['editor'],
	workflow: Awaited<ReturnType<Publisher['importedWith']>>,
) {
	const path = randomUUID();
	const trigger = { ...webhook(path), name: 'Every 15 minutes' };
	const nodes = workflow.nodes.map((node) =>
		node.name === trigger.name ? { ...node, ...trigger } : node,
	);
	const id = await editor.published({ ...workflow, nodes });
	return async () => {
		const before = (await editor.executionsOf(id)).length;
		await editor.post(path);
		const started = await eventually('the workflow has started', async () => {
			const executions = await editor.executionsOf(id);
			return executions.length > before ? executions[0].id : undefined;
		});
		return await editor.reached(started);
	};
}
