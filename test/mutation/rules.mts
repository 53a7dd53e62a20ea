/** The modules that carry the rules that must not regress. Every mutant of them counts. */
export const RULE_MODULES: readonly string[] = [
	'waiting/**/*.ts',
	'api/{failure,identifiers,responseBody,retry,secrets,transport}.ts',
	'nodes/CreateEdit/{createEdits,submissionLedger,submitEdit}.ts',
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
 * Each group has its own tests, so that a mutant is not run against the tests of the whole house: that
 * takes minutes for each, and can only raise the score. Together they hold every module of the rules.
 */
export const RULE_GROUPS: readonly RuleGroup[] = [
	{
		name: 'waiting',
		mutate: ['waiting/**/*.ts'],
		// The tests left out take seconds, for 1,000 edits or for many random ones.
		testFiles: ['test/waiting/!(limits.property).test.ts'],
	},
	{
		name: 'api',
		mutate: ['api/{retry,failure,responseBody,secrets,identifiers}.ts'],
		testFiles: ['test/api/!(client|transport*).test.ts'],
	},
	{
		name: 'transport',
		mutate: ['api/transport.ts'],
		testFiles: ['test/api/transport*.test.ts'],
	},
	{
		name: 'wait-for-edit',
		mutate: ['nodes/WaitForEdit/{readWaitOptions,waitError,waitItems}.ts'],
		testFiles: ['test/nodes/{waitErrors,waitOrder,waitedItems}.test.ts'],
	},
	{
		name: 'park',
		mutate: ['nodes/WaitForEdit/{WaitForEdit.node,deleteUnfinished,park}.ts'],
		testFiles: ['test/nodes/{forms,parkedItems,stopped,waitedItems}.test.ts'],
	},
	{
		name: 'deliveries',
		mutate: [
			'nodes/WaitForEdit/{receiveDelivery,whileWaiting}.ts',
			'nodes/shared/{deliveries,mediaTypes}.ts',
		],
		testFiles: ['test/nodes/{parkedItems,pushChain}.test.ts'],
	},
	{
		name: 'failed-items',
		mutate: ['nodes/shared/{carriedFailure,failFast,failedItems,resuming}.ts'],
		testFiles: ['test/nodes/{carriedFailures,failFast,failedItems,resuming}.test.ts'],
	},
	{
		name: 'progress',
		mutate: ['nodes/shared/progress.ts', 'nodes/WaitForEdit/waitProgress.ts'],
		testFiles: ['test/nodes/{progress,waitProgress,createdEdits}.test.ts'],
	},
	{
		name: 'create-edit',
		mutate: ['nodes/CreateEdit/{createEdits,submissionLedger,submitEdit}.ts'],
		testFiles: ['test/nodes/{createdEdits,toolLedger}.test.ts'],
	},
	{
		name: 'forms',
		mutate: [
			'nodes/WaitForEdit/fields.ts',
			'nodes/shared/{configurations,connection,fields,subtitles}.ts',
		],
		testFiles: ['test/nodes/{forms,subtitles,olderHosts,sharedParameters,sharedService}.test.ts'],
	},
	{
		name: 'shared',
		mutate: [
			'nodes/shared/{editTexts,fileNames,hints,inputItem,isToolUse,items,listed,parameters,service,toolUse}.ts',
		],
		testFiles: [
			'test/nodes/{failedItems,waitErrors}.test.ts',
			'test/nodes/shared{Answers,FileNames,Hints,Items,Listed,Parameters,Service,ToolUse}.test.ts',
		],
	},
];
