import which from 'which';

/** Threads of ffmpeg need less than 1 MB. With the usual 8 MB, those of a large machine fill the limit. */
const STACK_BYTES = 2_097_152;

/** After these seconds more, a program that ignores the first signal is killed. */
const LAST_CPU_SECONDS = 5;

let prlimitPath: string | null | undefined;

/** What a program may use of this machine. */
export interface ResourceLimits {
	/** What it may write to: its code and the files that it maps do not count. */
	memoryBytes: number;
	/** How long it may compute, on a busy machine as on an idle one. A second at least. */
	cpuSeconds?: number;
}

/**
 * Returns a program and its arguments, started so that it cannot use more. It needs `prlimit`, which is
 * in every Linux with util-linux; elsewhere the program starts without a limit.
 */
export function limitedProgram(
	program: string,
	args: readonly string[],
	{ memoryBytes, cpuSeconds }: ResourceLimits,
): [program: string, args: readonly string[]] {
	prlimitPath ??= which.sync('prlimit', { nothrow: true });
	if (prlimitPath === null) return [program, args];
	const limits = [`--data=${memoryBytes}`, `--stack=${STACK_BYTES}:`];
	if (cpuSeconds !== undefined) {
		limits.push(`--cpu=${cpuSeconds}:${cpuSeconds + LAST_CPU_SECONDS}`);
	}
	return [prlimitPath, [...limits, program, ...args]];
}
