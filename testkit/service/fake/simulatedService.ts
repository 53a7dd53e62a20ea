import type { Edit } from '../../../api/contract';
import { type Result, type RequestFailure, failed, success } from '../../../api/failure';
import type { Time } from '../../../api/time';
import { RateLimit } from '../../../waiting/rateLimit';
import { DEFAULT_POLL_RULES, type PollRules } from '../../../waiting/schedule';
import { type WaitTools, WaitLoop } from '../../../waiting/waitForEdits';
import type { SubmittedEdit, WaitEnd, WaitReport } from '../../../waiting/waitReport';
import { VirtualTime } from '../../time/virtualTime';
import { FakeService } from './fakeService';
import { FixedMinute } from './limits';
import type { Timeline } from './timeline';

/** A status call as it arrived. */
export interface Call {
	readonly atMs: number;
	readonly editId: string;
	/** The number of the call, from 1. */
	readonly number: number;
}

/** How a simulated service behaves, apart from the lives of its edits. */
interface SimulationOptions {
	/** How long a response takes. */
	readonly latencyMs?: number;
	/** Status calls allowed in each minute of the service's clock; it answers 429 beyond that. */
	readonly callsPerMinute?: number;
}

const MINUTE_MS = 60_000;

/** Returns the most of the sorted times within any minute. */
export function busiestMinute(timesMs: readonly number[]): number {
	let first = 0;
	let most = 0;
	timesMs.forEach((atMs, last) => {
		while (timesMs[first] <= atMs - MINUTE_MS) first += 1;
		most = Math.max(most, last - first + 1);
	});
	return most;
}

/** A client of the fake service without HTTP, whose edits all begin at once. It records every status call. */
export class SimulatedService {
	/** Every status call in order of arrival. */
	readonly calls: Call[] = [];

	/** Number of calls refused by the rate limit. */
	refusals = 0;

	/** Called before each response; a failure replaces the edit. */
	fault: (call: Call) => RequestFailure | undefined = () => undefined;

	/** What is read of an edit in a call. */
	alter: (edit: Edit, call: Call) => Edit = (edit) => edit;

	private readonly startMs: number;

	private readonly latencyMs: number;

	private readonly fake: FakeService;

	constructor(
		private readonly time: Time,
		timelines: Readonly<Record<string, Timeline>>,
		{ latencyMs = 100, callsPerMinute = Infinity }: SimulationOptions = {},
	) {
		this.startMs = time.now();
		this.latencyMs = latencyMs;
		this.fake = new FakeService(time, {
			lifeOf: (editId) => timelines[editId],
			statusCallLimit: new FixedMinute(time, callsPerMinute),
		});
		for (const editId of Object.keys(timelines)) this.fake.begin(editId, editId);
	}

	readonly getEditOnce = async (editId: string): Promise<Result<Edit>> => {
		const call = { atMs: this.time.now(), editId, number: this.calls.length + 1 };
		this.calls.push(call);
		const path = `/v2/edits/${encodeURIComponent(editId)}`;
		const { status, body } = this.fake.answer({ method: 'GET', path });
		await this.time.sleep(this.latencyMs);
		const failure = status === undefined ? this.fault(call) : this.refuse(status);
		return failure ? failed(failure) : success(this.alter(body as Edit, call));
	};

	/** Returns the seconds after the start at which an edit was polled. */
	callsFor(editId: string): number[] {
		const own = this.calls.filter((call) => call.editId === editId);
		return own.map(({ atMs }) => (atMs - this.startMs) / 1_000);
	}

	/** Returns the most calls in any 60 seconds. */
	busiestMinute(): number {
		return busiestMinute(this.calls.map(({ atMs }) => atMs));
	}

	private refuse(status: number): RequestFailure {
		this.refusals += 1;
		return { kind: 'status', status, request: 'GET /v2/edits/{edit_id}' };
	}
}

/** A wait that is over as soon as the wait for one of its edits ends like this. */
export function endedBy(end: WaitEnd): Pick<WaitTools, 'onEnd' | 'signal'> {
	const over = new AbortController();
	const onEnd = (report: WaitReport) => {
		if (report.end === end) over.abort();
	};
	return { signal: over.signal, onEnd };
}

/** Returns edits with these lives, and a wait for all of them on a virtual clock. */
export function simulatedWait(
	timelines: Readonly<Record<string, Timeline>>,
	more: Partial<WaitTools> = {},
	options?: SimulationOptions,
) {
	const time = new VirtualTime();
	const service = new SimulatedService(time, timelines, options);
	const rateLimit = new RateLimit({ callsPerMinute: 300, burst: 60 });
	const tools: WaitTools = { time, rateLimit, client: service, ...more };
	const all = Object.keys(timelines).map((editId) => ({ editId }));
	const wait = async (rules: Partial<PollRules> = {}, edits: readonly SubmittedEdit[] = all) =>
		await time.run(new WaitLoop([...edits], { ...DEFAULT_POLL_RULES, ...rules }, tools).run());
	return { time, service, rateLimit, tools, wait };
}

/** A failed status call. */
export const pollFailure = (kind: RequestFailure['kind'], status?: number): RequestFailure => ({
	kind,
	status,
	request: 'GET /v2/edits/a',
});
