import type { Sandbox } from '../sandbox.mts';
import { type StandIn, jsonOf, startStandIn } from './standIn.mts';

/** What the site has been sent. */
export interface WordPress extends StandIn {
	/** The files of the media library, with their names. */
	readonly files: ReadonlyArray<{ readonly name: string; readonly content: Buffer }>;
	readonly posts: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

/**
 * A WordPress site with its REST API: takes a file as the body of a request, and posts.
 *
 * Sources: https://developer.wordpress.org/rest-api/reference/media/#create-a-media-item,
 * https://developer.wordpress.org/rest-api/reference/posts/#create-a-post
 *
 * @param lostBytes how much of each file gets lost on its way
 */
export async function startWordPress(
	sandbox: Sandbox,
	user: string,
	lostBytes = 0,
): Promise<WordPress> {
	const files: Array<{ name: string; content: Buffer }> = [];
	const posts: Array<Readonly<Record<string, unknown>>> = [];
	const authorization = `Basic ${Buffer.from(`${user}:application password`).toString('base64')}`;
	const standIn = await startStandIn(sandbox, (asked) => {
		const { method, path, headers, body } = asked;
		if (headers.authorization !== authorization) return { status: 401 };
		if (method !== 'POST') return { status: 404 };
		if (path === '/wp-json/wp/v2/posts') {
			posts.push(jsonOf(asked));
			return { status: 201, body: { id: 7, status: 'draft' } };
		}
		if (path !== '/wp-json/wp/v2/media') return { status: 404 };
		const name = /^attachment; filename="([^"]+)"$/.exec(headers['content-disposition'] ?? '')?.[1];
		if (name === undefined || headers['content-type'] !== 'audio/mpeg') return { status: 400 };
		const content = body.subarray(0, body.length - lostBytes);
		files.push({ name, content });
		const source_url = `https://example.com/wp-content/uploads/${name}`;
		return {
			status: 201,
			body: { id: 6, source_url, media_details: { filesize: content.length } },
		};
	});
	return { ...standIn, files, posts };
}
