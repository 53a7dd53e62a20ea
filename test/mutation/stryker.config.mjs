import { fileURLToPath } from 'node:url';

// `npm run mutate`: Stryker changes the modules with the rules that must not regress in thousands of small
// ways, and prints each change that no test notices. `GROUP=errors npm run mutate` mutates another group.

/** What is mutated, and the tests that may notice: all tests would take minutes for each change. */
const GROUPS = {
	waiting: {
		mutate: ['waiting/**/*.ts'],
		// The other tests take seconds, for 1,000 edits or for many random ones.
		tests: ['waiting/!(limits.property).test.ts'],
	},
	api: {
		mutate: ['api/{retry,failure,networkFailure,secrets,sanitizeText}.ts'],
		tests: ['api/!(client|transport*).test.ts'],
	},
	transport: {
		mutate: ['api/{responseBody,transport}.ts'],
		tests: [
			'api/{failedResponses,failures,responseBody,retries,transport,transportLimits,unreachable,wire}.test.ts',
		],
	},
	'wait-for-edit': {
		mutate: ['nodes/{WaitForEdit,core/wait}/*.ts'],
		tests: ['nodes/agents/outputs.test.ts', 'nodes/waitForEdit/*.test.ts'],
	},
	errors: {
		mutate: ['nodes/core/errors/*.ts'],
		tests: ['api/{errors,failedResponses,failures}.test.ts', 'nodes/errors/*.test.ts'],
	},
	'create-edit': {
		mutate: [
			'nodes/{CreateEdit,core/config,core/submit}/!(fields).ts',
			'nodes/core/ledger/submissionLedger.ts',
		],
		tests: ['nodes/createEdit/*.test.ts'],
	},
	'audio-editing': {
		mutate: ['nodes/AudioEditing/*.ts', 'nodes/core/output/deleteAll.ts'],
		tests: ['nodes/audioEditing/*.test.ts'],
	},
	skip: {
		mutate: ['nodes/core/skip/**/*.ts'],
		tests: ['nodes/audioEditing/*.test.ts', 'nodes/skip/*.test.ts'],
	},
	run: {
		mutate: ['nodes/core/run/!(deleteAll|service).ts'],
		tests: ['nodes/errors/*.test.ts', 'nodes/run/{items,service,transfers}.test.ts'],
	},
	form: {
		mutate: ['nodes/core/form/*.ts'],
		tests: ['nodes/form/{choices,forms,parameters}.test.ts'],
	},
};

const { GROUP = 'waiting' } = process.env;
if (!(GROUP in GROUPS)) throw new Error(`GROUP is one of ${Object.keys(GROUPS).join(', ')}`);
const { mutate, tests } = GROUPS[GROUP];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate,
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		configFile: 'jest.config.js',
		enableFindRelatedTests: false,
		config: {
			// Stryker wraps it, and knows no <rootDir>.
			testEnvironment: fileURLToPath(
				new URL('../../testkit/jest/hostEnvironment.cjs', import.meta.url),
			),
			testMatch: tests.map((glob) => `<rootDir>/test/${glob}`),
			setupFiles: [
				'<rootDir>/testkit/process/environment.ts',
				'<rootDir>/test/mutation/oneSeed.cjs',
			],
			testTimeout: 15_000,
		},
	},
	coverageAnalysis: 'perTest',
	// The sandbox is a copy of what a mutant needs.
	ignorePatterns: [
		'/bench',
		'/demo',
		'/docs',
		'/e2e',
		'/test/faults',
		'/test/mutation/node_modules',
		'/workflows',
	],
	cleanTempDir: 'always',
	incrementalFile: `node_modules/.cache/mutation-${GROUP}.json`,
	concurrency: 2,
	dryRunTimeoutMinutes: 15,
	// Each run of a test file leaks some memory.
	maxTestRunnerReuse: 100,
	reporters: ['progress-append-only', 'clear-text'],
	clearTextReporter: { logTests: false, reportTests: false },
	thresholds: { high: 95, low: 90, break: 90 },
};
