/*
 * The endpoints of docs/openapi.json.
 */
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { z } from 'zod';

import {
	editRequestSchema,
	MAX_DOUBTFUL_CUTS,
	wordCheckRequestSchema,
} from '../../service/shared/contract.mts';
import { CutsDecision } from './cuts.ts';
import { WIRE } from './wire.ts';

/** A response with this body. */
const json = (description: string, schema: z.ZodTypeAny) => ({
	description,
	content: { 'application/json': { schema } },
});

const REFUSED = json('A parameter or field is missing or has the wrong type', WIRE.ValidationError);

/** A refusal with this reason. */
const refusal = (description: string) => json(description, WIRE.Refusal);

const WITH_KEY = { 401: refusal('The API key is missing or invalid') };
const WITH_FIELDS = { ...WITH_KEY, 422: REFUSED };
const WITH_LIMIT = {
	...WITH_FIELDS,
	429: json("The API key's rate limit is exceeded", WIRE.RateLimitError),
};

const EDIT_ID = { path: z.object({ edit_id: z.string() }) };
const CHECK_ID = { path: z.object({ check_id: z.string() }) };
const CONFIG_ID = { path: z.object({ config_id: z.number().int() }) };
const FILE_NAME = {
	query: z.object({ filename: z.string().describe('File name with its extension') }),
};

const DOUBTFUL = z.object({
	doubtful: z
		.number()
		.int()
		.min(1)
		.max(MAX_DOUBTFUL_CUTS)
		.optional()
		.describe('How many of the least certain cuts to list'),
});

const FIRST_POLL = {
	'Retry-After': {
		description: 'In how many seconds the first poll makes sense',
		schema: { type: 'integer' },
	},
} as const;

/** An endpoint that submits an edit. */
const submission = (summary: string, operationId: string, response: z.ZodTypeAny) =>
	({
		operationId,
		summary,
		requestBody: { required: true, content: { 'application/json': { schema: editRequestSchema } } },
		responses: {
			200: { ...json('The edit is queued', response), headers: FIRST_POLL },
			...WITH_LIMIT,
		},
	}) satisfies ZodOpenApiOperationObject;

/** An endpoint that needs no key and whose body docs/api.md does not show. */
const open = (operationId: string, summary: string, mediaType: string) =>
	({
		operationId,
		summary,
		security: [],
		responses: { 200: { description: 'The service runs', content: { [mediaType]: {} } } },
	}) satisfies ZodOpenApiOperationObject;

/** What only this service has. */
const OWN = "The local service's own: a hosted service does not have this endpoint.";

const NO_REVIEW = {
	404: refusal('There is no such edit, or it was deleted'),
	409: refusal('The edit does not wait for a review, or somebody else decided meanwhile'),
};

/** All endpoints, by their path and method. */
export const PATHS: Readonly<Record<string, Record<string, ZodOpenApiOperationObject>>> = {
	'/v2/upload': {
		post: {
			operationId: 'requestUpload',
			summary: 'Request a signed URL for an upload',
			requestParams: FILE_NAME,
			responses: { 200: json('A signed URL', WIRE.Upload), ...WITH_LIMIT },
		},
	},
	'/v2/edits': { post: submission('Create an edit', 'createEdit', WIRE.EditCreation) },
	'/v2/noise': { post: submission('Reduce noise', 'reduceNoise', z.unknown()) },
	'/v2/edits/{edit_id}': {
		get: {
			operationId: 'getEdit',
			summary: 'Read an edit',
			description: 'An unknown ID reads as PENDING.',
			requestParams: EDIT_ID,
			responses: { 200: json('The edit', WIRE.Edit), ...WITH_LIMIT },
		},
		delete: {
			operationId: 'deleteEdit',
			summary: 'Delete an edit, its sources and its results',
			requestParams: EDIT_ID,
			responses: { 200: { description: 'The edit is deleted' }, ...WITH_KEY },
		},
	},
	'/v1/account': {
		get: {
			operationId: 'getAccount',
			summary: 'Read the credit, which also checks the API key',
			responses: { 200: json('The account', WIRE.Account), ...WITH_KEY },
		},
	},
	'/v2/configurations': {
		get: {
			operationId: 'listConfigurations',
			summary: 'List the templates of the account',
			responses: { 200: json('The templates', WIRE.ConfigurationsResponse), ...WITH_KEY },
		},
	},
	'/v2/configuration/{config_id}': {
		get: {
			operationId: 'getConfiguration',
			summary: 'Read a template',
			requestParams: CONFIG_ID,
			responses: {
				200: json('The template', WIRE.ConfigurationDetail),
				...WITH_FIELDS,
				404: refusal('There is no such template'),
			},
		},
	},
	'/v2/completed_tasks/{config_id}': {
		get: {
			operationId: 'listCompletedTasks',
			summary: 'List the finished edits of a template',
			requestParams: CONFIG_ID,
			responses: { 200: json('The edits', WIRE.TemplateTasksResponse), ...WITH_FIELDS },
		},
	},
	'/local/edits/{edit_id}/cuts': {
		get: {
			operationId: 'getCuts',
			summary: 'Read the cuts of an edit that waits for a review, or was reviewed',
			description: OWN,
			requestParams: { ...EDIT_ID, query: DOUBTFUL },
			responses: {
				200: json(
					'The cuts; with `doubtful`, only the least certain',
					z.union([WIRE.CutsReview, WIRE.DoubtfulCuts]),
				),
				...WITH_FIELDS,
				...NO_REVIEW,
			},
		},
		put: {
			operationId: 'decideCuts',
			summary: 'Decide about the cuts of an edit, and approve them',
			description: OWN,
			requestParams: EDIT_ID,
			requestBody: { required: true, content: { 'application/json': { schema: CutsDecision } } },
			responses: { 200: json('The cuts', WIRE.CutsReview), ...WITH_FIELDS, ...NO_REVIEW },
		},
	},
	'/local/edits/{edit_id}/cuts/{place}/{clip}': {
		get: {
			operationId: 'getClip',
			summary: 'Listen to six seconds around a cut, or to all of a longer one',
			description: OWN,
			requestParams: {
				path: EDIT_ID.path.extend({
					place: z.string().describe('The first sample of the cut, a hyphen, and its end'),
					clip: z.enum(['before.mp3', 'after.mp3']),
				}),
			},
			responses: {
				200: { description: 'The clip', content: { 'audio/mpeg': {} } },
				...WITH_KEY,
				...NO_REVIEW,
			},
		},
	},
	'/local/edits/{edit_id}/timelines/{kind}': {
		get: {
			operationId: 'getTimeline',
			summary: 'Read the uncut recording with its cuts as a timeline for an editor',
			description: OWN,
			requestParams: {
				path: EDIT_ID.path.extend({
					kind: z.enum(['fcpxml', 'premiere', 'edl', 'reaper', 'otio', 'audacity']),
				}),
			},
			responses: {
				200: { description: 'The timeline' },
				...WITH_KEY,
				404: refusal('There is no such edit, or its files were deleted'),
				409: refusal('The edit has not ended with SUCCESS'),
			},
		},
	},
	'/local/word-checks': {
		post: {
			operationId: 'createWordCheck',
			summary: 'Check which words are missing in what another service made of a recording',
			description: OWN,
			requestBody: {
				required: true,
				content: { 'application/json': { schema: wordCheckRequestSchema } },
			},
			responses: {
				200: { ...json('The check is queued', WIRE.EditCreation), headers: FIRST_POLL },
				...WITH_LIMIT,
			},
		},
	},
	'/local/word-checks/{check_id}': {
		get: {
			operationId: 'getWordCheck',
			summary: 'Read a check for missing words',
			description: OWN,
			requestParams: CHECK_ID,
			responses: {
				200: json('The check', WIRE.WordCheckJob),
				...WITH_LIMIT,
				404: refusal('There is no such check, or it was deleted'),
			},
		},
		delete: {
			operationId: 'deleteWordCheck',
			summary: 'Delete a check, its files and its result',
			description: OWN,
			requestParams: CHECK_ID,
			responses: { 200: { description: 'The check is deleted' }, ...WITH_KEY },
		},
	},
	'/': { get: open('getPage', 'Read a page', 'text/html') },
	'/ping': { get: open('ping', 'Check whether the service answers', 'application/json') },
	'/health': { get: open('getHealth', 'Check whether the service is healthy', 'application/json') },
};
