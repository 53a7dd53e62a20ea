/** The modules with the rules that must not regress. Every mutant of them counts. */
export const RULE_MODULES: readonly string[] = [
	'waiting/**/*.ts',
	'api/{failure,networkFailure,responseBody,retry,sanitizeText,secrets,transport}.ts',
	'nodes/CreateEdit/createEdits.ts',
	'nodes/CreateEdit/submission/*.ts',
	'nodes/AudioEditing/{deleteFetched,editRecordings,recordingLookup,recordings}.ts',
	'nodes/AudioEditing/uploadAndSubmit.ts',
	'nodes/WaitForEdit/**/*.ts',
	'nodes/shared/**/*.ts',
];

/** Some of these modules, and the tests that may kill their mutants. */
export interface RuleGroup {
	readonly name: string;
	readonly mutate: readonly string[];
	readonly testFiles: readonly string[];
}

/**
 * Each group has its own tests: running a mutant against all tests takes minutes and can only raise the
 * score. Together the groups contain every module of the rules.
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
			'test/api/{failures,responseBody,retries,transport,transportLimits,unreachable,wire}.test.ts',
		],
	},
	{
		name: 'wait-for-edit',
		mutate: ['nodes/WaitForEdit/{editWait,waitError,waitItems}.ts'],
		testFiles: [
			'test/nodes/agents/{outputs,tools}.test.ts',
			'test/nodes/delivery/deliverHere.test.ts',
			'test/nodes/delivery/parkedItems.test.ts',
			'test/nodes/errors/{badInput,failedItems}.test.ts',
			'test/nodes/waitForEdit/*.test.ts',
		],
	},
	{
		name: 'park',
		mutate: ['nodes/WaitForEdit/WaitForEdit.node.ts', 'nodes/WaitForEdit/delivery/park.ts'],
		testFiles: [
			'test/nodes/delivery/parkedItems.test.ts',
			'test/nodes/form/forms.test.ts',
			'test/nodes/run/transfers.test.ts',
			'test/nodes/waitForEdit/waitedItems.test.ts',
		],
	},
	{
		name: 'deliveries',
		mutate: [
			'nodes/WaitForEdit/delivery/{deliveries,readDelivery,receiveDelivery,whileWaiting}.ts',
			'nodes/shared/form/mediaTypes.ts',
		],
		testFiles: ['test/nodes/delivery/*.test.ts', 'test/nodes/upload/otherFiles.test.ts'],
	},
	{
		name: 'failed-items',
		mutate: ['nodes/shared/errors/{carriedFailure,failedItems}.ts'],
		testFiles: [
			'test/nodes/agents/{outputs,tools}.test.ts',
			'test/nodes/createEdit/createdEdits.test.ts',
			'test/nodes/errors/{badInput,carriedFailures,failedItems}.test.ts',
			'test/nodes/run/items.test.ts',
			'test/nodes/waitForEdit/waitedItems.test.ts',
		],
	},
	{
		name: 'errors',
		mutate: ['nodes/shared/errors/{errors,failureTexts}.ts'],
		testFiles: [
			'test/api/{errors,failures}.test.ts',
			'test/nodes/createEdit/createdEdits.test.ts',
			'test/nodes/errors/{badInput,carriedFailures,failedItems}.test.ts',
			'test/nodes/run/{items,service}.test.ts',
			'test/nodes/upload/upload.test.ts',
			'test/nodes/waitForEdit/{formAndErrors,waitForEdit}.test.ts',
		],
	},
	{
		name: 'progress',
		mutate: ['nodes/shared/run/progress.ts'],
		testFiles: [
			'test/nodes/createEdit/createdEdits.test.ts',
			'test/nodes/run/items.test.ts',
			'test/nodes/waitForEdit/progress.test.ts',
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
			'test/nodes/delivery/deliverHere.test.ts',
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
		mutate: [
			'nodes/shared/skip/{alreadyEdited,identity,ownUploads,readSkipRule}.ts',
			'nodes/shared/skip/{skipEdited,skipFields,skipRule}.ts',
		],
		testFiles: [
			'test/nodes/audioEditing/skip.test.ts',
			'test/nodes/createEdit/{ledger,options,retries}.test.ts',
			'test/nodes/form/{forms,parameters}.test.ts',
			'test/nodes/skip/*.test.ts',
		],
	},
	{
		name: 'forms',
		mutate: [
			'nodes/WaitForEdit/fields.ts',
			'nodes/shared/form/{build,builderHint,configurations,fields}.ts',
		],
		testFiles: [
			'test/nodes/form/{forms,olderHosts,parameters}.test.ts',
			'test/nodes/run/service.test.ts',
		],
	},
	{
		name: 'shared',
		mutate: [
			'nodes/shared/form/{parameters,texts}.ts',
			'nodes/shared/run/{nodeRun,runNode,service}.ts',
		],
		testFiles: [
			'test/nodes/agents/outputs.test.ts',
			'test/nodes/errors/{carriedFailures,failedItems}.test.ts',
			'test/nodes/form/parameters.test.ts',
			'test/nodes/run/{items,service}.test.ts',
			'test/nodes/upload/otherFiles.test.ts',
			'test/nodes/waitForEdit/formAndErrors.test.ts',
			'test/nodes/createEdit/{createdEdits,options}.test.ts',
			'test/nodes/delivery/parkedItems.test.ts',
			'test/nodes/errors/badInput.test.ts',
			'test/nodes/waitForEdit/waitedItems.test.ts',
		],
	},
];
