/**
 * Runs files of node:test, several in each process: `runFiles.mts <processes> <files>`. Loading the local service
 * and starting its engine takes longer than the tests of most files. The runner's own
 * `--test-isolation=none` imports all files before it begins the first test, for which a file that awaits
 * its tests would wait for ever.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';

/** For one file, and for what a process has left open after its last: two minutes at most, and ten times that beside other work. */
const LIMIT_MS = 60 * 60_000;

const OVER = 'after its last file';

/** For a process to end those that it started. */
const GRACE_MS = 30_000;

/** Gives files to a process, one after the other, until there are none. @returns whether all passed */
async function serve(child: ChildProcess, files: Iterator<string>): Promise<boolean> {
	let current = 'before its first file';
	// Here, and not in the process: code that never ends would hold up its timer, too.
	const limit = setTimeout(() => {
		console.error(`More than ${LIMIT_MS / 60_000} minutes: ${current}`);
		child.kill();
		setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
	}, LIMIT_MS);
	child.on('message', () => {
		const next = files.next();
		const file = next.done === true ? undefined : next.value;
		current = file ?? OVER;
		limit.refresh();
		child.send({ file });
	});
	const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
	clearTimeout(limit);
	const isOver = code === 0 && current === OVER;
	if (!isOver) console.error(`A process ended with ${code ?? signal}: ${current}`);
	return isOver;
}

async function runAll(processes: number, paths: readonly string[]): Promise<void> {
	const files = paths.values();
	const passed = await Promise.all(
		Array.from({ length: processes }, async () => await serve(fork(import.meta.filename), files)),
	);
	if (passed.includes(false)) process.exitCode = 1;
}

/** Asks for files and runs them. */
async function work(ask: (message: string) => unknown): Promise<void> {
	// The parent has been ended.
	process.once('disconnect', () => process.exit(1));
	for (;;) {
		ask('next');
		const [{ file }] = (await once(process, 'message')) as [{ file?: string }];
		if (file === undefined) break;
		try {
			await import(pathToFileURL(file).href);
		} catch (error) {
			console.error(file, error);
			process.exitCode = 1;
		}
		// A file may stop the time for all its tests.
		mock.timers.reset();
		mock.reset();
	}
	process.removeAllListeners('disconnect');
	process.disconnect();
}

if (process.send === undefined) {
	const [processes, ...files] = process.argv.slice(2);
	if (!/^[1-9]$/.test(processes) || files.length === 0)
		throw new Error('Usage: runFiles.mts <1 to 9> <files>');
	await runAll(Number(processes), files);
} else {
	await work(process.send.bind(process));
}
