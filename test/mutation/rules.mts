/** Modules that carry the rules that must not regress, and the tests that may kill their mutants. */
export interface RuleGroup {
	readonly name: string;
	readonly mutate: readonly string[];
	readonly testFiles: readonly string[];
}

/**
 * Every mutant of these modules counts. Each group has its own tests, so that a mutant is not run
 * against the tests of the whole house: that takes minutes, and can only raise the score.
 */
export const RULE_GROUPS: readonly RuleGroup[] = [
	{
		name: 'waiting',
		mutate: ['waiting/**/*.ts'],
		// The test left out takes seconds for 1,000 edits.
		testFiles: ['test/waiting/!(thousandEdits).test.ts'],
	},
	{
		name: 'api',
		mutate: ['api/{retry,outcome,failures,secrets,identifiers}.ts'],
		testFiles: ['test/api/!(client|transport*).test.ts'],
	},
	{
		name: 'transport',
		mutate: ['api/transport.ts'],
		testFiles: ['test/api/transport*.test.ts'],
	},
	{
		name: 'wait-for-edit',
		mutate: ['nodes/WaitForEdit/**/*.ts'],
		testFiles: ['test/nodes/{forms,stopped,waitErrors,waitModes,waitOrder,waitedItems}.test.ts'],
	},
	{
		name: 'create-edit',
		mutate: ['nodes/CreateEdit/{createEdits,submissionLedger,submitEdit}.ts'],
		testFiles: ['test/nodes/createdEdits.test.ts'],
	},
	{
		name: 'shared',
		mutate: ['nodes/shared/**/*.ts'],
		testFiles: [
			'test/nodes/{agentAnswers,failedItems,forms,olderHosts,waitErrors}.test.ts',
			'test/nodes/shared{FileNames,Hints,Items,Parameters,Service}.test.ts',
		],
	},
];
