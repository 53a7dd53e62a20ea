import { randomUUID } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import type { ServiceContext } from './context.mts';
import { looksForEdits } from '../engine/whatToFind.mts';
import {
	editRequestSchema,
	resolveEditConfig,
	type EditConfig,
	type EditRequest,
	type LocalSettings,
} from '../shared/contract.mts';
import { limitsFor, shortensSilences } from '../shared/editLimits.mts';
import type { Settings } from '../shared/settings.mts';
import { reviewJson } from './review/reviewLinks.mts';
import type { StoredRequest } from '../store/edit.mts';
import type { NewEdit } from '../store/editStore.mts';
import type { OwnTemplate, Templates } from '../shared/templates.mts';
import { refuseLongUrls, refuseManyTracks, refuseOverQuota } from './protocol/limits.mts';
import { kitSourcesOf, sourceOf } from './editSources.mts';
import { withoutNoEffect } from './noEffect.mts';
import { queueEdit } from './queueEdit.mts';
import { ValidationProblem } from './protocol/problems.mts';
import { validate } from './protocol/validation.mts';

/** Returns the template that a request names, if any. @throws ValidationProblem for an unknown id. */
function templateOf({ input }: EditRequest, templates: Templates): OwnTemplate | undefined {
	const { template_id: templateId } = input;
	if (templateId === null || templateId === undefined) return undefined;
	const template = templates.get(templateId);
	if (template !== undefined) return template;
	const loc = ['body', 'input', 'template_id'];
	const msg = 'There is no configuration with this id';
	throw new ValidationProblem([{ type: 'value_error', loc, msg, input: templateId }]);
}

/** Returns how somebody reviews an edit; null for one that nobody reviews, or that cuts nothing. */
function reviewFor(
	config: Required<EditConfig>,
	{ review, review_hours: hours }: LocalSettings,
	settings: Settings,
): StoredRequest['review'] {
	const isWanted = review ?? settings.review === true;
	if (!isWanted || !looksForEdits(config)) return null;
	return { hours: hours ?? settings.reviewHours, ends: settings.reviewEnds };
}

/** The request's own settings, those of its template, and of both what can be carried out together. */
function localOf(
	{ input }: EditRequest,
	template: OwnTemplate | undefined,
	{ editLimits }: Settings,
): LocalSettings {
	const local = { ...template?.local, ...input.local };
	if (shortensSilences(limitsFor(local, editLimits))) return local;
	const key = 'silence_min_seconds';
	const loc = ['body', 'input', 'local', key];
	const msg = "Must be more than 'silence_kept_seconds'";
	throw new ValidationProblem([{ type: 'value_error', loc, msg, input: local[key] }]);
}

/** A short recording is edited in seconds, so clients need not wait for half a minute. */
export const FIRST_POLL_AFTER_SECONDS = 3;

/** POST /v2/edits and POST /v2/noise (api.md#create-an-edit). */
export function editCreationRoutes(routes: FastifyInstance, context: ServiceContext): void {
	const { tools, templates, settings } = context;

	/** Validates, stores and queues an edit. Returns its id. */
	const create = async (body: unknown, ownerId: string, kind: StoredRequest['kind']) => {
		refuseManyTracks(body, settings.maxTracks);
		const edit = validate(editRequestSchema, body, 'body');
		const template = templateOf(edit, templates);
		const { input } = edit;
		refuseLongUrls(edit);
		await refuseOverQuota(tools, ownerId);
		const id = randomUUID();
		// The request's settings override those of the template.
		const { config: own, notes } = withoutNoEffect(input.config ?? {});
		const config = resolveEditConfig({ ...template?.settings, ...own });
		const local = localOf(edit, template, settings);
		const newEdit: NewEdit = {
			id,
			ownerId,
			createdAtMs: tools.clock.nowMs(),
			templateId: template?.id ?? null,
			request: {
				kind,
				sources: await Promise.all(input.files.map((url) => sourceOf(url, ownerId, context))),
				config,
				local,
				kit: await kitSourcesOf(local, { config, files: input.files }, ownerId, context),
				notes,
				review: reviewFor(config, local, settings),
				changes: null,
			},
		};
		await queueEdit(newEdit, context);
		return { id, ...reviewJson(newEdit, context) };
	};

	for (const [path, kind] of [
		['/v2/edits', 'edit'],
		['/v2/noise', 'noise'],
	] as const) {
		routes.post(path, async (request, reply) => {
			const created = await create(request.body, request.ownerId, kind);
			reply.header('retry-after', FIRST_POLL_AFTER_SECONDS);
			return created;
		});
	}
}
