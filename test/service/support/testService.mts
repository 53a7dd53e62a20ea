import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startLocalService } from '../../../service/cli/localService.mts';
import { Client } from './client.mts';
import { readSettings } from '../../../service/shared/settings.mts';

/** The keys that a test service accepts. */
export const ANNS_KEY = 'test-key-of-ann-0123456789';
export const BOBS_KEY = 'test-key-of-bob-9876543210';

/** Flags for tests that are not about limits: time runs fast, and rate limits are out of reach. */
export const QUICK = [
	...['--clock-speed', '100'],
	...['--submissions-per-minute', '100000', '--status-calls-per-minute', '100000'],
];

/** A local service inside this process: real HTTP, real files, real ffmpeg. */
export interface TestService extends AsyncDisposable {
	url: string;
	/** Two clients, each with its own key. */
	ann: Client;
	bob: Client;
	/** All lines logged so far, before `createLog` removes URL secrets. */
	log: string[];
	storage: string;
	/** Returns the names in the folder `jobs`, `uploads` or `incoming`. */
	folder(name: 'jobs' | 'uploads' | 'incoming'): Promise<string[]>;
	/** Returns the log lines about an edit. */
	logOf(editId: string): string[];
}

/** Starts a service on a free port with a new storage folder. `await using` removes both. */
export async function startService(...flags: string[]): Promise<TestService> {
	const storage = await mkdtemp(join(tmpdir(), 'service-test-'));
	const own = ['--port', '0', '--storage', storage, '--api-key', ANNS_KEY, '--api-key', BOBS_KEY];
	const log: string[] = [];
	const service = await startLocalService(readSettings([...own, ...flags]), (line) => {
		log.push(line);
	});
	return {
		url: service.url,
		ann: new Client(service.url, ANNS_KEY),
		bob: new Client(service.url, BOBS_KEY),
		log,
		storage,
		folder: (name) => readdir(join(storage, name)),
		logOf: (editId) => log.filter((line) => line.includes(editId)),
		[Symbol.asyncDispose]: async () => {
			await service.close();
			await rm(storage, { recursive: true, force: true });
		},
	};
}
