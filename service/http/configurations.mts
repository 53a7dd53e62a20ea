import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from './context.mts';
import { RETENTION_DAYS } from '../shared/contract.mts';
import type { StoredEdit } from '../store/edit.mts';
import { resultOf } from './editView.mts';
import { HttpProblem, ValidationProblem } from './protocol/problems.mts';

const DAY_MS = 86_400_000;

const pathSchema = z.object({ config_id: z.string() });

/**
 * Returns the id in the path; undefined for an integer that no template can have.
 * @throws ValidationProblem when it is not an integer.
 */
function configurationIdOf(params: unknown): number | undefined {
	const text = pathSchema.parse(params).config_id;
	const id = Number(text);
	if (/^[+-]?\d+$/.test(text)) return Number.isSafeInteger(id) ? id : undefined;
	const msg = 'Input should be a valid integer, unable to parse string as an integer';
	const loc = ['path', 'config_id'];
	throw new ValidationProblem([{ type: 'int_parsing', loc, msg, input: text }]);
}

/** Templates and the edits made with them (api.md#templates, api.md#completed-tasks). */
export function configurationRoutes(routes: FastifyInstance, context: ServiceContext): void {
	const { templates, tools } = context;

	const taskOf = async (edit: StoredEdit) => ({
		id: edit.id,
		created_at: new Date(edit.createdAtMs).toISOString(),
		status: edit.status,
		results: edit.outcome === null ? {} : await resultOf(edit, edit.outcome, context),
		// The API defines no unit; here whole seconds of the source.
		length_audio: Math.round(edit.outcome?.durationBeforeSeconds ?? 0),
	});

	routes.get('/v2/configurations', () => ({
		configurations: [...templates.values()].map((template) => {
			const { id, name, upload_type } = template;
			return { id, name, upload_type };
		}),
	}));

	routes.get('/v2/configuration/:config_id', (request) => {
		const id = configurationIdOf(request.params);
		const template = id === undefined ? undefined : templates.get(id);
		// The API defines no status for an unknown id.
		if (template === undefined) throw new HttpProblem(404, 'Configuration not found');
		const { name, upload_type, settings } = template;
		return { id, name, upload_type, settings };
	});

	routes.get('/v2/completed_tasks/:config_id', async (request) => {
		const sinceAgeMs = tools.clock.moment().ageMs - RETENTION_DAYS * DAY_MS;
		const configurationId = configurationIdOf(request.params);
		if (configurationId === undefined) return { tasks: [] };
		const edits = await tools.store.completed(configurationId, request.ownerId, sinceAgeMs);
		return { tasks: await Promise.all(edits.map(taskOf)) };
	});
}
