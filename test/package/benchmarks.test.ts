/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they run commands */
import { spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join, resolve } from 'path';

const ROOT = resolve(__dirname, '..', '..');

const SCRIPTS = {
	'bench:quick': "echo 'seeds 1 to 3'; echo 'bar time | space: 1.25 ms (goal <= 2 ms) ok'",
	'bench:slow': "echo 'bar speed: 3 (goal >= 5) SHORT'; exit 1",
	'bench:broken': "echo 'bar half: 1 (goal <= 2) ok'; echo 'no such file' >&2; exit 7",
	'bench:silent': 'true',
	test: 'exit 1',
};

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'audio-editing-benches-'));
	write(SCRIPTS);
});

afterEach(() => rmSync(folder, { recursive: true }));

const write = (scripts: object) =>
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'benches', scripts }));

function runBenches(...names: string[]) {
	const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs');
	const node = join(ROOT, 'node_modules', 'node', 'bin', 'node');
	const args = ['--import', tsx, join(ROOT, 'bench', 'all.mts'), ...names];
	return spawnSync(node, args, { cwd: folder, encoding: 'utf8' });
}

const page = () => readFileSync(join(folder, 'docs', 'benchmarks.md'), 'utf8');

/** The table without its last column, which has times. */
const table = () =>
	page()
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.slice(2)
		.map((line) => line.slice(2, line.lastIndexOf(' | ')));

it('runs every bench, and goes on after one that is short or breaks', () => {
	expect(runBenches().status).toBe(1);
	expect(table()).toEqual([
		'broken | half | 1 | <= 2 | ok',
		'broken | ended with 7: no such file |  |  | FAILED',
		'quick | time \\| space | 1.25 ms | <= 2 ms | ok',
		'silent | ended with 0: no output |  |  | FAILED',
		'slow | speed | 3 | >= 5 | SHORT',
	]);
	expect(page()).toMatch(
		/time .* \| \d{4}-\d\d-\d\d \d\d:\d\d UTC, no commit, \d+ s, seeds 1 to 3 \|/,
	);
	for (const fact of [/Processor: .+ cores/, /Memory: /, /Node 24\./, /ffmpeg /, /n8n-core 2\./]) {
		expect(page()).toMatch(fact);
	}
});

it('replaces only the rows of the named benches', () => {
	runBenches();
	write({ ...SCRIPTS, 'bench:quick': "echo 'bar time: 1 (goal <= 2) ok'" });
	expect(runBenches('quick').status).toBe(0);
	expect(table().filter((row) => row.startsWith('quick'))).toEqual([
		'quick | time | 1 | <= 2 | ok',
	]);
	expect(table()).toHaveLength(5);
});

it('refuses a bench that does not exist', () => {
	const { status, stderr } = runBenches('quik');
	expect(status).toBe(1);
	expect(stderr).toContain('No such bench: quik. There are quick, slow, broken, silent.');
});
