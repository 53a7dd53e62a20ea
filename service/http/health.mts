import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import type { ServiceContext } from './context.mts';
import { OPENAPI_DOCUMENT } from '../shared/contract.mts';
import { unknownFilesText } from '../work/retention.mts';

/** Real milliseconds that /health waits for the database and the disk: without them, the service still answers. */
const PATIENCE_MS = 1_000;

/** Real milliseconds between two attempts to write: everybody may ask. */
const LOOK_EVERY_MS = 1_000;

/** GET /ping and /health, whose keys are our own (api.md#open-endpoints), and the interface for tools. */
export function healthRoutes(routes: FastifyInstance, { tools, settings }: ServiceContext): void {
	const storingTrouble = lookedUp(() =>
		tools.scratch.storingTrouble(settings.database === undefined),
	);
	routes.get('/ping', () => ({ ping: 'pong' }));
	routes.get('/health', async () => {
		const [reviews, unknown, trouble] = await Promise.all([
			inTime(tools.reviews.waiting()),
			inTime(tools.unknownFiles.count()),
			inTime(storingTrouble()),
		]);
		const warnings = [
			trouble && `The service cannot store anything: ${trouble}`,
			unknown && unknownFilesText(unknown),
		];
		// A key without a value is left out.
		const warning = warnings.filter(Boolean).join('. ') || undefined;
		return { status: 'ok', reviews_waiting: reviews, warning };
	});
	routes.get('/openapi.json', () => OPENAPI_DOCUMENT);
}

async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
	const late = wait(PATIENCE_MS, undefined, { ref: false });
	return await Promise.race([answer.catch(() => undefined), late]);
}

/** Asks once for all who ask within a second. */
function lookedUp<T>(ask: () => Promise<T>): () => Promise<T> {
	let [askedAt, answer] = [-Infinity, undefined as Promise<T> | undefined];
	return async () => {
		if (answer === undefined || performance.now() - askedAt > LOOK_EVERY_MS) {
			[askedAt, answer] = [performance.now(), ask()];
		}
		return await answer;
	};
}
