import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from './context.mts';
import { offeredFileNames } from '../store/edit.mts';
import { HttpProblem } from './problems.mts';
import { sendFile } from './sendFile.mts';

const pathSchema = z.object({ edit_id: z.string(), file_name: z.string() });

/** Time-limited links to results, spec "result fields", `download_url`. They need no key; parts can be asked for by ranges. */
export function downloadRoutes(
	routes: FastifyInstance,
	{ workbench, links }: ServiceContext,
): void {
	routes.get('/downloads/:edit_id/:file_name', async (request, reply) => {
		links.check('GET', request.url, request.query);
		const { edit_id: editId, file_name: fileName } = pathSchema.parse(request.params);
		const outcome = workbench.store.find(editId)?.outcome;
		// Only names the edit itself gave lead to a path.
		if (!outcome || !offeredFileNames(outcome).includes(fileName))
			throw new HttpProblem(404, 'This file was deleted');
		const path = workbench.files.resultPath(editId, fileName);
		const encodedName = encodeURIComponent(fileName).replace(/['()*]/g, '_');
		reply.header('Content-Disposition', `attachment; filename*=UTF-8''${encodedName}`);
		return await sendFile(path, request, reply);
	});
}
