// Rules for all of the code, shipped or not. n8n's strict mode wants eslint.config.mjs unchanged, and
// eslint.tools.config.mjs reads only what never ships.
import tseslint from 'typescript-eslint';

/** A spread of a literal does nothing but keep Prettier from putting each entry in a line. */
const SPREADS = ['', ':matches(TSAsExpression, TSSatisfiesExpression) > '].map((typed) => ({
	selector: `SpreadElement > ${typed}:matches(ArrayExpression, ObjectExpression)`,
	message: 'Write the entries themselves, and let Prettier lay them out.',
}));

/** The trade's words for a limit. What is declared under nodes/ still has the old ones. */
const LIMITS = [
	{
		selector:
			'VariableDeclarator > Identifier[name=/^(MOST|LEAST|FEWEST|LONGEST|SHORTEST|LARGEST|SMALLEST|HIGHEST|LOWEST|FASTEST|SLOWEST|DEEPEST|MAXIMUM|MINIMUM)_|_(MAXIMUM|MINIMUM|AT_MOST)(_|$)/]',
		message: 'Call it MAX_… or MIN_….',
	},
];

/** Tests and benchmarks share one clock, so that time passes alike for the nodes and the service. */
const CLOCKS = [
	'TSClassImplements[expression.name=/^(Time|ServiceClock)$/]',
	'VariableDeclarator[id.typeAnnotation.typeAnnotation.typeName.name=/^(Time|ServiceClock)$/] > ObjectExpression',
	':matches(Property, MethodDefinition)[key.name=/^(timeOfDay|realNowMs)$/]',
].map((selector) => ({ selector, message: 'Use VirtualTime of testkit/time.' }));

/** Tests and benchmarks share one fake service. */
const SERVERS = [
	{
		selector:
			':matches(ImportSpecifier[imported.name="createServer"], MemberExpression[property.name="createServer"])',
		message: 'Script the service of testkit/service/fake/fakeService.ts.',
	},
];

/** The clocks of the product itself. */
const PRODUCT_CLOCKS = ['api/time.ts', 'service/shared/clock.mts'];

/** They stand before a real service or are no service at all. */
const OTHER_SERVERS = [
	'e2e/support/proxy.mts',
	'e2e/support/mailServer.mts',
	'service/test/delivery.test.mts',
	'service/test/endlessOutbound.test.mts',
	'service/test/support/silentProxy.mts',
	'test/api/unreachable.test.ts',
	'test/faults/listener.ts',
];

const forbid = (...selectors) => ({ 'no-restricted-syntax': ['error', ...SPREADS, ...selectors] });

export default [
	{ ignores: ['**/node_modules', '**/dist'] },
	{
		files: ['**/*.{ts,mts,js,cjs,mjs}'],
		languageOptions: { parser: tseslint.parser },
		linterOptions: { noInlineConfig: true },
		rules: {
			'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
			'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
			...forbid(...LIMITS, ...CLOCKS, ...SERVERS),
		},
	},
	// A table with a row for each key of the API: a limit would only move rows elsewhere.
	{ files: ['nodes/core/config/configKeys.ts'], rules: { 'max-lines': 'off' } },
	{ files: ['nodes/**'], rules: forbid(...CLOCKS, ...SERVERS) },
	{ files: ['testkit/**'], rules: forbid(...LIMITS) },
	{ files: PRODUCT_CLOCKS, rules: forbid(...LIMITS, ...SERVERS) },
	{ files: OTHER_SERVERS, rules: forbid(...LIMITS, ...CLOCKS) },
];
