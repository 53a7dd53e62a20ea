import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

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
	const tests = [...new Set(mutants.map(({ test }) => test))];
	if (!(await passes(tests, {}))) throw new Error('A test fails without any mutant');
	let killed = 0;
	for (const mutant of mutants) {
		const isKilled = !(await passes([mutant.test], mutant));
		console.log(`${isKilled ? 'killed  ' : 'SURVIVED'} ${mutant.name} (${mutant.test})`);
		if (isKilled) killed += 1;
	}
	return killed;
}

async function passes(tests: readonly string[], mutant: Partial<NamedMutant>): Promise<boolean> {
	const settings = ['--config', JSON.stringify(CONFIG), '--no-cache', '--runInBand', '--bail'];
	const jest = spawn(process.execPath, [JEST, ...settings, '--runTestsByPath', ...tests], {
		cwd: CONFIG.rootDir,
		env: { ...process.env, NAMED_MUTANT: JSON.stringify(mutant) },
		stdio: 'ignore',
	});
	const [code] = (await once(jest, 'close')) as [number | null];
	return code === 0;
}
