import type { Edit } from '../../api/contract';
import { type Outcome, type RequestFailure, failed, success } from '../../api/outcome';
import type { Time } from '../../api/time';

/** The life of a simulated edit: from which second after the start it has which status. */
export type Timeline = ReadonlyArray<readonly [fromSeconds: number, status: string]>;

/** A service on a virtual clock that knows edits by id and notes every status call. */
export class SimulatedService {
	/** When each status call arrived, in milliseconds, with the id it asked about. */
	readonly calls: Array<{ atMs: number; editId: string }> = [];

	/** Called before each answer; a failure is given out instead of the edit. */
	fault: (call: { atMs: number; editId: string; number: number }) => RequestFailure | undefined =
		() => undefined;

	private readonly startMs: number;

	constructor(
		private readonly time: Time,
		private readonly timelines: Readonly<Record<string, Timeline>>,
		private readonly latencyMs = 100,
	) {
		this.startMs = time.now();
	}

	readonly getEdit = async (editId: string): Promise<Outcome<Edit>> => {
		const atMs = this.time.now();
		this.calls.push({ atMs, editId });
		const number = this.calls.length;
		await this.time.sleep(this.latencyMs);
		const failure = this.fault({ atMs, editId, number });
		if (failure) return failed(failure);
		const seconds = (atMs - this.startMs) / 1_000;
		const passed = (this.timelines[editId] ?? []).filter(([from]) => from <= seconds);
		const status = passed.at(-1)?.[1] ?? 'PENDING';
		const result = {
			download_url: `https://files.example.com/${editId}`,
			merged_audio_url: [],
			timestamps_markers_urls: [],
			waveform_result: [],
		};
		return success({ task_id: editId, status, ...(status === 'SUCCESS' && { result }) });
	};

	/** Seconds at which an edit was asked about. */
	callsFor(editId: string): number[] {
		return this.calls
			.filter((call) => call.editId === editId)
			.map(({ atMs }) => (atMs - this.startMs) / 1_000);
	}

	/** The most calls in any 60 seconds. */
	busiestMinute(): number {
		const times = this.calls.map(({ atMs }) => atMs);
		return Math.max(
			0,
			...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length),
		);
	}
}
