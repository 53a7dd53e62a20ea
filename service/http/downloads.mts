import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from './context.mts';
import { offeredFileNames } from '../store/edit.mts';
import { attachmentHeader } from '../shared/fileNames.mts';
import { HttpProblem } from './protocol/problems.mts';
import { sendFile } from './sendFile.mts';

/** Real milliseconds that a client gets to follow a redirect. */
export const REDIRECT_MS = 60_000;

const pathSchema = z.object({ edit_id: z.string(), file_name: z.string() });

/** Serves signed URLs of results without a key (`download_url` in api.md#result). Supports ranges. */
export function downloadRoutes(routes: FastifyInstance, { tools, links }: ServiceContext): void {
	routes.get('/downloads/:edit_id/:file_name', async (request, reply) => {
		links.check('GET', request.url, request.query);
		const { edit_id: editId, file_name: fileName } = pathSchema.parse(request.params);
		const edit = await tools.store.find(editId);
		const outcome = edit?.outcome;
		// Builds a path only from the edit's own file names.
		if (!outcome || !offeredFileNames(outcome).includes(fileName))
			throw new HttpProblem(404, 'This file was deleted');
		const run = { editId, run: outcome.run };
		const place = await tools.files.resultPlace(run, fileName, REDIRECT_MS);
		// For links that an earlier start without `--files` signed.
		if ('url' in place) return await reply.redirect(place.url);
		reply.header('Content-Disposition', attachmentHeader(fileName));
		return await sendFile(place.path, request, reply);
	});
}
