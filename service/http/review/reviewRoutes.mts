import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { readBodiesAsJson } from '../protocol/bodyParsing.mts';
import { HttpProblem } from '../protocol/problems.mts';
import { limitBodyTime } from '../protocol/slowBodies.mts';
import { PRIVATE } from '../sendFile.mts';
import { approve, readKeptRecording } from '../../work/review.mts';
import { readDecision } from './decisionBody.mts';
import { reviewPath } from './reviewLinks.mts';
import { fullState, shortState, type ReadReview } from './reviewState.mts';
import { readStretch, soundFile } from './sound.mts';

/** A list of 10,000 cuts has as many values, and is about as long. */
const MOST_VALUES = 100_000;
const LONGEST_BODY_BYTES = 2_097_152;

/** Stretches decoded at once for all who listen, and as many as may wait for that. */
const SOUNDS_AT_ONCE = 2;
const SOUNDS_WAITING = 32;

const pathSchema = z.object({ edit_id: z.string() });
const trackPathSchema = pathSchema.extend({ track: z.string().regex(/^\d{1,3}$/) });
const stretchQuerySchema = z.object({ from: z.coerce.number(), to: z.coerce.number() });

/** What no cache stores, no browser guesses, and no other site learns. */
const HEADERS = {
	...PRIVATE,
	'Content-Security-Policy': "default-src 'none'; sandbox",
	'Referrer-Policy': 'no-referrer',
} as const;

/** Reads what the routes of a review need. @throws HttpProblem (404, 409) if there is none. */
export async function readReview(
	editId: string,
	{ tools }: ServiceContext,
	ownerId?: string,
): Promise<ReadReview> {
	const edit = await tools.store.find(editId);
	if (edit === undefined || (ownerId !== undefined && edit.ownerId !== ownerId)) {
		throw new HttpProblem(404, 'There is no such edit. It may have been deleted');
	}
	const { review, status } = edit;
	if (review === null) {
		const why =
			edit.request.review === null ? 'Nobody reviews this edit' : 'Its cuts are not found yet';
		throw new HttpProblem(409, `${why}; its status is ${status}`);
	}
	const reviewed = { ...edit, review };
	const kept = await readKeptRecording(reviewed, tools);
	const decisions = await tools.reviews.decisionsOf(editId);
	if (kept === undefined || decisions === undefined) {
		throw new HttpProblem(404, 'The recording of this review was deleted');
	}
	return { edit: reviewed, kept, decisions };
}

/**
 * Stores what somebody decided, and returns the new state.
 * @throws ValidationProblem; HttpProblem (409) if somebody else was faster or the review is over.
 */
export async function decide(read: ReadReview, body: unknown, context: ServiceContext) {
	const { edit, kept, decisions } = read;
	const { tools, queue } = context;
	const {
		revision,
		cuts = decisions.cuts,
		isApproved,
		by,
	} = readDecision(body, decisions.cuts, kept.samples);
	const decided = { revision, cuts };
	const isFirst = isApproved
		? await approve(edit, { kept, decisions: decided, by }, tools, (...named) => {
				queue.add(...named);
			})
		: await tools.reviews.decide(edit.id, edit.review, decided, tools.clock.nowMs());
	if (!isFirst) {
		throw new HttpProblem(
			409,
			'Somebody else decided meanwhile, or the review is over. Load it again',
		);
	}
	return await shortState(await readReview(edit.id, context), context);
}

/** The routes below /review/{edit_id}, which the signed link of the review opens without a key. */
export function reviewRoutes(app: FastifyInstance, context: ServiceContext): void {
	const sounds = new PQueue({ concurrency: SOUNDS_AT_ONCE });
	readBodiesAsJson(app, MOST_VALUES);
	limitBodyTime(app);
	app.addHook('onRequest', async (request, reply) => {
		reply.headers(HEADERS);
		const { edit_id: editId } = pathSchema.parse(request.params);
		context.links.check('GET', reviewPath(editId), request.query);
		await Promise.resolve();
	});
	const read = async ({ params }: FastifyRequest) =>
		await readReview(pathSchema.parse(params).edit_id, context);

	const sendSound = async (request: FastifyRequest, reply: FastifyReply, wanted: unknown) => {
		const { track } = trackPathSchema.parse(request.params);
		const review = await read(request);
		const stretch = readStretch(wanted, request.method === 'GET' ? 'query' : 'body', review);
		if (sounds.size >= SOUNDS_WAITING) {
			throw new HttpProblem(429, 'Too many people are listening. Please try again in a moment.');
		}
		const file = await sounds.add(() => soundFile(review, Number(track), stretch, context));
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
}
