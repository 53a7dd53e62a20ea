import { ENDPOINTS } from './endpoints';
import { useMatrix } from './useMatrix';

jest.mock('../../api/time', () => jest.requireActual('../support/scaledTime'));

/**
 * Every limit is 5 s. n8n's HTTP helper measures calls and uploads on the real clock; the nodes measure
 * downloads on their own, which runs 20 times as fast here.
 */
jest.mock('../../api/timeLimits', () => ({
	CALL_TIMEOUT_MS: 5_000,
	uploadTimeoutMs: () => 5_000,
	downloadTimeoutMs: () => 100_000,
}));

useMatrix(ENDPOINTS);
