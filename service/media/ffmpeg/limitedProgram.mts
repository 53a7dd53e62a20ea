import which from 'which';

/** Threads of ffmpeg need less than 1 MB. With the usual 8 MB, those of a large machine fill the limit. */
const STACK_BYTES = 2_097_152;

let prlimitPath: string | null | undefined;

/**
 * Returns a program and its arguments, started so that it cannot allocate more memory. It needs `prlimit`,
 * which is in every Linux with util-linux; elsewhere the program starts without a limit.
 *
 * @param memoryBytes what it may write to: its code and the files that it maps do not count.
 */
export function limitedProgram(
	program: string,
	args: readonly string[],
	memoryBytes: number,
): [program: string, args: readonly string[]] {
	prlimitPath ??= which.sync('prlimit', { nothrow: true });
	if (prlimitPath === null) return [program, args];
	const limits = [`--data=${memoryBytes}`, `--stack=${STACK_BYTES}:`];
	return [prlimitPath, [...limits, program, ...args]];
}
