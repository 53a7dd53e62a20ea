import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from './context.mts';
import type { StoredEdit } from '../store/edit.mts';
import { deleteEdit } from '../queue/removal.mts';
import { editJson } from './editView.mts';

const pathSchema = z.object({ edit_id: z.string() });

/** GET and DELETE /v2/edits/{edit_id} (api.md#read-an-edit, api.md#delete-an-edit). */
export function editRoutes(
	routes: FastifyInstance,
	context: ServiceContext,
	statusCalls: onRequestAsyncHookHandler,
): void {
	const { tools, queue } = context;

	/** Returns the edit if it exists and belongs to the key. */
	const ownEdit = async (editId: string, ownerId: string): Promise<StoredEdit | undefined> => {
		const edit = await tools.store.find(editId);
		// Checks of words have routes of their own.
		return edit?.ownerId === ownerId && edit.request.kind !== 'check' ? edit : undefined;
	};

	routes.get('/v2/edits/:edit_id', { onRequest: statusCalls }, async (request, reply) => {
		const { edit_id: editId } = pathSchema.parse(request.params);
		const edit = await ownEdit(editId, request.ownerId);
		// PENDING is also reported for an unknown id (api.md#states).
		if (edit === undefined) return { task_id: editId, status: 'PENDING' };
		reply.header('Content-Type', 'application/json; charset=utf-8');
		return await reply.send(await editJson(edit, context));
	});

	routes.delete('/v2/edits/:edit_id', async (request) => {
		const { edit_id: editId } = pathSchema.parse(request.params);
		const edit = await ownEdit(editId, request.ownerId);
		if (edit !== undefined) await deleteEdit(edit, tools, queue);
		return {};
	});
}
