/** Returns the processor time of this thread so far, in milliseconds: other processes do not change it. */
export function threadCpuMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1_000;
}
