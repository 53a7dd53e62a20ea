import { randomUUID } from 'node:crypto';

import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';

import { deleteEdit } from '../queue/removal.mts';
import { resolveEditConfig, wordCheckRequestSchema } from '../shared/contract.mts';
import type { StoredEdit } from '../store/edit.mts';
import type { NewEdit } from '../store/editStore.mts';
import { foundWordsSchema, WORDS_FILE_NAME } from '../text/wordCheck/wordsFile.mts';
import type { ServiceContext } from './context.mts';
import { FIRST_POLL_AFTER_SECONDS } from './editCreation.mts';
import { sourceOf } from './editSources.mts';
import { refuseLong, refuseOverQuota } from './protocol/limits.mts';
import { HttpProblem } from './protocol/problems.mts';
import { validate } from './protocol/validation.mts';
import { queueEdit } from './queueEdit.mts';

const PATH = '/local/word-checks';

const pathSchema = z.object({ check_id: z.string() });

/**
 * POST /local/word-checks: checks what another service made of a recording. It waits, runs, counts and ends as an edit
 * does, of two sources.
 */
export function wordCheckCreationRoute(routes: FastifyInstance, context: ServiceContext): void {
	const { tools } = context;
	routes.post(PATH, async ({ body, ownerId }, reply) => {
		const { input } = validate(wordCheckRequestSchema, body, 'body');
		const urls = (['source', 'edited'] as const).map((key) => ({ url: input[key], path: [key] }));
		refuseLong(urls);
		await refuseOverQuota(tools, ownerId);
		const id = randomUUID();
		const check: NewEdit = {
			id,
			ownerId,
			createdAtMs: tools.clock.nowMs(),
			templateId: null,
			request: {
				kind: 'check',
				sources: await Promise.all(urls.map(({ url }) => sourceOf(url, ownerId, context))),
				config: resolveEditConfig({ remove_noise: false }),
				local: {},
				notes: [],
				kit: [],
				review: null,
				changes: null,
			},
		};
		await queueEdit(check, context);
		reply.header('retry-after', FIRST_POLL_AFTER_SECONDS);
		return { id };
	});
}

/** GET and DELETE /local/word-checks/{check_id}. */
export function wordCheckRoutes(
	routes: FastifyInstance,
	context: ServiceContext,
	statusCalls: onRequestAsyncHookHandler,
): void {
	const { tools, queue } = context;
	const ownCheck = async (params: unknown, ownerId: string): Promise<StoredEdit | undefined> => {
		const check = await tools.store.find(pathSchema.parse(params).check_id);
		return check?.ownerId === ownerId && check.request.kind === 'check' ? check : undefined;
	};

	routes.get(`${PATH}/:check_id`, { onRequest: statusCalls }, async ({ params, ownerId }) => {
		const check = await ownCheck(params, ownerId);
		if (check === undefined) throw gone();
		const { id, status, failureReason, outcome, recognizedPercent: done } = check;
		if (failureReason !== null) return { id, status, message: failureReason };
		if (outcome === null) return { id, status, ...(done !== null && { recognized_percent: done }) };
		const run = { editId: id, run: outcome.run };
		const text = await tools.files.readResult(run, WORDS_FILE_NAME);
		if (text === undefined) throw gone();
		return { id, status, result: foundWordsSchema.parse(JSON.parse(text)) };
	});

	routes.delete(`${PATH}/:check_id`, async ({ params, ownerId }) => {
		const check = await ownCheck(params, ownerId);
		if (check !== undefined) await deleteEdit(check, tools, queue);
		return {};
	});
}

function gone(): HttpProblem {
	return new HttpProblem(404, 'There is no such check. It may have been deleted');
}
