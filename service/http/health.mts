import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import type { ServiceContext } from './context.mts';
import { OPENAPI_DOCUMENT } from '../shared/contract.mts';
import { unknownFilesText } from '../work/retention.mts';

/** Real milliseconds that /health waits for the database: without it, the service still answers. */
const PATIENCE_MS = 1_000;

/** GET /ping and /health, whose keys are our own (api.md#open-endpoints), and the interface for tools. */
export function healthRoutes(routes: FastifyInstance, { tools }: ServiceContext): void {
	routes.get('/ping', () => ({ ping: 'pong' }));
	routes.get('/health', async () => {
		const inTime = async (count: Promise<number>) => {
			const late = wait(PATIENCE_MS, undefined, { ref: false });
			return await Promise.race([count.catch(() => undefined), late]);
		};
		const [reviews, unknown] = await Promise.all([
			inTime(tools.reviews.waiting()),
			inTime(tools.unknownFiles.count()),
		]);
		// A key without a value is left out.
		const warning = unknown ? unknownFilesText(unknown) : undefined;
		return { status: 'ok', reviews_waiting: reviews, warning };
	});
	routes.get('/openapi.json', () => OPENAPI_DOCUMENT);
}
