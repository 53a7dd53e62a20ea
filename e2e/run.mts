/**
 * `npm run e2e`: runs the tests in a real n8n. `npm run e2e -- crash e2e/queue.test.mts` runs a suite and a file,
 * `npm run e2e -- list` lists the suites. Options such as `--test-name-pattern=Stop` go to the runner of tests.
 */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';

import { type Menu, refuse, run } from '../.ci/menu.mts';

interface Suite {
	readonly about: string;
	/** Names in this folder, without `.test.mts`. */
	readonly files: readonly string[];
	/** How many files run at the same time. */
	readonly atOnce?: number;
	/** Whether it needs nothing but Node.js: no n8n, and no packages of Debian. */
	readonly isBare?: boolean;
	/** Whether it needs the built package of the service. */
	readonly buildsService?: boolean;
	readonly env?: NodeJS.ProcessEnv;
}

/** What is tested with every version of n8n. */
const HEADLESS = ['headless', 'guarantees', 'failures'];

const ALL = 'all';

const SUITES: Menu<Suite> = {
	[ALL]: {
		about: 'all files of this folder, as CI runs them',
		files: ['*', 'approval/*'],
		atOnce: 3,
	},
	headless: { about: 'workflows, files on disk and in memory, failures', files: HEADLESS },
	browser: { about: 'the editor in a browser', files: ['browser', 'firstRun', 'producer'] },
	approval: {
		about: 'a person finds edits, reviews the cuts, and approves them',
		files: ['approval/*'],
	},
	container: {
		about: "the ways into n8n's container, without Docker; needs root",
		files: ['container'],
	},
	queue: { about: 'two workers on Redis and PostgreSQL', files: ['queue'] },
	crash: {
		about: 'kill -9 and restarts of n8n, and two nights of 40 recordings',
		files: ['crash', 'night'],
	},
	trigger: { about: 'the trigger', files: ['trigger'] },
	publishing: {
		about: 'the workflows for other hosts, with stand-ins for them',
		files: ['publishing', 'driveRecipes', 'hookRecipes'],
	},
	agent: { about: 'an agent with the nodes as tools', files: ['agent'] },
	oldest: {
		about: 'the oldest n8n',
		files: [...HEADLESS, 'crash', 'trigger'],
		env: { E2E_HOST: 'oldest' },
	},
	cluster: {
		about: 'several services on PostgreSQL, Redis and S3, while each is killed and upgraded',
		files: ['cluster/*'],
		buildsService: true,
	},
	pictures: { about: 'takes the pictures of the documentation', files: ['pictures/*'] },
	weekly: { about: "the README's first line in a fresh clone", files: ['weekly/*'], isBare: true },
};

function runSuite(
	{ files, atOnce = 1, isBare, buildsService, env }: Suite,
	options: readonly string[],
): void {
	const steps = ['.ci/packages e2e', 'npm run --silent build', 'node --import tsx e2e/install.mts'];
	if (buildsService) steps.push('npm run --silent build -w service');
	if (!isBare && !run(steps.join(' && '), [], env)) return;
	const tests = ['node --import tsx --test --test-force-exit --test-timeout=1200000'];
	tests.push(`--test-concurrency=${atOnce}`);
	run(tests.join(' '), [...options, ...files.map((name) => `e2e/${name}.test.mts`)], env);
}

const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const options = process.argv.slice(2).filter((word) => word.startsWith('-'));
const files = words.filter((word) => existsSync(word));
const suites = words.filter((word) => !files.includes(word));
const unknown = suites.find((word) => !Object.hasOwn(SUITES, word));
if (unknown !== undefined) {
	refuse('npm run e2e', SUITES, unknown);
} else {
	const names = files.map((path) => relative('e2e', path).replace(/\.test\.mts$/, ''));
	if (names.length > 0) runSuite({ about: '', files: names }, options);
	for (const word of words.length > 0 ? suites : [ALL]) runSuite(SUITES[word], options);
}
