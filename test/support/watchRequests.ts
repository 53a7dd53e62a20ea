import { unwatchRequests, watchRequests } from './requestsUnderWay';

// jest loads this file before each test file, because a test must not add a hook.
beforeAll(watchRequests);
afterAll(unwatchRequests);
