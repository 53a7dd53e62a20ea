/** A change that must not go unnoticed: applied alone, it makes one of its tests fail. */
export interface NamedMutant {
	readonly name: string;
	readonly file: string;
	/** Occurs exactly once in the file. */
	readonly find: string;
	readonly replace: string;
	/** The test file that kills it. */
	readonly test: string;
}

const RATE_LIMITS = 'test/nodes/rateLimits.test.ts';

/** Applied together, these once left 870 of 871 tests green. */
export const NAMED_MUTANTS: readonly NamedMutant[] = [
	{
		name: 'status calls 300 → 3000 a minute',
		file: 'api/contract/limits.ts',
		find: 'STATUS_CALLS_PER_MINUTE = 300',
		replace: 'STATUS_CALLS_PER_MINUTE = 3_000',
		test: RATE_LIMITS,
	},
	{
		name: "Wait For Edit does not share the key's limit",
		file: 'nodes/WaitForEdit/waitTools.ts',
		find: 'rateLimit: rateLimits.statusCalls,',
		replace:
			"rateLimit: new (require('../../waiting/rateLimit').RateLimit)({ callsPerMinute: 300, burst: 60 }),",
		test: RATE_LIMITS,
	},
	{
		name: 'submissions are not paced',
		file: 'nodes/shared/service.ts',
		find: 'submissionPace: paceOf(',
		replace: 'unpaced: paceOf(',
		test: RATE_LIMITS,
	},
	{
		name: 'an enterprise plan counts as 30 a minute',
		file: 'nodes/shared/service.ts',
		find: 'return SUBMISSIONS_PER_MINUTE_ENTERPRISE;',
		replace: 'return SUBMISSIONS_PER_MINUTE_STANDARD;',
		test: RATE_LIMITS,
	},
	{
		name: 'a 429 is not reported to the limit',
		file: 'waiting/rateLimit.ts',
		find: 'if (failure.status === 429) rateLimit.refused(time.now(), retryAtMs);',
		replace: '',
		test: RATE_LIMITS,
	},
	{
		name: 'the items of Wait For Edit come in another order',
		file: 'nodes/WaitForEdit/waitItems.ts',
		find: '(runsOn ? stillRunning : finished).push(item);',
		replace: '(runsOn ? stillRunning : finished).unshift(item);',
		test: 'test/nodes/waitForEditOutputs.test.ts',
	},
	{
		name: "a failed item's known ids are removed",
		file: 'nodes/shared/failedItems.ts',
		find: '...known, failure:',
		replace: 'failure:',
		test: 'test/nodes/failedItems.test.ts',
	},
	{
		name: "a service's poll_after_seconds is ignored while an edit is PENDING",
		file: 'waiting/schedule.ts',
		find: 'const askedMs = Math.min(',
		replace: "const askedMs = status === 'PENDING' ? 0 : Math.min(",
		test: 'test/waiting/serviceShapes.test.ts',
	},
	{
		name: "a 500 of one edit pauses the key's limit",
		file: 'waiting/waitForEdits.ts',
		find: 'const isOfKey = failure.status === 429;',
		replace: 'const isOfKey = true;',
		test: 'test/waiting/waitLoop.test.ts',
	},
	{
		name: 'a request whose TLS handshake failed counts as sent',
		file: 'api/networkFailure.ts',
		find: 'isRecord(socket) && socket.secureConnecting === true',
		replace: 'false',
		test: 'test/api/unreachable.test.ts',
	},
	{
		name: 'fetched edits are deleted while the node runs',
		file: 'nodes/EditRecording/deleteFetched.ts',
		find: 'void deleteLater(',
		replace: 'await deleteLater(',
		test: 'test/nodes/editRecordingDelete.test.ts',
	},
];
