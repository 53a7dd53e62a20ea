/**
 * Changes the modules that carry the rules in thousands of small ways and looks whether a test fails
 * for each. `npm run mutate`, with `-- --mutate waiting/budget.ts` for some files, `--testFiles` for
 * some tests, `--incremental` to repeat only what a change concerns, and `--named` for the named
 * mutants alone.
 */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { printBars } from '../../bench/bars.mts';
import { table } from '../../demo/report.mts';
import { NAMED_MUTANTS } from './namedMutants.mts';
import { RULE_MODULES, TEST_FILES } from './rules.mts';
import { runNamedMutants } from './runNamedMutants.mts';
import { type FileScore, scoreOf, scoresByFile } from './score.mts';
import { runMutants } from './runMutants.mts';
import { type AcceptedSurvivors, compareSurvivors, survivorsOf } from './survivors.mts';

const ROOT = join(import.meta.dirname, '..', '..');

const RESULTS_FILE = join(ROOT, 'node_modules', '.cache', 'mutation.json');

const { values } = parseArgs({
	options: {
		mutate: { type: 'string', multiple: true },
		testFiles: { type: 'string', multiple: true },
		concurrency: { type: 'string', default: '2' },
		incremental: { type: 'boolean', default: false },
		named: { type: 'boolean', default: false },
	},
});

function row({ file, killed, survived, notCovered, score }: FileScore): string[] {
	return [file, `${score.toFixed(1)} %`, ...[killed, survived, notCovered].map(String)];
}

async function runAll(): Promise<void> {
	const mutants = await runMutants({
		mutate: values.mutate ?? RULE_MODULES,
		testFiles: values.testFiles ?? TEST_FILES,
		concurrency: Number(values.concurrency),
		resultsFile: values.incremental ? RESULTS_FILE : undefined,
	});
	const found = mutants.map((mutant) => ({
		...mutant,
		fileName: relative(ROOT, mutant.fileName),
	}));
	const scores = scoresByFile(found);
	console.log(table([['file', 'score', 'killed', 'survived', 'not covered'], ...scores.map(row)]));
	const list = JSON.parse(
		await readFile(join(import.meta.dirname, 'survivors.json'), 'utf8'),
	) as AcceptedSurvivors[];
	const files = new Set(scores.map(({ file }) => file));
	const survivors = await survivorsOf(found, ROOT);
	const { unexplained, outdated } = compareSurvivors(survivors, list, files);
	for (const { file, mutant } of unexplained) console.log(`no reason listed: ${file}: ${mutant}`);
	for (const { file, mutant } of outdated) console.log(`listed, but none: ${file}: ${mutant}`);
	printBars([
		{
			name: 'mutation score of the rules',
			figure: scoreOf(found),
			limit: 90,
			goal: '>=',
			decimals: 1,
			unit: '%',
		},
		{ name: 'survivors without a reason', figure: unexplained.length, limit: 0, decimals: 0 },
		{ name: 'reasons without a survivor', figure: outdated.length, limit: 0, decimals: 0 },
	]);
}

if (!values.named) await runAll();
if (values.named || values.mutate === undefined) {
	printBars([
		{
			name: 'named mutants of this issue killed',
			figure: await runNamedMutants(NAMED_MUTANTS),
			limit: NAMED_MUTANTS.length,
			goal: '>=',
			decimals: 0,
		},
	]);
}
