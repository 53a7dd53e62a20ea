/** The modules that carry the rules that must not regress; every mutant of them counts. */
export const RULE_MODULES = [
	'waiting/**/*.ts',
	'api/retry.ts',
	'api/outcome.ts',
	'api/failures.ts',
	'api/transport.ts',
	'api/secrets.ts',
	'api/identifiers.ts',
	'nodes/WaitForEdit/**/*.ts',
	'nodes/CreateEdit/submissionLedger.ts',
	'nodes/CreateEdit/submitEdit.ts',
	'nodes/CreateEdit/createEdits.ts',
	'nodes/shared/**/*.ts',
];

/**
 * The tests that may kill a mutant. Left out are those that take seconds, for the local service with
 * ffmpeg or for 1,000 edits; they kill nothing that the others leave alive.
 */
export const TEST_FILES = [
	'test/api/!(client).test.ts',
	'test/nodes/!(chain|outputSchemas).test.ts',
	'test/waiting/!(thousandEdits).test.ts',
];
