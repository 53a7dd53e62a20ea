// Rules for all of the code, shipped or not. n8n's strict mode wants eslint.config.mjs unchanged, and
// eslint.tools.config.mjs reads only what never ships.
import tseslint from 'typescript-eslint';

/** A spread of a literal does nothing but keep Prettier from putting each entry in a line. */
const SPREADS = ['ArrayExpression', 'ObjectExpression'].map((literal) => ({
	selector: `SpreadElement > ${literal}`,
	message: 'Write the entries themselves, and let Prettier lay them out.',
}));

/** The trade's words for a limit. What is declared under nodes/ still has the old ones. */
const LIMITS = [
	{
		selector:
			'VariableDeclarator > Identifier[name=/^(MOST|LEAST|FEWEST|LONGEST|SHORTEST)_|_(MAXIMUM|MINIMUM|AT_MOST)(_|$)/]',
		message: 'Call it MAX_… or MIN_….',
	},
];

export default [
	{ ignores: ['**/node_modules', '**/dist'] },
	{
		files: ['**/*.{ts,mts,js,cjs,mjs}'],
		languageOptions: { parser: tseslint.parser },
		linterOptions: { noInlineConfig: true },
		rules: {
			'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
			'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
			'no-restricted-syntax': ['error', ...SPREADS],
		},
	},
	{
		files: ['**/*.{ts,mts,js,cjs,mjs}'],
		ignores: ['nodes/**'],
		rules: { 'no-restricted-syntax': ['error', ...SPREADS, ...LIMITS] },
	},
];
