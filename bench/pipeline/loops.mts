import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import type { Time } from '../../api/time.ts';
import { VirtualTime } from '../../test/support/virtualTime.ts';
import { Chance } from '../eval/chance.mts';
import { liveBy } from '../builtClock.mts';
import { type Host, deliverFile, newKey, runNode, urlItem } from './host.mts';
import { Network } from './faults.mts';
import { Line } from './line.mts';
import {
	type Job,
	linksOf,
	type Recording,
	VirtualService,
	FileOnTheWay,
} from './virtualService.mts';

/*
 * Loops over recordings whose edits the service delivers to the execution: Create Edit, then Wait For Edit,
 * which parks the execution. Files come late, twice, or while the execution waits for another edit.
 */

const RESUME_URL = 'https://n8n.example/webhook-waiting/7?signature=x';

const WAIT_MINUTES = 10;

/** How long after the end of its edit the service sends a file, and sends it again. */
const DELAYS_MS = [0, 5_000, 300_000, 700_000, 1_500_000] as const;

const BETWEEN_REFUSALS_MS = 30_000;
const TRIES_MAXIMUM = 5;

/** The figures of a loop: its edits, its files, and what went wrong. */
export interface LoopOutcome {
	readonly charged: number;
	readonly delivered: number;
	/** Files that came when their execution did not wait for them. */
	readonly refused: number;
	readonly chargedTwice: number;
	/** Items that have the file of another edit. */
	readonly wrongEdit: number;
	/** Recordings without an item that names them, and files that were refused while they were waited for. */
	readonly lost: number;
}

/** What the execution sleeps for. */
interface Parked {
	readonly item: INodeExecutionData;
	readonly wake: (items: INodeExecutionData[]) => void;
}

/** One execution of such a loop. */
class Loop {
	delivered = 0;
	refused = 0;
	wrongEdit = 0;
	lost = 0;

	private parked?: Parked;

	private readonly flow: IDataObject = {};

	private readonly memories: Readonly<Record<string, IDataObject>> = { createEdit: {}, wait: {} };

	/** The outputs of Wait For Edit, one for each of its runs. */
	private readonly outputs: INodeExecutionData[] = [];

	private readonly isSeen = new Set<Job>();

	constructor(
		private readonly time: Time,
		private readonly chance: Chance,
		private readonly service: VirtualService,
		private readonly host: Host,
	) {}

	async run(recordings: readonly Recording[]): Promise<void> {
		for (const [runIndex, { name }] of recordings.entries()) {
			const created = await this.runNode('createEdit', urlItem(name), runIndex, {
				...{ options: { deliverHere: true } },
			});
			for (const job of this.service.jobs) this.startDelivering(job);
			const [item] = created;
			const waited = item.json.editId === undefined ? item : await this.wait(item, runIndex);
			this.judge(waited, name);
		}
	}

	/** Runs Wait For Edit, and sleeps until a file wakes the execution up or the time is up. */
	private async wait(item: INodeExecutionData, runIndex: number): Promise<INodeExecutionData> {
		let tillMs: number | undefined;
		const park: Partial<IExecuteFunctions> = {
			putExecutionToWait: (till) => {
				tillMs = till.getTime();
				return Promise.resolve();
			},
		};
		const set = { options: { maximumWaitMinutes: WAIT_MINUTES } };
		let [output] = await this.runNode('waitForEdit', item, runIndex, set, park);
		if (tillMs !== undefined) {
			const parked = output;
			const isWoken = new Promise<INodeExecutionData[]>((wake) => {
				this.parked = { item: parked, wake };
			});
			const isTooLate = this.time.sleep(tillMs - this.time.timeOfDay()).then(() => [parked]);
			[output] = await Promise.race([isWoken, isTooLate]);
			this.parked = undefined;
		}
		this.outputs.push(output);
		return output;
	}

	private async runNode(
		type: string,
		item: INodeExecutionData,
		runIndex: number,
		parameters: INodeParameters,
		more: Partial<IExecuteFunctions> = {},
	): Promise<INodeExecutionData[]> {
		const items = [item];
		const memory = this.memories[type === 'createEdit' ? type : 'wait'];
		const [output] = await runNode(this.host, {
			...{ type, parameters, items, memory, runIndex },
			settings: { onError: 'continueRegularOutput' },
			more: {
				getContext: (of) => (of === 'flow' ? this.flow : memory),
				getChildNodes: () => [
					{ name: 'waitForEdit', type: 'n8n-nodes-audio-editing.waitForEdit', disabled: false },
				],
				evaluateExpression: (text) => (text.includes('resumeUrl') ? RESUME_URL : String(runIndex)),
				getWorkflowDataProxy: () => this.proxy(),
				getExecuteData: () => ({ data: { main: [items] } }),
				...more,
			} as Partial<IExecuteFunctions>,
		});
		return output;
	}

	/** What expressions see of the workflow. */
	private proxy() {
		const last = () => this.outputs.at(-1);
		const waitForEdit = { runIndex: this.outputs.length - 1, context: this.memories.wait };
		return { $node: { waitForEdit }, $: () => ({ last }) } as object as ReturnType<
			IExecuteFunctions['getWorkflowDataProxy']
		>;
	}

	private startDelivering(job: Job): void {
		if (this.isSeen.has(job)) return;
		this.isSeen.add(job);
		const times = this.chance.isTrue(0.3) ? 2 : 1;
		for (let index = 0; index < times; index++) void this.deliver(job, this.chance.pick(DELAYS_MS));
	}

	/** Sends the file of an edit to the execution, as often as it is refused. */
	private async deliver(job: Job, delayMs: number): Promise<void> {
		await job.ended;
		await this.time.sleep(delayMs);
		for (let tries = 0; tries < TRIES_MAXIMUM; tries++) {
			if (await this.put(job)) return;
			this.refused += 1;
			await this.time.sleep(BETWEEN_REFUSALS_MS);
		}
	}

	/** Returns whether the execution took the file. */
	private async put({ id, config, recording }: Job): Promise<boolean> {
		const { parked } = this;
		if (parked === undefined) return false;
		const { signed_url: url } = JSON.parse(config) as { signed_url: string };
		const file = new FileOnTheWay(recording.editedBytes, linksOf({ id, config })[0]);
		const { workflowData } = await deliverFile(this.host, {
			...{ file, url, item: parked.item, context: this.memories.wait },
		});
		if (workflowData === undefined) {
			if (parked.item.json.editId === id) this.lost += 1;
			return false;
		}
		this.delivered += 1;
		parked.wake(workflowData[0]);
		return true;
	}

	private judge({ json, binary = {} }: INodeExecutionData, name: string): void {
		const editIds = Object.values(binary).map(({ id = '' }) => id.split(':')[1]);
		this.wrongEdit += editIds.filter((id) => id !== json.editId).length;
		const isNamed = json.sourceFileName === name || json.editId !== undefined;
		if (!isNamed && json.failure === undefined && json.error === undefined) this.lost += 1;
	}
}

/** Runs a loop. The same seed gives the same loop. */
export async function runLoop(seed: number): Promise<LoopOutcome> {
	const chance = new Chance(seed + 0.25);
	const recordings = Array.from({ length: chance.whole(2, 5) }, (_, index) => ({
		...{ name: `r${index}.wav`, sizeBytes: 1_000, editedBytes: 1_000 + index },
		workSeconds: chance.pick([5, 90, 500]),
	}));
	const time = new VirtualTime(Date.UTC(2026, 0, 1), () => chance.next());
	liveBy(time);
	const [uplink, downlink] = [new Line(time, 1_000_000), new Line(time, 1_000_000)];
	const limits = { submissionsPerMinute: 30, statusCallsPerMinute: 300, atOnce: 2 };
	const service = new VirtualService(time, { recordings, uplink, downlink, ...limits });
	const share = chance.pick([0, 0.1]);
	const network = new Network(time, chance, service, { submissions: share, files: 0, others: 0 });
	const send: Host['send'] = async (request, signal) => await network.send(request, signal);
	const loop = new Loop(time, chance, service, { send, downlink, apiKey: newKey() });
	await time.run(loop.run(recordings));
	const charged = service.jobs.length;
	const names = new Set(service.jobs.map(({ recording }) => recording.name));
	const { delivered, refused, wrongEdit, lost } = loop;
	return { charged, delivered, refused, wrongEdit, lost, chargedTwice: charged - names.size };
}
