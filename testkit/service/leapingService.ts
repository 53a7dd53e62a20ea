import { isFinalStatus } from '../../api/contract';
import { type LocalService, startLocalService } from './localService';
import { startEngine } from '../n8n/n8nEngine';
import { workElsewhere } from './requestsUnderWay';

/**
 * Starts the local service for tests with the leaping clock. The clock does not move until every edit
 * has ended, since the service's own clock does not leap. A node may poll once before the service's log
 * says that there is an edit.
 */
export async function startLeapingService(flags: readonly string[] = []): Promise<LocalService> {
	return await startLocalService(flags, (line) => {
		const [, editId, status] = /edit (\S+) ([A-Z]+)\b/.exec(line) ?? [];
		if (editId === undefined) return;
		if (isFinalStatus(status)) workElsewhere.delete(editId);
		else workElsewhere.add(editId);
	});
}

/** Starts n8n's engine and such a service for the tests of a file, and stops it after them. */
export function useLeapingService(flags: readonly string[] = []): LocalService {
	const service = {} as LocalService;
	beforeAll(async () => {
		await startEngine();
		Object.assign(service, await startLeapingService(flags));
	});
	afterAll(async () => {
		await service.stop();
	});
	return service;
}
