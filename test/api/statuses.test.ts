import { EDIT_STATUSES, isFinalStatus, isKnownStatus, phaseOf } from '../../api/contract';

/** Every status of api.md#states, and its meaning. */
const PHASES = {
	PENDING: 'pending',
	STARTED: 'running',
	PREPROCESSING: 'running',
	CLASSIFICATION: 'running',
	EDITING: 'running',
	POSTPROCESSING: 'running',
	EXPORT: 'running',
	SUCCESS: 'succeeded',
	FAILURE: 'failed',
	RETRY: 'running',
};

it('knows the statuses of the API and no others', () => {
	expect([...EDIT_STATUSES].sort()).toEqual(Object.keys(PHASES).sort());
	expect(isKnownStatus('A_NEW_STATE')).toBe(false);
});

it.each(Object.entries(PHASES))('%s means %s', (status, phase) => {
	expect(isKnownStatus(status)).toBe(true);
	expect(phaseOf(status)).toBe(phase);
	expect(phaseOf(` ${status.toLowerCase()} `)).toBe(phase);
	expect(isFinalStatus(status)).toBe(phase === 'succeeded' || phase === 'failed');
});

it('treats an unknown status as running', () => {
	expect(phaseOf('A_NEW_STATE')).toBe('running');
	expect(isFinalStatus('A_NEW_STATE')).toBe(false);
});
