import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { readBodiesAsJson } from '../protocol/bodyParsing.mts';
import { HttpProblem, RateLimitProblem } from '../protocol/problems.mts';
import { limitBodyTime } from '../protocol/slowBodies.mts';
import { PRIVATE } from '../sendFile.mts';
import { RATE_WINDOW_MS } from '../../shared/contract.mts';
import { createChangedEdit } from './changedEdit.mts';
import { decide, editIdOf, LONGEST_BODY_BYTES, MOST_VALUES, readReview } from './decide.mts';
import { reviewPath } from './reviewLinks.mts';
import { fullState } from './reviewState.mts';
import { readStretch, soundFile } from './sound.mts';

/** Stretches decoded at once for all who listen. */
const SOUNDS_AT_ONCE = 2;

/** Sounds asked for that nobody has heard to their end: each may be 12 MB in memory. */
const SOUNDS_UNREAD = 16;

/** Real milliseconds for object storage to send a piece. */
const LONGEST_SOUND_MS = 60_000;

const trackPathSchema = z.object({
	track: z
		.string()
		.regex(/^\d{1,3}$/)
		.transform(Number),
});
const expiresSchema = z.object({ expires: z.coerce.number() });
const stretchQuerySchema = z.object({ from: z.coerce.number(), to: z.coerce.number() });

/** What no cache stores, no browser guesses, and no other site learns. */
const HEADERS = {
	...PRIVATE,
	'Content-Security-Policy': "default-src 'none'; sandbox",
	'Referrer-Policy': 'no-referrer',
} as const;

/** The routes below /review/{edit_id}, which the signed link of the review opens without a key. */
export function reviewRoutes(app: FastifyInstance, context: ServiceContext): void {
	const sounds = new PQueue({ concurrency: SOUNDS_AT_ONCE });
	let unread = 0;
	readBodiesAsJson(app, MOST_VALUES);
	limitBodyTime(app);
	app.addHook('onRequest', async (request, reply) => {
		reply.headers(HEADERS);
		context.links.check('GET', reviewPath(editIdOf(request.params)), request.query);
		await Promise.resolve();
	});
	const read = async ({ params }: FastifyRequest) => await readReview(editIdOf(params), context);

	const sendSound = async (request: FastifyRequest, reply: FastifyReply, wanted: unknown) => {
		const { data: path } = trackPathSchema.safeParse(request.params);
		if (path === undefined) throw new HttpProblem(404, 'There is no such track');
		if (unread >= SOUNDS_UNREAD) {
			throw new HttpProblem(429, 'Too many people are listening. Please try again in a moment.');
		}
		const review = await read(request);
		const stretch = readStretch(wanted, request.method === 'GET' ? 'query' : 'body', review);
		const gone = new AbortController();
		const { raw } = reply;
		const timer = setTimeout(() => raw.destroy(), LONGEST_SOUND_MS);
		unread++;
		raw.once('close', () => {
			gone.abort();
			clearTimeout(timer);
			unread--;
		});
		const play = () => soundFile(review, path.track, stretch, context, gone.signal);
		const file = await sounds.add(play, { signal: gone.signal }).catch((error: unknown) => {
			throw gone.signal.aborted ? new HttpProblem(400, 'Nobody listens any more') : error;
		});
		return await reply.type('audio/wav').send(file);
	};

	app.get('/review/:edit_id/state', async (request) => {
		return await fullState(await read(request), context);
	});
	app.get('/review/:edit_id/sound/:track', async (request, reply) => {
		return await sendSound(request, reply, stretchQuerySchema.safeParse(request.query).data);
	});
	app.post('/review/:edit_id/sound/:track', async (request, reply) => {
		return await sendSound(request, reply, request.body);
	});
	app.put('/review/:edit_id/cuts', { bodyLimit: LONGEST_BODY_BYTES }, async (request) => {
		return await decide(await read(request), request.body, context);
	});
	const again = app.rateLimit({
		// Of all links of one key together, as many as its own submissions.
		max: context.settings.submissionsPerMinute,
		timeWindow: Math.max(1, Math.round(context.tools.clock.realMs(RATE_WINDOW_MS))),
		keyGenerator: async ({ params }) =>
			`changes ${(await context.tools.store.ownerOf(editIdOf(params))) ?? ''}`,
		errorResponseBuilder: () =>
			new RateLimitProblem('Rate limit exceeded. Please try again later.'),
	});
	app.post('/review/:edit_id/again', { preHandler: again }, async (request) => {
		const { expires } = expiresSchema.parse(request.query);
		return await createChangedEdit(await read(request), context, 1_000 * expires);
	});
}
