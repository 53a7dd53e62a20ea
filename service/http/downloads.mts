import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from './context.mts';
import { offeredFileNames } from '../store/edit.mts';
import { HttpProblem } from './problems.mts';
import { sendFile } from './sendFile.mts';

const pathSchema = z.object({ edit_id: z.string(), file_name: z.string() });

/** Serves signed URLs of results without a key, spec "result fields", `download_url`. Supports ranges. */
export function downloadRoutes(
	routes: FastifyInstance,
	{ workbench, links }: ServiceContext,
): void {
	routes.get('/downloads/:edit_id/:file_name', async (request, reply) => {
		links.check('GET', request.url, request.query);
		const { edit_id: editId, file_name: fileName } = pathSchema.parse(request.params);
		const outcome = workbench.store.find(editId)?.outcome;
		// Builds a path only from the edit's own file names.
		if (!outcome || !offeredFileNames(outcome).includes(fileName))
			throw new HttpProblem(404, 'This file was deleted');
		const path = workbench.files.resultPath(editId, fileName);
		const encodedName = encodeURIComponent(fileName).replace(/['()*]/g, '_');
		reply.header('Content-Disposition', `attachment; filename*=UTF-8''${encodedName}`);
		return await sendFile(path, request, reply);
	});
}
