import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from './context.mts';
import type { StoredEdit } from '../store/edit.mts';
import { HttpProblem } from './problems.mts';
import { sendFile } from './sendFile.mts';

/** Life of a link on the page, in service milliseconds; the page renews it half-way. */
export const PLAYER_LINK_MS = 2 * 3_600_000;

const pathSchema = z.object({ edit_id: z.string(), part: z.string() });

/** The files of an edit that the page plays, by the last part of their links. */
function playableFiles(job: StoredEdit, { workbench }: ServiceContext): Map<string, string> {
	const sources = job.request.sources.map(({ name }, track): [string, string] => [
		`source-${track + 1}`,
		workbench.files.sourcePath(job.id, track, name),
	]);
	const { outcome } = job;
	if (outcome === null) return new Map();
	return new Map([...sources, ['edited', workbench.files.resultPath(job.id, outcome.fileName)]]);
}

/** A signed link with which the page plays a part of an edit: `edited`, `source-1`, `source-2` … */
export function playerLink({ links }: ServiceContext, jobId: string, part: string): string {
	return links.sign('GET', `/play/${jobId}/${part}`, PLAYER_LINK_MS);
}

/**
 * GET /play/{edit_id}/{part}: sources and results for the page's players, with ranges so that they
 * can seek. Only links that the page made lead here; as media only, whatever a client named its file.
 */
export function playerRoutes(routes: FastifyInstance, context: ServiceContext): void {
	routes.get('/play/:edit_id/:part', async (request, reply) => {
		context.links.check('GET', request.url, request.query);
		const { edit_id: editId, part } = pathSchema.parse(request.params);
		const job = context.workbench.store.find(editId);
		const path = job === undefined ? undefined : playableFiles(job, context).get(part);
		if (path === undefined) throw new HttpProblem(404, 'This file was deleted');
		reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
		return await sendFile(path, request, reply);
	});
}
