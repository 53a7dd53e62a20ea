import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../../testkit/time/eventually.mts';
import type { Cluster, ServiceProcess } from './cluster.mts';

const AWAY_MS = 5_000;

/** Returns the ids of the edits whose SUCCESS a worker has logged, once for each line. */
export function successesIn(cluster: Cluster): string[] {
	return cluster.lines().flatMap((line) => / edit (\S+) SUCCESS /.exec(line)?.[1] ?? []);
}

/** Lets something happen to a cluster at work when this many edits have ended. */
export async function disturb(
	cluster: Cluster,
	afterEdits: number,
	name: string,
	happen: () => Promise<void>,
): Promise<void> {
	await eventually(
		`${afterEdits} edits have ended`,
		() => successesIn(cluster).length >= afterEdits || undefined,
	);
	const startedAtMs = Date.now();
	await happen();
	const seconds = (Date.now() - startedAtMs) / 1_000;
	console.log(`    after ${afterEdits} edits: ${name} (${seconds.toFixed(1)} s)`);
}

/** Kills a front, and starts another one at its address. */
export async function killFront(cluster: Cluster, program: string): Promise<void> {
	const [front] = cluster.fronts;
	await front.end('SIGKILL');
	cluster.fronts.delete(front);
	await sleep(AWAY_MS);
	await cluster.addFront(program, front.port);
}

/** Kills a worker in the middle of an edit, and starts another one instead. */
export async function killWorker(cluster: Cluster, program: string): Promise<void> {
	const worker = await eventually('a worker is at work', () => [...cluster.workers].find(isAtWork));
	await worker.end('SIGKILL');
	cluster.workers.delete(worker);
	await sleep(AWAY_MS);
	await cluster.addWorker(program);
}

/** Kills PostgreSQL or Redis, and starts it again. */
export async function killServer(server: Pick<Cluster['redis'], 'kill' | 'start'>): Promise<void> {
	await server.kill();
	await sleep(AWAY_MS);
	await server.start();
}

/**
 * Replaces all processes by those of the next version, fronts first, one after the other.
 *
 * @throws if the workers did nothing between the migration, by the first new front, and their end
 */
export async function upgrade(cluster: Cluster, program: string): Promise<void> {
	let successesBefore = Infinity;
	for (const front of [...cluster.fronts]) {
		await cluster.addFront(program);
		successesBefore = Math.min(successesBefore, successesIn(cluster).length);
		cluster.proxy.ports.delete(front.port);
		await front.end('SIGTERM');
		cluster.fronts.delete(front);
		await sleep(AWAY_MS);
	}
	const successes = successesIn(cluster).length - successesBefore;
	console.log(`    workers of the old version ended ${successes} edits on the new tables`);
	if (successes === 0) throw new Error('The workers of the old version ended no edit');
	for (const worker of [...cluster.workers]) {
		await cluster.addWorker(program);
		await worker.end('SIGTERM');
		cluster.workers.delete(worker);
	}
}

/** Whether the last line of a process is about an edit that has not ended. */
function isAtWork({ log }: ServiceProcess): boolean {
	const last = log.findLast((line) => line.includes(' edit ')) ?? '';
	return last !== '' && !/(SUCCESS|FAILURE)/.test(last);
}
