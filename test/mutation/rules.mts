/** Some of the modules with the rules that must not regress, and the tests that may kill their mutants. */
interface RuleGroup {
	readonly name: string;
	readonly mutate: readonly string[];
	readonly testFiles: readonly string[];
}

/**
 * Every mutant of these modules counts. Each group has its own tests: running a mutant against all tests
 * takes minutes and can only raise the score.
 */
export const RULE_GROUPS: readonly RuleGroup[] = [
	{
		name: 'waiting',
		mutate: ['waiting/**/*.ts'],
		// The excluded tests take seconds, for 1,000 edits or for many random ones.
		testFiles: ['test/waiting/!(limits.property).test.ts'],
	},
	{
		name: 'api',
		mutate: ['api/{retry,failure,networkFailure,secrets,sanitizeText}.ts'],
		testFiles: ['test/api/!(client|transport*).test.ts'],
	},
	{
		name: 'transport',
		mutate: ['api/{responseBody,transport}.ts'],
		testFiles: [
			'test/api/{failedResponses,failures,responseBody,retries,transport,transportLimits,unreachable,wire}.test.ts',
		],
	},
	{
		name: 'wait-for-edit',
		mutate: ['nodes/WaitForEdit/**/!(fields).ts', 'nodes/shared/form/mediaTypes.ts'],
		testFiles: [
			'test/nodes/agents/{outputs,tools}.test.ts',
			'test/nodes/errors/{badInput,failedItems}.test.ts',
			'test/nodes/form/forms.test.ts',
			'test/nodes/run/transfers.test.ts',
			'test/nodes/upload/otherFiles.test.ts',
			'test/nodes/waitForEdit/*.test.ts',
		],
	},
	{
		name: 'errors',
		mutate: ['nodes/shared/errors/*.ts'],
		testFiles: [
			'test/api/{errors,failedResponses,failures}.test.ts',
			'test/nodes/agents/{outputs,tools}.test.ts',
			'test/nodes/createEdit/createdEdits.test.ts',
			'test/nodes/errors/{badInput,carriedFailures,failFast,failedItems}.test.ts',
			'test/nodes/run/{items,service}.test.ts',
			'test/nodes/upload/{signedLink,upload}.test.ts',
			'test/nodes/waitForEdit/{formAndErrors,waitForEdit,waitedItems}.test.ts',
		],
	},
	{
		name: 'create-edit',
		mutate: [
			'nodes/CreateEdit/createEdits.ts',
			'nodes/CreateEdit/submission/*.ts',
			'nodes/shared/run/submissionLedger.ts',
		],
		testFiles: [
			'test/nodes/agents/tools.test.ts',
			'test/nodes/audioEditing/skip.test.ts',
			'test/nodes/createEdit/*.test.ts',
			'test/nodes/form/forms.test.ts',
			'test/nodes/skip/*.test.ts',
		],
	},
	{
		name: 'audio-editing',
		mutate: [
			'nodes/AudioEditing/{deleteFetched,editRecordings,recordingLookup,recordings}.ts',
			'nodes/AudioEditing/uploadAndSubmit.ts',
			'nodes/shared/run/deleteAll.ts',
		],
		testFiles: [
			'test/nodes/agents/{outputs,tools}.test.ts',
			'test/nodes/audioEditing/*.test.ts',
			'test/nodes/createEdit/{createdEdits,retries,spendingLimits}.test.ts',
		],
	},
	{
		name: 'skip',
		mutate: ['nodes/shared/skip/*.ts'],
		testFiles: [
			'test/nodes/audioEditing/skip.test.ts',
			'test/nodes/createEdit/{ledger,options,pageLinks,retries}.test.ts',
			'test/nodes/form/{forms,parameters}.test.ts',
			'test/nodes/skip/*.test.ts',
		],
	},
	{
		name: 'shared',
		mutate: [
			'nodes/WaitForEdit/fields.ts',
			'nodes/shared/form/!(mediaTypes).ts',
			'nodes/shared/run/!(deleteAll|submissionLedger).ts',
		],
		testFiles: [
			'test/nodes/agents/outputs.test.ts',
			'test/nodes/createEdit/{createdEdits,options,pageLinks}.test.ts',
			'test/nodes/errors/{badInput,carriedFailures,failFast,failedItems}.test.ts',
			'test/nodes/form/{forms,olderHosts,parameters}.test.ts',
			'test/nodes/run/{items,service}.test.ts',
			'test/nodes/upload/otherFiles.test.ts',
			'test/nodes/waitForEdit/{formAndErrors,progress,waitedItems}.test.ts',
		],
	},
];
