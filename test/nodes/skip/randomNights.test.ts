import type { ICheckProcessedContextData, INodeType } from 'n8n-workflow';

import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { fileItems, useRecordingService } from '../../../testkit/service/recordingService';
import { systemTime } from '../../../testkit/time/leapingTime';

/*
 * Nights in which nobody watches, each with a kill, Stop or a second execution at a random moment, and three
 * further executions. `npm run bench -- night` has a thousand of them, and more kinds.
 */

const NIGHTS = Array.from({ length: 12 }, (_, index) => index + 1);
const SUBMISSIONS_AT_ONCE = 4;
const SKIP = { skipEdited: 'nameAndSize' };
const TYPE = 'n8n-nodes-audio-editing.audioEditing';

const store = useProcessedData();
const service = useRecordingService();

/** Numbers from 0 to 1 that are the same for the same seed. */
function chanceOf(seed: number): () => number {
	let state = seed * 2_654_435_761;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

/** Loads our node as a new process of n8n does. */
function newProcess(): Record<string, INodeType> {
	jest.resetModules();
	jest.doMock('../../../api/time', () => ({ systemTime }));
	const path = '../../../nodes/AudioEditing/AudioEditing.node';
	const { AudioEditing } = jest.requireActual<{ AudioEditing: new () => INodeType }>(path);
	return { [TYPE]: new AudioEditing() };
}

/** Kills the process at a write to n8n's memory: all its executions so far wait forever, and get no more responses. */
class Kills {
	private readonly dead = new Set<unknown>();

	private readonly seen = new Set<unknown>();

	private writes = 0;

	private hasRestarted = false;

	onKill = () => {};

	constructor(
		private readonly atWrite: number,
		private readonly isWritten: boolean,
	) {}

	async write<T>({ workflow }: ICheckProcessedContextData, work: () => Promise<T>): Promise<T> {
		const never = new Promise<T>(() => undefined);
		this.seen.add(workflow);
		const isLast = !this.hasRestarted && ++this.writes === this.atWrite;
		if (isLast && !this.isWritten) this.kill();
		if (this.dead.has(workflow)) return await never;
		const result = await work();
		if (isLast && this.isWritten) this.kill();
		return this.dead.has(workflow) ? await never : result;
	}

	/** What comes later belongs to the next process. */
	restart(): void {
		this.hasRestarted = true;
	}

	private kill(): void {
		for (const workflow of this.seen) this.dead.add(workflow);
		this.onKill();
	}
}

/** Lets a kill end the writes of a process. */
function killAt(kills: Kills): () => void {
	const { checkProcessedAndRecord, removeProcessed } = store;
	store.checkProcessedAndRecord = async (items, scope, about) =>
		await kills.write(
			about,
			async () => await checkProcessedAndRecord.call(store, items, scope, about),
		);
	store.removeProcessed = async (items, scope, about) =>
		await kills.write(about, async () => await removeProcessed.call(store, items, scope, about));
	return () => Object.assign(store, { checkProcessedAndRecord, removeProcessed });
}

it.each(NIGHTS)('night %i: each recording is charged once and delivered', async (seed) => {
	const chance = chanceOf(seed);
	const names = Array.from(
		{ length: 5 + Math.floor(chance() * 10) },
		(_, n) => `n${seed}-${n}.wav`,
	);
	const bad = `broken-${seed}.wav`;
	names[Math.floor(chance() * names.length)] = bad;
	for (const name of names) service.seconds[name] = [5, 40, 90, 400][Math.floor(chance() * 4)];
	const items = await fileItems(...names);
	const interruption = ['kill', 'kill', 'stop', 'overlap'][seed % 4];
	const kills = new Kills(
		interruption === 'kill' ? 8 + Math.floor(chance() * 2 * names.length) : Infinity,
		chance() < 0.5,
	);
	const putBack = killAt(kills);
	const delivered: string[] = [];
	const uncertain: string[] = [];
	let nodeTypes = newProcess();
	const execute = async (onError: 'stopWorkflow' | 'continueErrorOutput', more: object = {}) => {
		const { run } = await service.edit(items, SKIP, { nodeTypes, settings: { onError }, ...more });
		const isDone = run.status === 'success' || run.data.resultData.error === undefined;
		const out = itemsOf(run, 'audioEditing').filter(({ json }) => json.finished === true);
		if (isDone) delivered.push(...out.map(({ json }) => String(json.sourceFileName)));
		uncertain.length = 0;
		for (const { json } of itemsOf(run, 'audioEditing', 2)) {
			const isUncertain = JSON.stringify(json).includes('of it may have been accepted');
			if (isUncertain) uncertain.push(String(json.sourceFileName));
		}
		await systemTime.sleep(5_000);
	};
	const onError = chance() < 0.5 ? 'stopWorkflow' : 'continueErrorOutput';
	const killed = new Promise<void>((resolve) => (kills.onKill = resolve));
	const stopAfterSeconds = Math.floor(chance() * 400);
	const first = execute(onError, interruption === 'stop' ? { stopAfterSeconds } : {});
	if (interruption === 'overlap') {
		await service.begun();
		await execute(onError);
	}
	await Promise.race([first, killed]);
	kills.restart();
	if (interruption === 'kill') {
		nodeTypes = newProcess();
		await systemTime.sleep(900_000);
	}
	await execute(onError);
	await execute(onError);
	await execute('continueErrorOutput');
	putBack();

	const good = names.filter((name) => name !== bad);
	const charged = service.charged.filter((name) => name !== bad);
	expect(new Set(charged).size).toBe(charged.length);
	expect(service.charged.length - charged.length).toBeLessThanOrEqual(2);
	expect([...delivered, ...uncertain].filter((name) => name !== bad).sort()).toEqual(good.sort());
	expect(uncertain.length).toBeLessThanOrEqual(SUBMISSIONS_AT_ONCE);
});
