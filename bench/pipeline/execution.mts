import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Time } from '../../api/time.ts';
import type { ProcessedData } from '../../testkit/n8n/processedDataStore.ts';
import { type Host, twoFilesItem, newKey, runNode, urlItem, WORKFLOW } from './host.mts';
import { Process } from '../../testkit/n8n/builtProcess.mts';
import { never } from '../../testkit/time/liveBy.mts';
import type { Network } from './faults.mts';
import { countMistakes, type End, type Mistakes, newSeen, type Seen, textOf } from './judge.mts';
import type { Line } from './line.mts';
import type { Kill, Plan } from './plan.mts';
import type { VirtualService, ServiceAnswer, ServiceRequest } from './virtualService.mts';

/** Where a trial takes place. */
export interface Stage {
	readonly time: Time;
	readonly network: Network;
	readonly service: VirtualService;
	readonly downlink: Line;
	/** n8n's store of processed data, which outlives executions and processes. */
	readonly store: ProcessedData;
}

/** A run of the node in an execution. */
interface Round {
	readonly items: readonly INodeExecutionData[];
	readonly parameters: INodeParameters;
	readonly executionId: string;
	/** Whether a person began the execution as a retry of another one. */
	readonly isRetry: boolean;
	readonly runIndex: number;
	readonly memory: IDataObject;
}

const MAX_ROUNDS = 6;
const BETWEEN_TRIES_MS = 1_000;
const BETWEEN_ROUNDS_MS = 60_000;
const RESTART_MS = 20_000;

/** A process of n8n that runs the node once, with its tries. */
interface Attempt {
	/** Whether the process was killed. Its code goes on here, and must change nothing any more. */
	readonly isDead: () => boolean;
	readonly die: () => void;
	readonly stop: AbortController;
	readonly end: (outcome: Outcome) => void;
	readonly round: Round;
	readonly seen: Seen;
}

/** How a run ended; after the death of the process, with what n8n had saved of the execution. */
type Outcome = { readonly end: End; readonly saved?: Round };

/** Fails what code of a dead process asks of n8n's database: waiting, it would hold up the next process. */
async function gone(): Promise<never> {
	return await Promise.reject(new Error('The process is dead'));
}

/** Runs a trial's executions, one after another. */
export class Trial {
	/** What a person sees of each execution. */
	readonly executions: Seen[] = [];

	/** Restarts of n8n, retries of executions, and tries of the node beyond the first. */
	restarts = 0;

	readonly mistakes: Mistakes = { wrongFile: 0, wrongEdit: 0 };

	private deletions = 0;

	/** The process of n8n; another one after a kill. */
	private process: Process;

	private attempt?: Attempt;

	private mayBeKilled = true;

	constructor(
		private readonly plan: Plan,
		private readonly stage: Stage,
	) {
		this.process = new Process(stage.time);
	}

	async run(): Promise<void> {
		const { plan, stage } = this;
		const { person } = plan;
		const { stopAfterMs } = plan.interruptions;
		if (stopAfterMs !== undefined) void this.stopAfter(stopAfterMs);
		const items = plan.recordings.map(({ name, sizeBytes }) =>
			plan.isFromUrls ? urlItem(name) : twoFilesItem(name, sizeBytes),
		);
		const { parameters } = plan.node;
		const about = { items, parameters, isRetry: false, executionId: '1' };
		let round: Round = { ...about, runIndex: 0, memory: {} };
		let seen = this.begin();
		/** What n8n saved of the first execution, when it failed or was stopped. */
		let first: Round | undefined;
		for (let retriesLeft = person.retries; ; ) {
			const { end, saved } = await this.runOnce(round, seen);
			seen.end = end;
			const { unfinished } = seen;
			if (end === 'done' && unfinished.length > 0 && round.runIndex < MAX_ROUNDS) {
				seen.unfinished = [];
				round = { ...round, items: unfinished, runIndex: round.runIndex + 1 };
				await stage.time.sleep(BETWEEN_ROUNDS_MS);
				continue;
			}
			const isRetriedAnyway = first !== undefined && retriesLeft > 0;
			if (end === 'done' && !isRetriedAnyway) return;
			if (end !== 'killed' && retriesLeft === 0) return;
			if (end !== 'killed') retriesLeft -= 1;
			const executionId = String(this.restarts + 2);
			const changed = { parameters: { ...round.parameters, ...person.change } };
			if (end === 'killed' ? saved === undefined : person.beginsAfresh) {
				seen = this.begin();
				round = { ...about, ...changed, executionId, runIndex: 0, memory: {} };
			} else {
				const last = saved ?? { ...round, memory: structuredClone(round.memory) };
				if (person.retriesFirst) first ??= structuredClone(last);
				const from = structuredClone(first ?? last);
				round = { ...from, ...changed, isRetry: true, executionId };
				seen.earlierErrors += seen.error;
			}
			this.restarts += 1;
			await stage.time.sleep(RESTART_MS);
		}
	}

	private begin(): Seen {
		const seen = newSeen();
		this.executions.push(seen);
		return seen;
	}

	/** Runs the node in the process of n8n, until it ends or the process dies. */
	private async runOnce(round: Round, seen: Seen): Promise<Outcome> {
		return await new Promise<Outcome>((end, fail) => {
			const stop = new AbortController();
			let isDead = false;
			const { process } = this;
			const die = () => {
				isDead = true;
				process.isDead = true;
				this.process = new Process(this.stage.time);
			};
			const attempt: Attempt = { isDead: () => isDead, die, stop, end, round, seen };
			this.attempt = attempt;
			this.tryAndRetry(this.hostOf(attempt), attempt).then(end, fail);
		});
	}

	private hostOf(attempt: Attempt): Host {
		const { isDead } = attempt;
		const { downlink, store, service } = this.stage;
		const about = { workflow: WORKFLOW, node: { id: 'node-1' } as INode };
		return {
			send: async (request, signal) => await this.send(attempt, request, signal),
			downlink,
			onText: (text) => {
				if (!isDead()) attempt.seen.lines.push(text);
			},
			onStored: (url) => {
				if (!isDead()) service.stored.add(url);
			},
			apiKey: newKey(),
			nodes: this.process.nodes,
			helpers: {
				checkProcessedAndRecord: async (items, scope) =>
					await (isDead() ? gone() : store.checkProcessedAndRecord(items, scope, about)),
				removeProcessed: async (items, scope) => {
					await (isDead() ? gone() : store.removeProcessed(items, scope, about));
				},
			},
		};
	}

	/** Sends a request of a process, which may die of it. */
	private async send(
		attempt: Attempt,
		request: ServiceRequest,
		signal?: AbortSignal,
	): Promise<ServiceAnswer> {
		const { kill, stopAtDelete } = this.plan.interruptions;
		const { network } = this.stage;
		const isLast = this.mayBeKilled && kill?.atRequest === network.requests + 1;
		if (isLast) this.mayBeKilled = false;
		if (attempt.isDead()) return await never();
		if (isLast && !kill.isTaken) return await this.die(attempt, kill);
		const { stop, seen: sender } = attempt;
		const sent = network.send({ ...request, sender, isAfterStop: stop.signal.aborted }, signal);
		if (request.method === 'DELETE') this.deletions += 1;
		if (request.method === 'DELETE' && this.deletions === stopAtDelete) stop.abort();
		if (isLast) {
			await sent.catch(() => undefined);
			return await this.die(attempt, kill);
		}
		const [result] = await Promise.allSettled([sent]);
		if (attempt.isDead()) return await never();
		if (result.status === 'rejected') throw result.reason;
		return result.value;
	}

	private async die(attempt: Attempt, { isSaved }: Kill): Promise<never> {
		attempt.die();
		const { round, end } = attempt;
		const saved = { ...round, memory: structuredClone(round.memory) };
		end({ end: 'killed', ...(isSaved && { saved }) });
		return await never();
	}

	/** Runs the node, and again as often as Retry On Fail does. */
	private async tryAndRetry(host: Host, attempt: Attempt): Promise<Outcome> {
		const { onError, maxTries } = this.plan.node;
		const { seen, round } = attempt;
		const { parameters } = round;
		const stop = attempt.stop.signal;
		const node = { type: 'audioEditing', settings: { onError }, ...round, stop };
		for (let tries = 1; ; tries++) {
			const result = await runNode(host, node).catch((error: unknown) => textOf(error));
			if (attempt.isDead()) return await never();
			// n8n keeps no output of a stopped node.
			if (stop.aborted) return { end: 'stopped' };
			if (typeof result !== 'string') {
				const given = { ...round, isSkipping: this.plan.isSkipping };
				countMistakes(this.mistakes, given, result.flat(), this.stage.service);
				const [edited, ...others] = result;
				seen.items.push(...edited);
				const { whenTimeIsUp } = parameters.advanced as INodeParameters;
				seen.unfinished = whenTimeIsUp === 'secondOutput' ? (others.shift() ?? []) : [];
				seen.skipped.push(...others.flat());
				return { end: 'done' };
			}
			seen.error = result;
			if (tries >= maxTries) return { end: 'failed' };
			this.restarts += 1;
			await this.stage.time.sleep(BETWEEN_TRIES_MS);
		}
	}

	private async stopAfter(ms: number): Promise<void> {
		await this.stage.time.sleep(ms);
		this.attempt?.stop.abort();
	}
}
