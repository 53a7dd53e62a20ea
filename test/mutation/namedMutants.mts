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
		name: "Get Result's wait after a delivery does not share the key's limit",
		file: 'nodes/GetResult/finishedEdit.ts',
		find: 'rateLimit: rateLimits.statusCalls,',
		replace:
			"rateLimit: new (require('../../waiting/rateLimit').RateLimit)({ callsPerMinute: 300, burst: 60 }),",
		test: RATE_LIMITS,
	},
	{
		name: 'the first place of 64 bits in an MP4 file is not moved',
		file: 'formats/mp4/tracks.ts',
		find: 'let at = bodyStart + 8; at + 8 <= end',
		replace: 'let at = bodyStart + 16; at + 8 <= end',
		test: 'test/formats/retagMp4.test.ts',
	},
	{
		name: 'the file of any edit wakes an execution up',
		file: 'nodes/shared/deliveries.ts',
		find: ' && hashOf({ key }) === awaited',
		replace: '',
		test: 'test/nodes/pushChain.test.ts',
	},
	{
		name: 'an edit is deleted although a listed file was not fetched',
		file: 'nodes/EditRecording/deleteFetched.ts',
		find: 'notFetched === 0 && ',
		replace: '',
		test: 'test/nodes/editRecordingKept.test.ts',
	},
];
