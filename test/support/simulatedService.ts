import type { Edit } from '../../api/contract';
import { type Result, type RequestFailure, failed, success } from '../../api/failure';
import type { Time } from '../../api/time';

/** The life of a simulated edit: from which second after the start it has which status. */
export type Timeline = ReadonlyArray<readonly [fromSeconds: number, status: string]>;

/** A status call as it arrived. */
export interface Call {
	readonly atMs: number;
	readonly editId: string;
	/** Counts the calls from 1. */
	readonly number: number;
}

/** How a simulated service behaves beyond the lives of its edits. */
export interface SimulationOptions {
	/** How long an answer takes. */
	readonly latencyMs?: number;
	/** Status calls it allows in each of its minutes; it answers 429 beyond that. */
	readonly callsPerMinute?: number;
}

const MINUTE_MS = 60_000;

/** A service on a virtual clock that knows edits by id and notes every status call. */
export class SimulatedService {
	/** Every status call in the order of arrival. */
	readonly calls: Call[] = [];

	/** How many calls were refused for the rate limit. */
	refusals = 0;

	/** Called before each answer; a failure is returned instead of the edit. */
	fault: (call: Call) => RequestFailure | undefined = () => undefined;

	private readonly startMs: number;

	private readonly latencyMs: number;

	private readonly callsPerMinute: number;

	private minute = 0;

	private callsInMinute = 0;

	constructor(
		private readonly time: Time,
		private readonly timelines: Readonly<Record<string, Timeline>>,
		{ latencyMs = 100, callsPerMinute = Infinity }: SimulationOptions = {},
	) {
		this.startMs = time.now();
		this.latencyMs = latencyMs;
		this.callsPerMinute = callsPerMinute;
	}

	readonly getEditOnce = async (editId: string): Promise<Result<Edit>> => {
		const call = { atMs: this.time.now(), editId, number: this.calls.length + 1 };
		this.calls.push(call);
		const isAllowed = this.count(call.atMs);
		await this.time.sleep(this.latencyMs);
		const failure = isAllowed ? this.fault(call) : this.refuse();
		return failure ? failed(failure) : success(this.read(call));
	};

	/** Seconds at which an edit was asked about. */
	callsFor(editId: string): number[] {
		const own = this.calls.filter((call) => call.editId === editId);
		return own.map(({ atMs }) => (atMs - this.startMs) / 1_000);
	}

	/** The most calls in any 60 seconds. */
	busiestMinute(): number {
		let first = 0;
		let most = 0;
		this.calls.forEach(({ atMs }, last) => {
			while (this.calls[first].atMs <= atMs - MINUTE_MS) first += 1;
			most = Math.max(most, last - first + 1);
		});
		return most;
	}

	/** Counts in fixed minutes, as many services do. */
	private count(atMs: number): boolean {
		const minute = Math.floor(atMs / MINUTE_MS);
		if (minute !== this.minute) this.callsInMinute = 0;
		this.minute = minute;
		this.callsInMinute += 1;
		return this.callsInMinute <= this.callsPerMinute;
	}

	private refuse(): RequestFailure {
		this.refusals += 1;
		return { kind: 'status', status: 429, request: 'GET /v2/edits/{edit_id}' };
	}

	private read({ editId, atMs }: Call): Edit {
		const seconds = (atMs - this.startMs) / 1_000;
		let status = 'PENDING';
		for (const [from, name] of this.timelines[editId] ?? []) if (from <= seconds) status = name;
		if (status !== 'SUCCESS') return { task_id: editId, status };
		const result = {
			download_url: `https://files.example.com/${editId}`,
			merged_audio_url: [],
			timestamps_markers_urls: [],
			waveform_result: [],
		};
		return { task_id: editId, status, result };
	}
}
