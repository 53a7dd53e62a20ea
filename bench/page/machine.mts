import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';

/** The first line that a command prints; undefined if it cannot run. */
function firstLine(command: string, args: readonly string[], folder: string): string | undefined {
	const { status, stdout } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
	return status === 0 ? stdout.split('\n')[0] : undefined;
}

/** The commit in a folder, and whether it has changes besides those of a page that are not committed. */
export function commitOf(folder: string, pagePath: string): string {
	const commit = firstLine('git', ['rev-parse', '--short', 'HEAD'], folder);
	if (commit === undefined) return 'no commit';
	const changes = firstLine('git', ['status', '--porcelain', '--', '.', `:!${pagePath}`], folder);
	return changes === '' ? commit : `${commit} with changes`;
}

/** Returns what the figures depend on: processor, memory, system and versions. */
export function describeMachine(folder: string): string[] {
	const { version } = createRequire(import.meta.url)('n8n-core/package.json') as {
		version: string;
	};
	const ffmpeg = firstLine('ffmpeg', ['-version'], folder)?.split(' ')[2] ?? 'missing';
	return [
		`Processor: ${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores`,
		`Memory: ${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
		`System: ${type()} ${release()}`,
		`Versions: Node ${process.versions.node}, ffmpeg ${ffmpeg}, n8n-core ${version}`,
	];
}
