import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { readBodiesAsJson } from '../protocol/bodyParsing.mts';
import { HttpProblem } from '../protocol/problems.mts';
import { limitPerMinute } from '../protocol/rateLimits.mts';
import { limitBodyTime } from '../protocol/slowBodies.mts';
import { PRIVATE } from '../sendFile.mts';
import { sendTimeline } from '../timelines.mts';
import { createChangedEdit } from './changedEdit.mts';
import { decide, editIdOf, MAX_BODY_BYTES, MAX_VALUES, readReview } from './decide.mts';
import type { Listeners } from './listeners.mts';
import { reviewPath } from './reviewLinks.mts';
import { fullState, shortState } from './reviewState.mts';
import { readStretch, soundFile } from './sound.mts';

const trackPathSchema = z.object({
	track: z
		.string()
		.regex(/^\d{1,3}$/)
		.transform(Number),
});
const expiresSchema = z.object({ expires: z.coerce.number() });

/** What no cache stores, no browser guesses, and no other site learns. */
const HEADERS = {
	...PRIVATE,
	'Content-Security-Policy': "default-src 'none'; sandbox",
	'Referrer-Policy': 'no-referrer',
} as const;

/** The routes below /review/{edit_id}, which the signed link of the review opens without a key. */
export function reviewRoutes(
	app: FastifyInstance,
	context: ServiceContext,
	listeners: Listeners,
): void {
	readBodiesAsJson(app, MAX_VALUES);
	limitBodyTime(app);
	app.addHook('onRequest', async (request, reply) => {
		reply.headers(HEADERS);
		context.links.check('GET', reviewPath(editIdOf(request.params)), request.query);
		await Promise.resolve();
	});
	const read = async ({ params }: FastifyRequest) => await readReview(editIdOf(params), context);

	app.get('/review/:edit_id/state', async (request) => {
		return await fullState(await read(request), context);
	});
	app.get('/review/:edit_id/progress', async (request) => {
		return await shortState(await read(request), context);
	});
	app.post('/review/:edit_id/sound/:track', async (request, reply) => {
		const { data: path } = trackPathSchema.safeParse(request.params);
		if (path === undefined) throw new HttpProblem(404, 'There is no such track');
		const review = await read(request);
		const stretch = readStretch(request.body, review.kept);
		const file = await listeners.make(reply.raw, (signal) =>
			soundFile(review, path.track, stretch, context, signal),
		);
		return await reply.type('audio/wav').send(file);
	});
	app.get<{ Params: { kind: string } }>(
		'/review/:edit_id/timelines/:kind',
		async (request, reply) => {
			const { edit } = await read(request);
			return await sendTimeline(edit, request.params.kind, context.tools, reply);
		},
	);
	app.put('/review/:edit_id/cuts', { bodyLimit: MAX_BODY_BYTES }, async (request) => {
		return await decide(await read(request), request.body, context);
	});
	// Of all links of one key together, as many as its own submissions.
	const { submissionsPerMinute: most } = context.settings;
	const limited = limitPerMinute(app, context.tools.clock);
	const limit = limited('changes', { standard: most, enterprise: most });
	const own = async (request: FastifyRequest) => {
		request.ownerId = (await context.tools.store.ownerOf(editIdOf(request.params))) ?? '';
	};
	app.post('/review/:edit_id/again', { preHandler: [own, limit] }, async (request) => {
		const { expires } = expiresSchema.parse(request.query);
		return await createChangedEdit(await read(request), context, 1_000 * expires);
	});
}
