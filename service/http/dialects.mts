import { extname } from 'node:path';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { COMMON_EXTENSIONS, editConfigSchema } from '../shared/contract.mts';
import type { Dialect } from '../shared/dialects.mts';
import type { ServiceContext } from './context.mts';
import { EDIT_REWRITES, type EditBody } from './dialectAnswers.mts';
import { HttpProblem } from './protocol/problems.mts';

const EDIT_ROUTE = '/v2/edits/:edit_id';
const CREATION_ROUTES: ReadonlySet<string | undefined> = new Set(['/v2/edits', '/v2/noise']);

const editBodySchema = z.object({ status: z.string() }).passthrough();
const limitBodySchema = z.object({ error: z.object({ message: z.string() }) });
const creationBodySchema = z.object({
	input: z.object({ config: z.record(z.unknown()) }).passthrough(),
});

const uploadQuerySchema = z.object({ filename: z.string().optional().catch(undefined) });

const KNOWN_KEYS: ReadonlySet<string> = new Set(Object.keys(editConfigSchema.shape));

/** Makes the routes answer in the dialects of the settings, on the way in and on the way out. */
export function speakDialects(routes: FastifyInstance, context: ServiceContext): void {
	const { dialects } = context.settings;
	if (dialects.size === 0) return;
	routes.addHook('preHandler', (request, _reply, done) => {
		refuse(request, dialects);
		if (dialects.has('more-keys')) dropUnknownKeys(request);
		done();
	});
	const rewriteEdit = editRewriter(context);
	routes.addHook('onSend', async (request, reply, payload) => {
		if (typeof payload !== 'string') return payload;
		if (reply.statusCode === 429 && dialects.has('limit-detail')) {
			return JSON.stringify({ detail: limitBodySchema.parse(JSON.parse(payload)).error.message });
		}
		const isEdit = request.method === 'GET' && request.routeOptions.url === EDIT_ROUTE;
		return isEdit && reply.statusCode === 200 ? await rewriteEdit(request, payload) : payload;
	});
}

/** @throws HttpProblem where a dialect refuses the request. */
function refuse(request: FastifyRequest, dialects: ReadonlySet<Dialect>): void {
	const { method, query, routeOptions } = request;
	if (method !== 'POST') return;
	if (dialects.has('no-credit') && CREATION_ROUTES.has(routeOptions.url)) {
		throw new HttpProblem(403, 'Insufficient credits');
	}
	if (!dialects.has('few-formats') || routeOptions.url !== '/v2/upload') return;
	const { filename } = uploadQuerySchema.parse(query);
	if (filename === undefined) return;
	const isCommon = COMMON_EXTENSIONS.some((name) => extname(filename).toLowerCase() === `.${name}`);
	if (!isCommon) throw new HttpProblem(400, 'Unsupported file type');
}

/** Drops the configuration keys that this service does not know, instead of refusing them. */
function dropUnknownKeys(request: FastifyRequest): void {
	const body = creationBodySchema.safeParse(request.body);
	if (!CREATION_ROUTES.has(request.routeOptions.url) || !body.success) return;
	const { config, ...input } = body.data.input;
	const known = Object.entries(config).filter(([key]) => KNOWN_KEYS.has(key));
	const { breath } = config;
	const more = breath === 'muted' ? { breath: true } : {};
	request.body = { input: { ...input, config: { ...Object.fromEntries(known), ...more } } };
}

/** Returns a function that rewrites the body of an edit of this service's. */
function editRewriter({ settings, tools }: ServiceContext) {
	/** How often each finished edit was read. */
	const reads = new Map<string, number>();
	const rewrites = [...settings.dialects].flatMap((dialect) => EDIT_REWRITES[dialect] ?? []);
	return async (request: FastifyRequest, payload: string): Promise<string> => {
		const { edit_id: editId } = z.object({ edit_id: z.string() }).parse(request.params);
		const edit = await tools.store.find(editId);
		// An unknown ID reads PENDING, which the dialects do not change.
		if (edit?.ownerId !== request.ownerId) return payload;
		const body: EditBody = editBodySchema.parse(JSON.parse(payload));
		if (edit.outcome !== null) reads.set(editId, (reads.get(editId) ?? 0) + 1);
		const read = reads.get(editId) ?? 0;
		return JSON.stringify(rewrites.reduce((made, rewrite) => rewrite(made, edit, read), body));
	};
}
