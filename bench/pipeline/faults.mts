import type { Time } from '../../api/time.ts';
import type { Chance } from '../../testkit/measure/chance.mts';
import type { VirtualService, ServiceAnswer, ServiceRequest } from './virtualService.mts';
import { FileOnTheWay } from './virtualService.mts';

/** What goes wrong with a request. Before the service takes it, or after that. */
export type Fault =
	| {
			readonly taken: boolean;
			readonly code: 'ECONNREFUSED' | 'ECONNRESET' | 'ETIMEDOUT' | 'EPROTO';
	  }
	| { readonly taken: boolean; readonly status: number; readonly retryAfter?: string }
	| { readonly taken: true; readonly body: 'page' | 'empty' | 'half' };

/** Faults that any network or service can have. A service that takes an edit does not refuse it. */
const FAULTS: readonly Fault[] = [
	{ taken: false, code: 'ECONNREFUSED' },
	{ taken: false, code: 'EPROTO' },
	{ taken: false, code: 'ECONNRESET' },
	{ taken: true, code: 'ECONNRESET' },
	{ taken: false, code: 'ETIMEDOUT' },
	{ taken: true, code: 'ETIMEDOUT' },
	{ taken: false, status: 500 },
	{ taken: true, status: 500 },
	{ taken: false, status: 502 },
	{ taken: true, status: 502 },
	{ taken: false, status: 429 },
	{ taken: false, status: 429, retryAfter: '7' },
	{ taken: false, status: 401 },
	{ taken: false, status: 422 },
	{ taken: true, body: 'page' },
	{ taken: true, body: 'empty' },
	{ taken: true, body: 'half' },
];

/** How often requests of each kind meet a fault, from 0 to 1. */
export interface FaultShares {
	readonly submissions: number;
	readonly files: number;
	readonly others: number;
}

const LATENCY_MS = [20, 2_000] as const;

/** The time limit of a request. */
const TIMEOUT_MS = 60_000;

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
		const isTaken = fault === undefined || fault.taken;
		const answer = isTaken ? await this.service.answer(request, signal) : undefined;
		if (fault !== undefined && 'code' in fault) {
			if (fault.code === 'ETIMEDOUT') await this.time.sleep(TIMEOUT_MS, signal);
			else await this.travel(signal);
			if (signal?.aborted) throw networkError('ERR_CANCELED');
			throw networkError(fault.code);
		}
		await this.travel(signal);
		return damaged(fault, answer);
	}

	private faultFor({ method, url }: ServiceRequest): Fault | undefined {
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
	fault: Exclude<Fault, { code: string }> | undefined,
	answer: ServiceAnswer | undefined,
): ServiceAnswer {
	const isFile = answer?.body instanceof FileOnTheWay;
	if (fault !== undefined && 'status' in fault) {
		const { retryAfter } = fault;
		const headers: Record<string, string> = retryAfter ? { 'retry-after': retryAfter } : {};
		const body = isFile ? new FileOnTheWay(0) : { error: { message: 'Something is wrong' } };
		return { statusCode: fault.status, headers, body };
	}
	if (answer === undefined) throw new Error('Only a refused request has no answer');
	if (fault === undefined) return answer;
	if (isFile) return { ...answer, body: new FileOnTheWay(fault.body === 'half' ? 100 : 0) };
	const whole = JSON.stringify(answer.body);
	const bodies = { page: '<html>Busy</html>', empty: '', half: whole.slice(0, whole.length / 2) };
	return { ...answer, body: bodies[fault.body] };
}

function networkError(code: string): Error {
	const isConnecting = code === 'ECONNREFUSED';
	return Object.assign(new Error(code), { code, ...(isConnecting && { syscall: 'connect' }) });
}
