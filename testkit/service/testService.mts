import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startLocalService } from '../../service/cli/localService.mts';
import { EnginePool } from '../../service/engine/pool/enginePool.mts';
import type { Patience } from '../../service/http/app.mts';
import { Client } from './client.mts';
import { temporaryFolder } from '../process/temporaryFolder.mts';
import { briefSleeps, serviceClockOf } from '../time/serviceTime.mts';
import type { VirtualTime } from '../time/virtualTime.ts';
import { withVariables } from '../process/variables.mts';
import { FFMPEG_SOURCE_VARIABLE } from '../../service/media/ffmpeg/ffmpeg.mts';
import { readSettings } from '../../service/shared/settings.mts';

/** The keys that a test service accepts. */
export const ANNS_KEY = 'test-key-of-ann-0123456789';
export const BOBS_KEY = 'test-key-of-bob-9876543210';

/** Flags for tests that are not about rate limits: these are out of reach. */
export const QUICK = '--submissions-per-minute 100000 --status-calls-per-minute 100000'.split(' ');

/** The same for a service in its own process, whose waits last a hundredth of the time. */
export const QUICK_PROCESS = [...QUICK, '--clock-speed', '100'];

/** A local service inside this process: real HTTP, real files, real ffmpeg. */
export type TestService = Awaited<ReturnType<typeof startServiceWith>>;

/** One for all services of a test file, because its threads take longer to start than most edits. */
class SharedEngine extends EnginePool {
	override close(): Promise<void> {
		return Promise.resolve();
	}
}

const engine = new SharedEngine(4);

/**
 * Starts a service on a free port with a new storage folder. `await using` removes both. Its waits
 * last a hundredth of the time.
 */
export async function startService(...flags: string[]): Promise<TestService> {
	return await startServiceOn(briefSleeps(), ...flags);
}

/** Starts a service for other machines, which refuses the npm build of ffmpeg. */
export async function startServiceForOthers(...flags: string[]): Promise<TestService> {
	return await withVariables({ [FFMPEG_SOURCE_VARIABLE]: 'PATH' }, () =>
		startService('--host', '0.0.0.0', ...flags),
	);
}

/** Starts a service with a clock, for tests in which time must not pass by itself. */
export async function startServiceOn(clock: VirtualTime, ...flags: string[]): Promise<TestService> {
	return await startServiceWith({ clock }, flags);
}

/** Starts a service with a clock, and with other limits for those who keep it waiting. */
export async function startServiceWith(
	{ clock = briefSleeps(), patience }: { clock?: VirtualTime; patience?: Patience },
	flags: readonly string[] = [],
) {
	await using starting = new AsyncDisposableStack();
	const storage = starting.use(await temporaryFolder()).path;
	const own = ['--port', '0', '--storage', storage, '--api-key', ANNS_KEY, '--api-key', BOBS_KEY];
	const log: string[] = [];
	const service = await startLocalService(
		readSettings([...own, ...flags]),
		(line) => {
			log.push(line);
		},
		{ patience, createClock: () => serviceClockOf(clock), createEngine: () => engine },
	);
	starting.defer(() => service.close());
	const started = starting.move();
	return {
		url: service.url,
		ann: new Client(service.url, ANNS_KEY),
		bob: new Client(service.url, BOBS_KEY),
		/** All lines logged so far, before `createLog` removes URL secrets. */
		log,
		storage,
		clock,
		folder: (name: 'edits' | 'uploads' | 'incoming') => readdir(join(storage, name)),
		logOf: (editId: string) => log.filter((line) => line.includes(editId)),
		[Symbol.asyncDispose]: () => started.disposeAsync(),
	};
}
