import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from './context.mts';
import { RETENTION_DAYS } from '../shared/contract.mts';
import type { StoredEdit } from '../store/edit.mts';
import { resultOf } from './editView.mts';
import { HttpProblem, ValidationProblem } from './problems.mts';

const DAY_MS = 86_400_000;

/** More would hold up everything else while they are put together. */
const MOST_TASKS = 1_000;

const pathSchema = z.object({ config_id: z.string() });

/** The id in the path. @throws ValidationProblem when it is no integer. */
function configurationIdOf(params: unknown): number {
	const text = pathSchema.parse(params).config_id;
	if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
	const msg = 'Input should be a valid integer, unable to parse string as an integer';
	throw new ValidationProblem([
		{ type: 'int_parsing', loc: ['path', 'config_id'], msg, input: text },
	]);
}

/** The stored configurations and what was made with them, spec endpoints 8 to 10. */
export function configurationRoutes(routes: FastifyInstance, context: ServiceContext): void {
	const { templates, workbench } = context;

	const taskOf = (job: StoredEdit) => ({
		id: job.id,
		created_at: new Date(job.createdAtMs).toISOString(),
		status: job.status,
		results: job.outcome === null ? {} : resultOf(job, job.outcome, context),
		// The spec gives no unit: whole seconds of the source.
		length_audio: Math.round(job.outcome?.durationBeforeSeconds ?? 0),
	});

	routes.get('/v2/configurations', () => ({
		configurations: [...templates.values()].map(({ id, name, upload_type }) => ({
			id,
			name,
			upload_type,
		})),
	}));

	routes.get('/v2/configuration/:config_id', (request) => {
		const template = templates.get(configurationIdOf(request.params));
		// The spec has no status for an unknown id.
		if (template === undefined) throw new HttpProblem(404, 'Configuration not found');
		return template;
	});

	routes.get('/v2/completed_tasks/:config_id', (request) => {
		const sinceAgeMs = workbench.clock.moment().ageMs - RETENTION_DAYS * DAY_MS;
		const configurationId = configurationIdOf(request.params);
		const jobs = workbench.store.completed(
			configurationId,
			request.ownerId,
			sinceAgeMs,
			MOST_TASKS,
		);
		return { tasks: jobs.map(taskOf) };
	});
}
