import { unwatchRequests, watchRequests } from '../service/requestsUnderWay';

// jest loads this file before each test file, because a test must not add a hook.
beforeAll(watchRequests);
afterAll(unwatchRequests);

/** The tests in which nodes run in n8n's engine over real HTTP. */
const ON_LEAPING_TIME = /\/test\/(faults\/|nodes\/|workflowRuns\.|api\/transportLimits\.)/;

if (ON_LEAPING_TIME.test(expect.getState().testPath ?? '')) {
	jest.doMock('../../api/time', () => jest.requireActual('../time/leapingTime'));
}
