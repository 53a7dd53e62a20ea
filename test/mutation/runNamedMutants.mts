import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { NAMED_ENGINE_MUTANTS } from './namedEngineMutants.mts';
import { NAMED_MUTANTS, type NamedMutant } from './namedMutants.mts';

/** By the test that kills them. */
const MUTANTS = { ...NAMED_MUTANTS, ...NAMED_ENGINE_MUTANTS };

const ROOT = join(import.meta.dirname, '..', '..');

/** Not copied: what is large, and what no test of a mutant reads. */
const LEFT_OUT = new Set(['.git', 'dist', 'e2e', 'images', 'node_modules']);

/** The packages of the project and of the local service. */
const PACKAGES = ['node_modules', 'service/node_modules'];

const JEST = join(
	dirname(createRequire(import.meta.url).resolve('jest-cli/package.json')),
	'bin/jest.js',
);

/** Returns a line for each mutant whose text does not occur exactly once in its file. */
export async function lostMutants(): Promise<string[]> {
	const lines: string[] = [];
	for (const { name, file, find } of Object.values(MUTANTS).flat()) {
		const count = (await readFile(join(ROOT, file), 'utf8')).split(find).length - 1;
		if (count !== 1) lines.push(`${file} has the text of '${name}' ${count} times`);
	}
	return lines;
}

/**
 * Applies each mutant alone to a copy of the project and runs its test file there. Returns how many were
 * killed, and how many there are.
 *
 * @throws Error if the text of a mutant is lost, or if a test fails without any mutant
 */
export async function runNamedMutants(): Promise<{ killed: number; all: number }> {
	const lost = await lostMutants();
	if (lost.length > 0) throw new Error(lost.join('\n'));
	const copy = await mkdtemp(join(tmpdir(), 'audio-editing-mutant-'));
	const isKept = (path: string) => !LEFT_OUT.has(basename(path));
	try {
		await cp(ROOT, copy, { recursive: true, filter: isKept });
		for (const packages of PACKAGES) await symlink(join(ROOT, packages), join(copy, packages));
		let killed = 0;
		for (const [test, mutants] of Object.entries(MUTANTS)) {
			if (!(await passes(copy, test))) throw new Error(`${test} fails without any mutant`);
			for (const mutant of mutants) {
				const isKilled = await kills(copy, test, mutant);
				console.log(`${isKilled ? 'killed  ' : 'SURVIVED'} ${mutant.name} (${test})`);
				if (isKilled) killed += 1;
			}
		}
		return { killed, all: Object.values(MUTANTS).flat().length };
	} finally {
		await rm(copy, { recursive: true, force: true });
	}
}

/** Whether a test fails while the copy has the mutant. */
async function kills(copy: string, test: string, mutant: NamedMutant): Promise<boolean> {
	const { file, find, replace } = mutant;
	const path = join(copy, file);
	const text = await readFile(path, 'utf8');
	await writeFile(
		path,
		text.replace(find, () => replace),
	);
	const isKilled = !(await passes(copy, test));
	await writeFile(path, text);
	return isKilled;
}

/** Runs a test file of the copy: with Node.js if it is the local service's, otherwise with jest. */
async function passes(copy: string, test: string): Promise<boolean> {
	const imports = ['tsx', './testkit/process/npmFfmpeg.mts'].flatMap((name) => ['--import', name]);
	const args = test.endsWith('.mts')
		? [...imports, '--test', test]
		: [JEST, '--runInBand', '--bail', '--runTestsByPath', test];
	const run = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore' });
	const [code] = (await once(run, 'close')) as [number | null];
	return code === 0;
}
