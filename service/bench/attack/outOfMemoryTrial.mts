import { setTimeout as wait } from 'node:timers/promises';

import { Chance } from '../../../testkit/measure/chance.mts';
import { childrenOf, procText } from '../../../testkit/measure/peak.mts';
import { startChildService, type ChildService } from '../../../testkit/service/childService.mts';
import { SILENCES, talk } from '../../../testkit/service/recordings.mts';
import { QUICK_PROCESS } from '../../../testkit/service/testService.mts';

/** Between two looks for a program, real milliseconds. */
const MAX_PAUSE_MS = 1_000;

/** Kills ffmpeg or ffprobe at random during some edits. Returns how many edits ended in FAILURE, and how many have no result. */
export async function tryOutOfMemory(storage: string, edits: number, kills: number, seed: number) {
	await using service = await startChildService(storage, ...QUICK_PROCESS);
	const { client } = service;
	const file = await client.upload(talk);
	const stop = new AbortController();
	const killing = killPrograms(service, kills, new Chance(seed), stop.signal);
	const statuses: string[] = [];
	const reasons: string[] = [];
	const oneAfterTheOther = async () => {
		while (statuses.length < edits) {
			const index = statuses.push('') - 1;
			const id = await client.create({ files: [file], config: SILENCES });
			const { status, failureReason = '' } = await client.ended(id);
			statuses[index] = status;
			if (status !== 'SUCCESS') reasons.push(failureReason);
		}
	};
	await Promise.all([1, 2, 3].map(oneAfterTheOther));
	stop.abort();
	const killed = await killing;
	console.log(`  ${killed} programs killed in ${statuses.length} edits`, reasons);
	const failed = statuses.filter((status) => status === 'FAILURE').length;
	return { killed, failed, lost: statuses.filter((status) => status !== 'SUCCESS').length };
}

/** Kills a program that runs, after a random time, again and again. Returns how many it has killed. */
async function killPrograms(
	{ pid }: ChildService,
	kills: number,
	chance: Chance,
	stop: AbortSignal,
): Promise<number> {
	let killed = 0;
	while (killed < kills && !stop.aborted) {
		await wait(chance.between(0, MAX_PAUSE_MS));
		const programs = childrenOf(pid).filter((child) =>
			/ff(mpeg|probe)/.test(procText(child, 'cmdline')),
		);
		// None runs between two stages.
		if (programs.length === 0) continue;
		const program = programs[Math.floor(chance.between(0, programs.length))];
		if (isKilled(Number(program))) killed += 1;
	}
	return killed;
}

function isKilled(pid: number): boolean {
	try {
		process.kill(pid, 'SIGKILL');
		return true;
	} catch {
		// It has ended meanwhile.
		return false;
	}
}
