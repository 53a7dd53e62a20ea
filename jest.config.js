// See testkit/process/npmFfmpeg.mts.
process.env.LOCAL_SERVICE_FFMPEG ??= 'npm';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/testkit/jest/hostEnvironment.cjs',
	runtime: '<rootDir>/testkit/jest/hostRuntime.cjs',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// See jest.slow.config.js.
	testPathIgnorePatterns: ['<rootDir>/test/slow/'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
	// Our nodes are imported as .node.js, because tsx takes .node for their .node.json.
	moduleNameMapper: { '^(.*/nodes/\\w+/\\w+\\.node)\\.js$': '$1' },
	setupFilesAfterEnv: ['<rootDir>/testkit/jest/eachTestFile.ts'],
	reporters: ['default', '<rootDir>/testkit/jest/plainSummaryReporter.cjs'],
	// For a machine that is busy with other work: no test should come near it.
	testTimeout: 600_000,
	maxWorkers: 2,
};
