import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { MutatedCopy } from './mutatedCopy.mts';
import type { NamedMutant } from './namedMutants.mts';

const JEST = join(
	createRequire(import.meta.url).resolve('jest-cli/package.json'),
	'..',
	'bin',
	'jest.js',
);

const CONFIG = {
	...(createRequire(import.meta.url)('../../jest.config.js') as object),
	transform: { '^.+\\.ts$': '<rootDir>/test/mutation/applyNamedMutant.cjs' },
	rootDir: join(import.meta.dirname, '..', '..'),
};

/**
 * Applies each mutant alone and runs its test file. Returns how many were killed.
 *
 * @throws Error if a mutant's text does not occur exactly once in its file, or if a test fails without
 *   any mutant
 */
export async function runNamedMutants(mutants: readonly NamedMutant[]): Promise<number> {
	for (const { name, file, find } of mutants) {
		const text = await readFile(join(CONFIG.rootDir, file), 'utf8');
		const count = text.split(find).length - 1;
		if (count !== 1) throw new Error(`${file} has the text of '${name}' ${count} times`);
	}
	await using copy = await MutatedCopy.make(CONFIG.rootDir);
	const tests = [...new Set(mutants.map(({ test }) => test))];
	const [ofNode, ofJest] = [true, false].map((isOfNode) =>
		tests.filter((test) => isNodeTest(test) === isOfNode),
	);
	const pass =
		(ofJest.length === 0 || (await passInJest(ofJest, {}))) &&
		(ofNode.length === 0 || (await passInNode(copy, ofNode, {})));
	if (!pass) throw new Error('A test fails without any mutant');
	let killed = 0;
	for (const mutant of mutants) {
		const { test, name } = mutant;
		const isKilled = !(isNodeTest(test)
			? await passInNode(copy, [test], mutant)
			: await passInJest([test], mutant));
		console.log(`${isKilled ? 'killed  ' : 'SURVIVED'} ${name} (${test})`);
		if (isKilled) killed += 1;
	}
	return killed;
}

/** Whether a test is one of the local service's, which run with Node.js. */
const isNodeTest = (test: string) => test.endsWith('.mts');

async function passInJest(tests: readonly string[], mutant: Partial<NamedMutant>) {
	const settings = ['--config', JSON.stringify(CONFIG), '--no-cache', '--runInBand', '--bail'];
	const NAMED_MUTANT = JSON.stringify(mutant);
	return await succeeds([JEST, ...settings, '--runTestsByPath', ...tests], { NAMED_MUTANT });
}

async function passInNode(
	copy: MutatedCopy,
	tests: readonly string[],
	mutant: Partial<NamedMutant>,
) {
	const imports = ['tsx', './test/support/npmFfmpeg.mts'].flatMap((name) => ['--import', name]);
	const run = [...imports, '--test', '--test-concurrency=1', ...tests];
	return await copy.with(mutant, async () => await succeeds(run, {}, copy.folder));
}

async function succeeds(
	args: readonly string[],
	env: NodeJS.ProcessEnv,
	cwd = CONFIG.rootDir,
): Promise<boolean> {
	const run = spawn(process.execPath, args, {
		cwd,
		env: { ...process.env, ...env },
		stdio: 'ignore',
	});
	const [code] = (await once(run, 'close')) as [number | null];
	return code === 0;
}
