/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes and read files */
import { spawnSync } from 'child_process';
import { existsSync, readdirSync, statSync } from 'fs';
import { join } from 'path';

/** The part of the output of `npm pack --json` that is read here. */
interface PackReport {
	readonly filename: string;
	/** The paths of the package's files. */
	readonly files: ReadonlyArray<{ readonly path: string }>;
	/** The size of the archive, and of all files together. */
	readonly size: number;
	readonly unpackedSize: number;
}

const ROOT = join(__dirname, '..', '..');

/** Sources to compile and copy, and the files that say how. */
const SOURCE_FOLDERS = ['api', 'credentials', 'formats', 'icons', 'nodes', 'waiting'];
const BUILD_FILES = ['gulpfile.js', 'tsconfig.json', 'tsconfig.build.json'];

/** Packs the current build and unpacks it in this folder. Returns where its package.json is, and npm's report. */
export function unpackPackage(target: string): PackReport & { folder: string } {
	// Without its scripts, which would lint and build again.
	const report = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', target]);
	const [packed] = JSON.parse(report) as [PackReport];
	run('tar', ['-xzf', join(target, packed.filename), '-C', target]);
	return { ...packed, folder: join(target, 'package') };
}

/** Builds the package unless the build is newer than every source. */
export function buildIfStale(): void {
	const sources = [
		...SOURCE_FOLDERS.flatMap(filesIn),
		...BUILD_FILES.map((name) => join(ROOT, name)),
	];
	// Copied files keep the time of their source, so only compiled files count.
	const compiled = filesIn('dist').filter((path) => path.endsWith('.js'));
	const isFresh =
		compiled.length > 0 &&
		Math.min(...compiled.map(changedMs)) > Math.max(...sources.map(changedMs));
	if (!isFresh) run('npm', ['run', '--silent', 'build']);
}

/** Returns the paths of all files in a folder of the repository; none if the folder is missing. */
function filesIn(folder: string): string[] {
	const path = join(ROOT, folder);
	if (!existsSync(path)) return [];
	return readdirSync(path, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));
}

function changedMs(path: string): number {
	return statSync(path).mtimeMs;
}

function run(program: string, args: readonly string[]): string {
	const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
	if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}${stdout}`);
	return stdout;
}
