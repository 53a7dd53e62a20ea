import type { Time } from '../../api/time.ts';
import { type NetworkFault, NETWORK_FAULTS } from '../../testkit/service/fake/networkFaults.ts';
import type { Chance } from '../../testkit/measure/chance.mts';
import type { VirtualService, ServiceAnswer, ServiceRequest } from './virtualService.mts';
import { FileOnTheWay } from './virtualService.mts';

/** Faults that any network or service can have. */
const FAULTS: readonly NetworkFault[] = Object.values(NETWORK_FAULTS);

/** How often requests of each kind meet a fault, from 0 to 1. */
export interface FaultShares {
	readonly submissions: number;
	readonly files: number;
	readonly others: number;
}

const LATENCY_MS = [20, 2_000] as const;

/** The time limit of a request. */
const TIMEOUT_MS = 60_000;

const SOMETHING_WRONG = { error: { message: 'Something is wrong' } };

/** What arrives at most of a file that breaks off. */
const MAX_HALF_BYTES = 100;

/** The network between n8n and the service, with the faults of one trial. */
export class Network {
	/** Requests so far. */
	requests = 0;

	/** How many of them met a fault. */
	struck = 0;

	constructor(
		private readonly time: Time,
		private readonly chance: Chance,
		private readonly service: VirtualService,
		private readonly shares: FaultShares,
	) {}

	/** Sends a request, and rejects as n8n's helper does. */
	async send(request: ServiceRequest, signal?: AbortSignal): Promise<ServiceAnswer> {
		this.requests += 1;
		const fault = this.faultFor(request);
		await this.travel(signal);
		const isTaken = fault === undefined || fault.isAccepted;
		const answer = isTaken ? await this.service.answer(request, signal) : undefined;
		if (fault !== undefined && 'breaks' in fault) {
			if (fault.breaks === 'ETIMEDOUT') await this.time.sleep(TIMEOUT_MS, signal);
			else await this.travel(signal);
			if (signal?.aborted) throw networkError('ERR_CANCELED');
			throw networkError(fault.breaks);
		}
		await this.travel(signal);
		return damaged(fault, answer);
	}

	private faultFor({ method, url }: ServiceRequest): NetworkFault | undefined {
		const { submissions, files, others } = this.shares;
		const isSubmission = method === 'POST' && url.endsWith('/v2/edits');
		const isFile = /\/(put|files)\//.test(url);
		const share = isSubmission ? submissions : isFile ? files : others;
		if (!this.chance.isTrue(share)) return undefined;
		this.struck += 1;
		return this.chance.pick(FAULTS);
	}

	private async travel(signal?: AbortSignal): Promise<void> {
		await this.time.sleep(Math.round(this.chance.between(...LATENCY_MS) / 2), signal);
		if (signal?.aborted) throw networkError('ERR_CANCELED');
	}
}

function damaged(
	fault: Exclude<NetworkFault, { breaks: string }> | undefined,
	answer: ServiceAnswer | undefined,
): ServiceAnswer {
	const file = answer?.body instanceof FileOnTheWay ? answer.body : undefined;
	if (fault !== undefined && 'answer' in fault) {
		const { status: statusCode = 200, headers = {}, body = SOMETHING_WRONG } = fault.answer;
		return { statusCode, headers, body: file ? new FileOnTheWay(0) : body };
	}
	if (answer === undefined) throw new Error('Only a refused request has no answer');
	if (fault === undefined) return answer;
	if (file !== undefined) {
		const halfBytes = Math.min(MAX_HALF_BYTES, Math.floor(file.sizeBytes / 2));
		return { ...answer, body: new FileOnTheWay(fault === NETWORK_FAULTS.half ? halfBytes : 0) };
	}
	return { ...answer, body: fault.damage(Buffer.from(JSON.stringify(answer.body))).toString() };
}

function networkError(code: string): Error {
	const isConnecting = code === 'ECONNREFUSED';
	return Object.assign(new Error(code), { code, ...(isConnecting && { syscall: 'connect' }) });
}
