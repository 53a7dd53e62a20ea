import type { INode, INodeExecutionData } from 'n8n-workflow';

import { readText } from '../../nodes/core/texts.ts';
import { Chance } from '../../testkit/measure/chance.mts';
import { ProcessedData } from '../../testkit/n8n/processedDataStore.ts';
import { VirtualTime } from '../../testkit/time/virtualTime.ts';
import { Network } from '../pipeline/faults.mts';
import { type Host, fileItem, newKey, runNode } from '../pipeline/host.mts';
import { Line } from '../pipeline/line.mts';
import { VirtualService } from '../pipeline/virtualService.mts';
import type { NightPlan } from './plan.mts';
import { Process } from '../../testkit/n8n/builtProcess.mts';
import { never } from '../../testkit/time/liveBy.mts';
import { Submissions } from './submissions.mts';

const BYTES_PER_SECOND = 10_000_000;
/** How long after its end the node lets n8n store its output before it clears the memory. */
const CLEARED_AFTER_MS = 1_000;
const NO_FAULTS = { submissions: 0, files: 0, others: 0 };
const ABOUT = { workflow: { id: 'bench', active: true }, node: { id: 'node-1' } as INode };

/** How an execution ended, and what it output. */
interface Execution {
	end: 'done' | 'failed' | 'stopped' | 'killed';
	items: INodeExecutionData[];
	skipped: INodeExecutionData[];
	failed: INodeExecutionData[];
	error: string;
}

/** Runs a trial, and judges it. */
export class Trial {
	readonly executions: Execution[] = [];

	/** Submissions under way when a process died or an execution was stopped. */
	inFlightAtEnd = 0;

	private readonly time: VirtualTime;
	private readonly service: VirtualService;
	private readonly network: Network;
	private readonly store = new ProcessedData();
	private readonly downlink: Line;
	private readonly stops: AbortController[] = [];
	private process: Process;
	private writes = 0;
	private requests = 0;
	private readonly submissions = new Submissions();
	private mayDie = true;
	private executionCount = 0;

	constructor(private readonly plan: NightPlan) {
		const chance = new Chance(plan.seed + 0.5);
		this.time = new VirtualTime({ startMs: Date.UTC(2026, 0, 1), random: () => chance.next() });
		this.downlink = new Line(this.time, BYTES_PER_SECOND);
		this.service = new VirtualService(this.time, {
			recordings: plan.recordings,
			uplink: new Line(this.time, BYTES_PER_SECOND),
			atOnce: 4,
			submissionsPerMinute: 30,
			statusCallsPerMinute: 300,
		});
		this.network = new Network(this.time, chance, this.service, NO_FAULTS);
		this.process = new Process(this.time);
	}

	async run(): Promise<void> {
		await this.time.run(this.night());
	}

	private async night(): Promise<void> {
		const { plan, time } = this;
		const { interruption, onError } = plan;
		const first = this.execute(this.process, onError);
		if (interruption === 'stop') {
			await time.sleep(plan.afterMs);
			if (this.executions[0].end === 'done') this.inFlightAtEnd += this.submissions.underWay;
			this.stops[0].abort();
		}
		if (interruption === 'overlap' || interruption === 'twoProcesses') {
			await time.sleep(plan.afterMs);
			const own = interruption === 'overlap' ? this.process : new Process(time);
			await this.execute(own, onError);
		}
		await first;
		this.mayDie = false;
		if (interruption === 'killAfterEnd') {
			await time.sleep(plan.afterEndMs);
			this.kill(this.executions[0].end);
		} else {
			await time.sleep(5_000);
		}
		for (let further = 1; further <= plan.furtherExecutions; further++) {
			if (this.process.isDead) this.process = new Process(time);
			await time.sleep(plan.betweenMs);
			const isLast = further === plan.furtherExecutions;
			await this.execute(this.process, isLast ? 'continueErrorOutput' : onError);
		}
	}

	/** The death of the process; what its last execution output is lost unless it was over long before. */
	private kill(end: Execution['end'] = 'killed'): void {
		this.process.isDead = true;
		this.inFlightAtEnd += this.submissions.underWay;
		this.submissions.died();
		if (end !== 'done') return;
		// n8n may have stored the output or not: judge as if it had not.
		this.executions[0].end = 'killed';
	}

	private async execute(process: Process, onError: 'stopWorkflow' | 'continueErrorOutput') {
		const stop = new AbortController();
		this.stops.push(stop);
		const execution: Execution = { end: 'done', items: [], skipped: [], failed: [], error: '' };
		this.executions.push(execution);
		const items = this.plan.recordings.map(({ name, sizeBytes }) => fileItem(name, sizeBytes));
		const isOver = new Promise<void>((resolve) => {
			const died = async () => {
				while (!process.isDead) await this.time.sleep(1_000);
				if (execution.end === 'done' && execution.items.length === 0) execution.end = 'killed';
				resolve();
			};
			void died();
			const work = async () => {
				try {
					const outputs = await runNode(this.hostOf(process), {
						type: 'audioEditing',
						parameters: { costAndSafety: { skipEdited: 'nameAndSize' } },
						settings: { onError },
						executionId: String(++this.executionCount),
						items,
						memory: {},
						stop: stop.signal,
					});
					if (process.isDead) return;
					const [edited, skipped = []] = outputs;
					if (stop.signal.aborted) {
						execution.end = 'stopped';
					} else {
						execution.items = edited.filter(({ json }) => json.finished === true);
						execution.failed = edited.filter(({ json }) => json.failure !== undefined);
						execution.skipped = skipped;
					}
				} catch (error) {
					if (process.isDead) return;
					execution.end = stop.signal.aborted ? 'stopped' : 'failed';
					execution.error = error instanceof Error ? error.message : String(error);
				}
				resolve();
			};
			void work();
		});
		await isOver;
	}

	private hostOf(process: Process): Host {
		const alive = async <T,>(work: () => Promise<T>): Promise<T> => {
			const isDead = () => process.isDead;
			if (isDead()) return await never();
			const result = await work();
			return isDead() ? await never() : result;
		};
		const write = async <T,>(work: () => Promise<T>) =>
			await alive(async () => {
				this.writes += 1;
				const { interruption, atStep, isTaken } = this.plan;
				const isLast = this.mayDie && interruption === 'killAtWrite' && this.writes === atStep;
				if (isLast && !isTaken) this.kill();
				if (process.isDead) return await never();
				const result = await work();
				if (isLast) this.kill();
				return result;
			});
		return {
			send: async (request, signal) =>
				await alive(async () => {
					this.requests += 1;
					const { interruption, atStep, isTaken } = this.plan;
					const isLast =
						this.mayDie && interruption === 'killAtRequest' && this.requests === atStep;
					if (isLast && !isTaken) this.kill();
					if (process.isDead) return await never();
					const sent = this.network.send(request, signal);
					if (isLast) {
						await sent.catch(() => undefined);
						this.kill();
						return await never();
					}
					return await sent;
				}),
			downlink: this.downlink,
			apiKey: newKey(),
			nodes: process.nodes,
			helpers: {
				checkProcessedAndRecord: async (entries, scope) =>
					await write(async () => {
						this.submissions.recording(entries.map(String));
						const known = await this.store.checkProcessedAndRecord(entries, scope, ABOUT);
						this.submissions.recorded(entries.map(String));
						return known;
					}),
				removeProcessed: async (entries, scope) => {
					await write(async () => {
						await this.store.removeProcessed(entries, scope, ABOUT);
						this.submissions.removed(entries.map(String));
					});
				},
			},
		};
	}

	/** What went wrong. */
	judge() {
		const { plan, executions, service } = this;
		const charges = (name: string) =>
			service.jobs.filter(({ recording }) => recording.name === name).length;
		const delivered = (name: string) =>
			executions.filter(
				({ end, items }) =>
					end === 'done' && items.some(({ json }) => json.sourceFileName === name),
			).length;
		// What was output and cleared counts as handed over, even if the process dies then.
		const isCleared = plan.interruption === 'killAfterEnd' && plan.afterEndMs >= CLEARED_AFTER_MS;
		const handedOver = isCleared ? executions[0].items : [];
		const isHandedOver = (name: string) =>
			delivered(name) > 0 || handedOver.some(({ json }) => json.sourceFileName === name);
		const good = plan.recordings.filter(({ isBroken }) => !isBroken);
		const bad = plan.recordings.filter(({ isBroken }) => isBroken);
		const last = executions[executions.length - 1];
		const uncertain = last.failed.filter(({ json }) =>
			JSON.stringify(json.failure).includes('of it may have been accepted'),
		);
		const isUncertain = (name: string) =>
			uncertain.some(({ json }) => json.sourceFileName === name);
		const wrong = executions.flatMap(({ items }) =>
			items.filter(
				({ json }) => service.job(readText(json.editId))?.recording.name !== json.sourceFileName,
			),
		);
		return {
			chargedTwice: good.filter(({ name }) => charges(name) > 1).length,
			badChargedOften: bad.filter(({ name }) => charges(name) > 2).length,
			wrongFile: wrong.length,
			deliveredTwice: good.filter(({ name }) => delivered(name) > 1).length,
			neverDelivered: good.filter(({ name }) => !isHandedOver(name) && !isUncertain(name)).length,
			uncertain: uncertain.length,
			uncertainBeyondFlight: Math.max(0, uncertain.length - this.inFlightAtEnd),
		};
	}

	/** All that a person sees. */
	show(): void {
		console.dir(this.plan, { depth: 3, maxArrayLength: 3 });
		for (const { end, error, items, skipped, failed } of this.executions) {
			const codes = skipped.map(
				({ json }) => `${readText(json.sourceFileName)} ${readText(json.skipCode)}`,
			);
			const failures = failed.map(({ json }) => JSON.stringify(json.failure).slice(0, 120));
			console.log(end, error, items.length, codes.join(', '), failures);
		}
		console.log(this.judge(), this.inFlightAtEnd);
	}
}
