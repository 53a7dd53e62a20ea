// For the code that never ships (local service, demo, bench): ES modules that Node 24 runs.
// What ships is linted by eslint.config.mjs, which n8n's strict mode wants unchanged.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['dist', '**/node_modules', '**/*.ts', '**/*.js', '**/*.mjs'] },
	{
		files: ['**/*.mts'],
		extends: [js.configs.recommended, tseslint.configs.strictTypeChecked],
		languageOptions: {
			parserOptions: {
				// The review's script runs in a browser.
				project: ['./tsconfig.tools.json', './service/tsconfig.page.json'],
				tsconfigRootDir: import.meta.dirname,
			},
		},
		rules: {
			'@typescript-eslint/restrict-template-expressions': [
				'error',
				{ allowNumber: true, allowBoolean: true },
			],
		},
	},
	{
		files: ['e2e/**/*.test.mts'],
		rules: {
			// Not awaited: the hooks at the end of a file would run after the first of its suites.
			'@typescript-eslint/no-floating-promises': [
				'error',
				{
					allowForKnownSafeCalls: [
						{ from: 'package', name: ['describe', 'test'], package: 'node:test' },
					],
				},
			],
		},
	},
);
