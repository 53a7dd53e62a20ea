import { createHash } from 'node:crypto';

import type { Sandbox } from '../sandbox.mts';
import { type Asked, type Given, type StandIn, jsonOf, startStandIn } from './standIn.mts';

/**
 * Dropbox's HTTP API: lists a folder, gives temporary links, and takes files.
 *
 * Source: https://www.dropbox.com/developers/documentation/http/documentation, sections
 * /list_folder, /get_temporary_link and /upload
 *
 * @param files what the account has, by path; changes with it
 * @param lostBytes how much of each file gets lost on its way
 */
export async function startDropbox(
	sandbox: Sandbox,
	token: string,
	files: Map<string, Buffer>,
	lostBytes = 0,
): Promise<StandIn> {
	const shown = (path: string) => {
		const content = files.get(path) ?? Buffer.of();
		return {
			'.tag': 'file',
			id: `id:${path}`,
			name: path.split('/').at(-1),
			path_display: path,
			size: content.length,
			content_hash: createHash('sha256').update(content).digest('hex'),
		};
	};
	const called = (asked: Asked, origin: string): Given => {
		switch (asked.path) {
			case '/2/files/list_folder': {
				const folder = `${String(jsonOf(asked)['path'])}/`;
				const paths = [...files.keys()].filter((path) => path.startsWith(folder));
				return { body: { entries: paths.map(shown), cursor: 'c', has_more: false } };
			}
			case '/2/files/get_temporary_link': {
				const path = String(jsonOf(asked)['path']).replace('id:', '');
				// Like the real one, the link does not end with the file's name.
				const link = `${origin}/cd/0/get/${encodeURIComponent(path)}/file`;
				return { body: { metadata: shown(path), link } };
			}
			case '/2/files/upload': {
				const argument = String(asked.headers['dropbox-api-arg']);
				const { path } = JSON.parse(argument) as { path: string };
				const { 'content-type': type } = asked.headers;
				if (type !== 'application/octet-stream') return { status: 400, body: 'Bad content type' };
				files.set(path, asked.body.subarray(0, asked.body.length - lostBytes));
				return { body: shown(path) };
			}
			default:
				return { status: 404 };
		}
	};
	return await startStandIn(sandbox, (asked) => {
		const origin = `http://${asked.headers.host ?? ''}`;
		const linked = /^\/cd\/0\/get\/(.+)\/file$/.exec(asked.path)?.[1];
		if (linked !== undefined) return { body: files.get(decodeURIComponent(linked)) ?? '' };
		if (asked.headers.authorization !== `Bearer ${token}`) return { status: 401 };
		return called(asked, origin);
	});
}
