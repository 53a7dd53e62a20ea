import { Piscina } from 'piscina';

/**
 * Runs tasks in threads of their own, so many at a time, and gives their results in the tasks' order.
 *
 * @param worker the module whose default export does a task.
 * @throws what a task throws, the signal's reason when aborted; no thread works on by then.
 */
export async function runInThreads<Result>(
	worker: URL,
	tasks: readonly unknown[],
	threads: number,
	signal?: AbortSignal,
): Promise<Result[]> {
	const pool = new Piscina<unknown, Result>({
		minThreads: threads,
		maxThreads: threads,
		// Node itself strips the types of these few files; tsx would take a thread half a second.
		execArgv: [],
	});
	// A thread that cannot start belongs to no task; without a listener it would end the process.
	const broken = new Promise<never>((_resolve, reject) => pool.on('error', reject));
	try {
		// Named for each task: then a module that cannot load fails the task and not the thread.
		const options = { filename: worker.href, ...(signal && { signal }) };
		return await Promise.race([Promise.all(tasks.map((task) => pool.run(task, options))), broken]);
	} catch (error) {
		signal?.throwIfAborted();
		throw error;
	} finally {
		await pool.destroy();
	}
}
