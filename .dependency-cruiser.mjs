/**
 * Which folder may import which, types included. docs/development/structure.md has the same
 * table in words.
 *
 * `npm run lint` fails on an import against the table and on a circle of imports.
 */

/** Each room with the rooms it may import besides itself. */
export const ROOMS = {
	nodes: ['nodes/core', 'waiting', 'formats', 'api'],
	'nodes/core': ['waiting', 'formats', 'api'],
	waiting: ['api'],
	formats: ['api'],
	api: [],
	credentials: ['api'],
	'service/cli': [
		'service/http',
		'service/queue',
		'service/work',
		'service/text',
		'service/outbound',
		'service/mail',
		'service/engine',
		'service/media',
		'service/store',
		'service/shared',
	],
	'service/http': [
		'service/queue',
		'service/work',
		'service/text',
		'service/engine',
		'service/store',
		'service/shared',
	],
	'service/queue': ['service/work', 'service/store', 'service/shared'],
	'service/work': [
		'service/text',
		'service/outbound',
		'service/mail',
		'service/engine',
		'service/store',
		'service/shared',
	],
	'service/text': ['service/outbound', 'service/engine', 'service/media', 'service/shared'],
	'service/outbound': ['service/store', 'service/shared'],
	'service/mail': ['service/store', 'service/shared'],
	'service/engine/pool': ['service/engine', 'service/shared'],
	'service/engine/detection': ['service/engine/signal', 'service/media', 'service/shared'],
	'service/engine/signal': ['service/media', 'service/shared'],
	'service/engine': [
		'service/engine/detection',
		'service/engine/signal',
		'service/media',
		'service/shared',
	],
	'service/media': ['service/shared'],
	'service/store': ['service/shared'],
	'service/shared': ['api/contract'],
};

/** The folders in nodes/core/. Each may import those before it, so that they form no circle. */
export const CORE = [
	'errors',
	'ledger',
	'run',
	'form',
	'files',
	'config',
	'upload',
	'skip',
	'fetch',
	'output',
	'items',
	'submit',
	'wait',
];

/** The folders that may import everything but each other's proof, and that no room may import. */
const OUTSIDE = ['demo', 'bench', 'e2e', 'test', 'testkit', '.ci'];

/** Proof that nobody else imports: what several need is in testkit/. The service's tests also test its evaluation. */
const PROOF = {
	test: [],
	bench: [],
	e2e: [],
	'service/test': [],
	'service/bench': [],
	'service/eval': ['service/test'],
};

const proofRuleOf = ([folder, readers]) => ({
	name: `${folder} is imported by nobody else`,
	comment: `What others need of ${folder}/ belongs into testkit/.`,
	severity: 'error',
	from: { pathNot: [folder, ...readers].map((one) => `^${one}/`) },
	to: { path: `^${folder}/` },
});

const coreRuleOf = (folder, index) => ({
	name: `nodes/core/${folder} not a later folder`,
	comment: `nodes/core/${folder} may import: ${CORE.slice(0, index).join(', ') || 'nothing'}`,
	severity: 'error',
	from: { path: `^nodes/core/${folder}/` },
	to: { path: `^nodes/core/(${CORE.slice(index + 1).join('|') || 'none'})/` },
});

const escaped = (path) => path.replaceAll('.', '\\.');

function ruleOf([room, allowed]) {
	const inner = Object.keys(ROOMS).filter((other) => other.startsWith(`${room}/`));
	// A room may import itself, but not the rooms inside it, unless it says so.
	const closed = inner.filter((other) => !allowed.includes(other));
	const from = { path: `^${room}/`, pathNot: inner.map((other) => `^${other}/`) };
	const mayImport = [room, ...allowed].map((other) => `^${other}/`);
	const comment = `${room} may import: ${allowed.join(', ') || 'nothing'}`;
	const anything = [...Object.keys(ROOMS), ...OUTSIDE, 'service'].map((it) => `^${escaped(it)}/`);
	return [
		{ name: room, comment, severity: 'error', from, to: { path: anything, pathNot: mayImport } },
		...closed.map((other) => ({
			name: `${room} not ${other}`,
			comment,
			severity: 'error',
			from,
			to: { path: `^${other}/` },
		})),
	];
}

export default {
	forbidden: [
		{
			name: 'no circles',
			comment: 'Two files that import each other are one file, or a third is missing.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'forms load without what runs',
			comment:
				'n8n loads every form when it starts. What runs is loaded by execute(), when a node is used.',
			severity: 'error',
			from: { path: '^nodes/.*([fF]ields|\\.node)\\.ts$' },
			to: {
				path: '^nodes/',
				pathNot: [
					'[fF]ields\\.ts$',
					'^nodes/core/form/(?!parameters|readForm|fieldError)',
					'^nodes/core/config/(?!readConfiguration)',
					'^nodes/core/output/outputs\\.ts$',
					'^nodes/core/fetch/texts/speakerNames\\.ts$',
				],
				dependencyTypesNot: ['type-only', 'dynamic-import'],
			},
		},
		{
			name: 'no node imports another',
			comment: 'What several nodes need is in nodes/core/.',
			severity: 'error',
			from: { path: '^nodes/([A-Z][^/]*)/' },
			to: { path: '^nodes/[A-Z]', pathNot: '^nodes/$1/' },
		},
		...CORE.map(coreRuleOf),
		...Object.entries(ROOMS).flatMap(ruleOf),
		...Object.entries(PROOF).map(proofRuleOf),
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.tools.json' },
		doNotFollow: { path: 'node_modules' },
		exclude: { path: ['^(service/)?dist/', '^e2e/\\.', 'node_modules'] },
		enhancedResolveOptions: {
			extensions: ['.ts', '.mts', '.js', '.cjs', '.mjs', '.json', '.d.ts'],
		},
	},
};
