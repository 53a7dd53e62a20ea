/**
 * Changes the modules with the rules in thousands of small ways and checks that a test fails for each.
 * `npm run mutate`, with `-- --mutate waiting/rateLimit.ts` only for some files (globs, repeatable), with
 * `-- --incremental` only for what a change affects, with `-- --named` only for the named mutants.
 */
import { glob } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { installLocked } from '../../.ci/installLocked.mts';
import { printBars } from '../../bench/bars.mts';
import { RULE_GROUPS, RULE_MODULES } from './rules.mts';
import { runMutants } from './runMutants.mts';
import { runNamedMutants } from './runNamedMutants.mts';
import { scoreOf } from './score.mts';
import type { MutantResult } from './stryker.mts';
import { survivorsOf } from './survivors.mts';

const ROOT = join(import.meta.dirname, '..', '..');

const { values } = parseArgs({
	options: {
		mutate: { type: 'string', multiple: true },
		concurrency: { type: 'string', default: '2' },
		incremental: { type: 'boolean', default: false },
		named: { type: 'boolean', default: false },
	},
});

async function filesOf(patterns: readonly string[]): Promise<string[]> {
	const files: string[] = [];
	for await (const file of glob(patterns, { cwd: ROOT })) files.push(file);
	return files;
}

async function runGroups(): Promise<MutantResult[]> {
	const wanted = values.mutate && new Set(await filesOf(values.mutate));
	const grouped = await filesOf(RULE_GROUPS.flatMap(({ mutate }) => mutate));
	const missing = (await filesOf(RULE_MODULES)).filter((file) => !grouped.includes(file));
	if (missing.length > 0) throw new Error(`In no group of rules.mts: ${missing.join(', ')}`);
	const mutants: MutantResult[] = [];
	for (const { name, mutate: modules, testFiles } of RULE_GROUPS) {
		const mutate = (await filesOf(modules)).filter((file) => wanted?.has(file) ?? true);
		if (mutate.length === 0) continue;
		const kept = join(ROOT, 'node_modules', '.cache', `mutation-${name}.json`);
		const resultsFile = values.incremental ? kept : undefined;
		const concurrency = Number(values.concurrency);
		mutants.push(...(await runMutants({ mutate, testFiles, concurrency, resultsFile })));
	}
	return mutants.map((mutant) => ({ ...mutant, fileName: relative(ROOT, mutant.fileName) }));
}

async function mutateRules(): Promise<void> {
	await installLocked(import.meta.dirname);
	const mutants = await runGroups();
	for (const survivor of await survivorsOf(mutants, ROOT)) console.log(`survived: ${survivor}`);
	printBars([
		{
			name: 'mutation score of the rules',
			figure: scoreOf(mutants),
			limit: 90,
			goal: '>=',
			decimals: 1,
			unit: '%',
		},
	]);
}

const beganAtMs = performance.now();
if (!values.named) await mutateRules();
if (values.named || values.mutate === undefined) {
	const { killed, all } = await runNamedMutants();
	printBars([
		{ name: 'named mutants killed', figure: killed, limit: all, goal: '>=', decimals: 0 },
	]);
}
console.log(`(${Math.round((performance.now() - beganAtMs) / 60_000)} minutes)`);
