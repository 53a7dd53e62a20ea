import type { Sandbox } from '../sandbox.mts';
import { type StandIn, jsonOf, startStandIn } from './standIn.mts';

/** A video as it was sent. */
export interface Video {
	readonly sent: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	content?: Buffer;
}

/** How often a video is looked at before it is processed. */
const LOOKS_UNTIL_PROCESSED = 2;

/**
 * YouTube's API for one video: a resumable upload in one piece, then the video's status.
 *
 * Sources: https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol,
 * https://developers.google.com/youtube/v3/docs/videos#status.uploadStatus
 *
 * @param finalStatus the status that the video reaches
 */
export async function startYouTube(
	sandbox: Sandbox,
	token: string,
	finalStatus = 'processed',
): Promise<StandIn & { readonly videos: readonly Video[] }> {
	const videos: Video[] = [];
	let looks = 0;
	let expectedBytes = 0;
	const standIn = await startStandIn(sandbox, (asked) => {
		const { method, path, query, headers, body } = asked;
		if (headers.authorization !== `Bearer ${token}`) return { status: 401 };
		if (method === 'POST' && path === '/upload/youtube/v3/videos') {
			const isDescribed = query.get('part') === 'snippet,status';
			if (query.get('uploadType') !== 'resumable' || !isDescribed) return { status: 400 };
			if (headers['x-upload-content-type'] !== 'video/mp4') return { status: 400 };
			expectedBytes = Number(headers['x-upload-content-length']);
			videos.push({ sent: jsonOf(asked) as Video['sent'] });
			const location = `http://${headers.host ?? ''}/upload/youtube/v3/videos?upload_id=1`;
			return { headers: { Location: location }, body: '' };
		}
		const video = videos.at(0);
		if (video === undefined) return { status: 404 };
		if (method === 'PUT' && query.get('upload_id') === '1') {
			if (body.length !== expectedBytes) return { status: 308 };
			video.content = body;
			return { status: 201, body: { id: 'v1', status: { uploadStatus: 'uploaded' } } };
		}
		if (method !== 'GET' || path !== '/youtube/v3/videos') return { status: 404 };
		looks += 1;
		const uploadStatus = looks < LOOKS_UNTIL_PROCESSED ? 'uploaded' : finalStatus;
		return { body: { items: [{ id: query.get('id'), status: { uploadStatus } }] } };
	});
	return { ...standIn, videos };
}
