import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from './context.mts';
import type { StoredEdit } from '../store/edit.mts';
import { HttpProblem } from './problems.mts';
import { sendFile } from './sendFile.mts';

/** Lifetime of the page's links in service milliseconds; the page renews them at half of it. */
export const PLAYER_LINK_MS = 2 * 3_600_000;

const pathSchema = z.object({ edit_id: z.string(), part: z.string() });

/** Returns the paths of an edit's playable files, by the last part of their links. */
function playableFiles(edit: StoredEdit, { workbench }: ServiceContext): Map<string, string> {
	const sources = edit.request.sources.map(({ name }, track): [string, string] => [
		`source-${track + 1}`,
		workbench.files.sourcePath(edit.id, track, name),
	]);
	const { outcome } = edit;
	if (outcome === null) return new Map();
	return new Map([...sources, ['edited', workbench.files.resultPath(edit.id, outcome.fileName)]]);
}

/** Returns a signed URL for the page to play a part of an edit: `edited`, `source-1`, `source-2` … */
export function playerLink({ links }: ServiceContext, editId: string, part: string): string {
	return links.sign('GET', `/play/${editId}/${part}`, PLAYER_LINK_MS);
}

/**
 * GET /play/{edit_id}/{part}: serves sources and results to the page's players, with ranges for
 * seeking. Accepts only the page's signed URLs. The policy keeps a browser from opening a client's
 * file as anything but media.
 */
export function playerRoutes(routes: FastifyInstance, context: ServiceContext): void {
	routes.get('/play/:edit_id/:part', async (request, reply) => {
		context.links.check('GET', request.url, request.query);
		const { edit_id: editId, part } = pathSchema.parse(request.params);
		const edit = context.workbench.store.find(editId);
		const path = edit === undefined ? undefined : playableFiles(edit, context).get(part);
		if (path === undefined) throw new HttpProblem(404, 'This file was deleted');
		reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
		return await sendFile(path, request, reply);
	});
}
