// Every regular expression in what ships and in the service may meet text from outside, so it must be linear.
import redos from 'eslint-plugin-redos';
import tseslint from 'typescript-eslint';

export default [
	{
		// The lengths in its patterns are limited, which the check takes for growth; service/test/slow/hostile.test.mts
		// measures them.
		ignores: ['formats/notes/markdownInline.ts', 'service/{test,eval,bench}/**'],
		files: ['{api,credentials,formats,nodes,waiting}/**/*.ts', 'service/**/*.mts'],
		languageOptions: { parser: tseslint.parser },
		linterOptions: { noInlineConfig: true },
		plugins: { redos },
		rules: {
			'redos/no-vulnerable': [
				'error',
				{
					ignoreErrors: false,
					permittableComplexities: [],
					timeout: 120_000,
					// By the clock, the search takes a linear pattern for another on a busy machine; by steps it does not.
					randomSeed: 303,
					incubationTimeout: null,
					attackTimeout: null,
				},
			],
		},
	},
];
