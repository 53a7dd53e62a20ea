import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';

import type { ServiceContext } from './context.mts';
import { stackOf } from '../shared/failures.mts';
import { accountRoutes } from './account.mts';
import { requireApiKey } from './protocol/authentication.mts';
import { readBodiesAsJson } from './protocol/bodyParsing.mts';
import { answerHalfClosed, limitConnections } from './protocol/connections.mts';
import { configurationRoutes } from './configurations.mts';
import { logStreamErrors } from './protocol/streamErrors.mts';
import { drain } from './protocol/drain.mts';
import { downloadRoutes } from './downloads.mts';
import { editRoutes } from './edits.mts';
import { healthRoutes } from './health.mts';
import { metricsRoutes } from './metrics.mts';
import { watchMethods } from './protocol/methods.mts';
import { editCreationRoutes } from './editCreation.mts';
import { pageRoutes } from './page/page.mts';
import { playerRoutes } from './page/players.mts';
import { HttpProblem, errorBody } from './protocol/problems.mts';
import { localCutRoutes } from './review/localCuts.mts';
import { Listeners } from './review/listeners.mts';
import { reviewPageRoutes } from './review/page/reviewPage.mts';
import { reviewRoutes } from './review/reviewRoutes.mts';
import { limitPerMinute } from './protocol/rateLimits.mts';
import { requestCountsOn } from './protocol/requestCounts.mts';
import { limitBodyTime, MAX_BODY_MS } from './protocol/slowBodies.mts';
import { timelineRoutes } from './timelines.mts';
import { wordCheckCreationRoute, wordCheckRoutes } from './wordChecks.mts';
import { uploadFileRoutes, uploadLinkRoutes } from './uploads.mts';

/** Links contain percent-encoded file names, which exceed the router's default limit. */
const MAX_PATH_PARAMETER = 2_048;

/**
 * Real milliseconds after which a connection that carries nothing is closed. Above the time that a
 * response takes to begin: a request waits for the database for at most about half a minute.
 */
const MAX_IDLE_MS = 300_000;

/** Limits for those who keep the app waiting; replaced only in tests. Real milliseconds. */
export interface Patience {
	/** Until a connection that carries nothing is closed. */
	maxIdleMs?: number;
	/** Until a body of JSON must have arrived. */
	maxBodyMs?: number;
	/** Connections open at once. */
	maxConnections?: number;
}

/** Creates the HTTP app with all endpoints of docs/api.md, downloads and the page. */
export async function createApp(
	context: ServiceContext,
	{ maxIdleMs = MAX_IDLE_MS, maxBodyMs = MAX_BODY_MS, maxConnections }: Patience,
): Promise<FastifyInstance> {
	const app = fastify({
		forceCloseConnections: true,
		connectionTimeout: maxIdleMs,
		routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
	});
	limitConnections(app.server, maxConnections);
	answerHalfClosed(app.server);
	app.decorateRequest('ownerId', '');
	app.decorateRequest('plan', 'standard');
	const answerOtherMethods = watchMethods(app);
	readBodiesAsJson(app);
	logStreamErrors(app, context.tools.log);
	answerErrors(app, context);
	const counting = context.sharedLimits ?? { store: requestCountsOn(context.tools.clock) };
	await app.register(rateLimit, { global: false, ...counting });
	const listeners = new Listeners();
	await app.register(async (routes) => {
		requireApiKey(routes, context.accounts);
		limitBodyTime(routes, maxBodyMs);
		await registerKeyedRoutes(routes, context, listeners);
	});
	await uploadFileRoutes(app, context);
	downloadRoutes(app, context);
	pageRoutes(app, context);
	playerRoutes(app, context);
	reviewPageRoutes(app, context);
	await app.register(async (routes) => {
		reviewRoutes(routes, context, listeners);
		await Promise.resolve();
	});
	healthRoutes(app, context);
	metricsRoutes(app, context);
	answerOtherMethods();
	return app;
}

/** Registers the routes that need an API key, grouped by rate limit. */
async function registerKeyedRoutes(
	routes: FastifyInstance,
	context: ServiceContext,
	listeners: Listeners,
) {
	const { settings, tools } = context;
	const { submissionsPerMinute: standard, enterpriseSubmissionsPerMinute: enterprise } = settings;
	const { statusCallsPerMinute: calls, otherCallsPerMinute: others } = settings;
	const limited = limitPerMinute(routes, tools.clock);
	const submissions = limited('submissions', { standard, enterprise });
	const statusCalls = limited('status calls', { standard: calls, enterprise: calls });
	const otherCalls = limited('other calls', { standard: others, enterprise: others });
	await routes.register(async (submitting) => {
		submitting.addHook('onRequest', submissions);
		uploadLinkRoutes(submitting, context);
		editCreationRoutes(submitting, context);
		wordCheckCreationRoute(submitting, context);
		// A throw in a plugin with a callback would end the process.
		await Promise.resolve();
	});
	editRoutes(routes, context, statusCalls);
	wordCheckRoutes(routes, context, statusCalls);
	timelineRoutes(routes, context, statusCalls);
	await routes.register(async (other) => {
		other.addHook('onRequest', otherCalls);
		accountRoutes(other, context);
		configurationRoutes(other, context);
		await Promise.resolve();
	});
	await routes.register(async (local) => {
		localCutRoutes(local, context, statusCalls, listeners);
		await Promise.resolve();
	});
}

/** Answers errors with the body that api.md#errors has for their status. */
function answerErrors(app: FastifyInstance, { tools }: ServiceContext): void {
	// Answers without reading a body, which could keep the connection for ever.
	app.addHook('onRequest', async (request, reply) => {
		if (request.is404) await reply.code(404).send(errorBody('Not Found'));
	});
	app.setErrorHandler<FastifyError>(async (error, request, reply) => {
		const statusCode = error.statusCode ?? 500;
		if (statusCode === 413) await drain(request.raw);
		reply.code(statusCode);
		if (statusCode < 500) {
			await reply.send(error instanceof HttpProblem ? error.body : errorBody(error.message));
		} else {
			tools.log(stackOf(error));
			await reply.send(errorBody('Internal Server Error'));
		}
	});
}
