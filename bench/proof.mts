/**
 * Measures the tests themselves.
 *
 * - `npm run bench -- proof` runs `npm test` three times, and counts the Debian packages that it needs.
 * - `npm run bench -- proof ci` runs `.ci/run` once.
 * - `npm run bench -- proof busy` runs `npm test` three times beside four processes that take all they can get of
 *   the processor. No test may fail.
 */
import { cpus } from 'node:os';

import { execa, execaSync } from 'execa';

import { type Bar, count, printBars } from '../testkit/measure/bars.mts';
import { median } from '../testkit/measure/median.mts';

const RUNS = 3;
const BUSY_PROCESSES = 4;

async function run(program: string, ...args: string[]) {
	const options = { stdin: 'ignore', stdout: 'inherit', stderr: 'inherit', reject: false } as const;
	const { durationMs, exitCode } = await execa(program, args, options);
	const minutes = durationMs / 60_000;
	console.log(`run ${program} ${args.join(' ')}: ${minutes.toFixed(1)} min, exit ${exitCode}`);
	return { minutes, hasFailed: exitCode !== 0 };
}

type Run = Awaited<ReturnType<typeof run>>;

async function runTests(): Promise<Run[]> {
	const runs: Run[] = [];
	while (runs.length < RUNS) runs.push(await run('npm', 'test'));
	return runs;
}

function failuresIn(runs: readonly Run[]): number {
	return runs.filter(({ hasFailed }) => hasFailed).length;
}

/** Takes a core, and ends with its parent, which may be killed. */
const BUSY = 'const parent = process.ppid; while (process.ppid === parent);';

async function busyBars(): Promise<Bar[]> {
	const busy = Array.from({ length: BUSY_PROCESSES }, () =>
		execa(process.execPath, ['-e', BUSY], { stdio: 'ignore', reject: false }),
	);
	try {
		const name = 'npm test beside four busy processes, failures in three runs';
		return [count(name, failuresIn(await runTests()))];
	} finally {
		for (const child of busy) child.kill('SIGKILL');
	}
}

async function quietBars(): Promise<Bar[]> {
	const runs = await runTests();
	const minutes = median(runs.map((one) => one.minutes));
	const cores = `${cpus().length === 2 ? 'two' : cpus().length} cores`;
	return [
		{ name: `npm test on ${cores}, minutes`, figure: minutes, limit: 6 },
		count('npm test, failures in three runs', failuresIn(runs)),
		count('Debian packages that npm test needs', packagesNeeded(), 1),
	];
}

/** Counts the packages that `.ci/packages` names where no program is installed. */
function packagesNeeded(): number {
	const options = { env: { PATH: '/nonexistent' }, extendEnv: false, reject: false } as const;
	const { stdout } = execaSync('/bin/bash', ['.ci/packages'], options);
	const named = /^Missing on this machine: (.*) \(on Debian/m.exec(stdout)?.[1];
	if (named === undefined) throw new Error(`.ci/packages names no package: ${stdout}`);
	return named.split(' ').length;
}

async function ciBars(): Promise<Bar[]> {
	const { minutes, hasFailed } = await run('.ci/run');
	return [
		{ name: '.ci/run with the slow tests and e2e, minutes', figure: minutes, limit: 30 },
		count('.ci/run, failures', Number(hasFailed)),
	];
}

const MEASURES = { quiet: quietBars, busy: busyBars, ci: ciBars };

const wished = process.argv.slice(2) as (keyof typeof MEASURES)[];
for (const name of wished.length > 0 ? wished : (['quiet'] as const)) {
	if (!(name in MEASURES)) throw new Error(`No such measure: ${name}. There are quiet, busy, ci.`);
	printBars(await MEASURES[name]());
}
