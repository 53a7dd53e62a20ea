import { Readable } from 'node:stream';

import type { Time } from '../../api/time.ts';
import { Slots } from '../../nodes/shared/slots.ts';
import type { Line } from './line.mts';
import { Window } from './window.mts';

/** A recording to edit. */
export interface Recording {
	readonly name: string;
	readonly sizeBytes: number;
	readonly editedBytes: number;
	/** How long the service works on it. */
	readonly workSeconds: number;
	/** Whether the edit ends in FAILURE. */
	readonly isBroken?: boolean;
}

/** A request as n8n's helper would send it. */
export interface StudioRequest {
	readonly method: string;
	readonly url: string;
	readonly filename?: string;
	readonly body?: string;
	readonly sizeBytes?: number;
	/** The execution that sends it. */
	readonly sender?: object;
}

/** A response as n8n's helper returns it. */
export interface StudioAnswer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
}

/** An edit at the service. */
export interface Job {
	readonly id: string;
	readonly recording: Recording;
	/** The execution that submitted it. */
	readonly sender: object | undefined;
	/** Undefined while it is queued. */
	startedAtMs?: number;
	isDeleted: boolean;
	/** Whether its file was downloaded. */
	isFetched: boolean;
	/** Resolves when the edit has ended. */
	ended: Promise<void>;
}

export interface StudioOptions {
	readonly recordings: readonly Recording[];
	readonly uplink: Line;
	readonly downlink: Line;
	/** How many edits the service works on at once. */
	readonly atOnce: number;
	/** POST /v2/upload and POST /v2/edits in any 60 s. */
	readonly submissionsPerMinute: number;
	/** GET /v2/edits/{id} in any 60 s. */
	readonly statusCallsPerMinute: number;
}

/** Where the service and its files are. */
export const ORIGIN = 'https://studio.example';

/** The statuses of an edit at work, and the part of its time after which each begins. */
const STATUSES = [
	['PREPROCESSING', 0],
	['CLASSIFICATION', 0.1],
	['EDITING', 0.3],
	['POSTPROCESSING', 0.7],
	['EXPORT', 0.9],
] as const;

/** A file on its way. It is empty: the clock says how long its bytes take. */
export class StudioFile extends Readable {
	constructor(readonly sizeBytes: number) {
		super({
			read() {
				this.push(null);
			},
		});
	}
}

/** The service on a virtual clock: it takes files over a line, and works on several edits at once. */
export class Studio {
	/** Every edit, in the order of submission: each is charged. */
	readonly jobs: Job[] = [];

	private readonly submissions: Window;

	private readonly statusCalls: Window;

	private readonly workers: Slots;

	constructor(
		private readonly time: Time,
		private readonly options: StudioOptions,
	) {
		this.submissions = new Window(time, options.submissionsPerMinute);
		this.statusCalls = new Window(time, options.statusCallsPerMinute);
		this.workers = new Slots(options.atOnce);
	}

	/** Requests that were answered 429. */
	get refusals(): number {
		return this.submissions.refusals + this.statusCalls.refusals;
	}

	/** Answers a request. A file takes the time that the line needs. */
	async answer(request: StudioRequest, signal?: AbortSignal): Promise<StudioAnswer> {
		const { pathname } = new URL(request.url);
		const name = decodeURIComponent(pathname.split('/').at(-1) ?? '');
		switch (`${request.method} ${pathname.replace(/[^/]+$/, '')}`) {
			case 'POST /v2/':
				if (!this.submissions.admits()) return tooMany();
				return name === 'upload'
					? json({ signedUrl: `${ORIGIN}/put/${request.filename ?? ''}?signature=x` })
					: json({ id: this.submit(request).id });
			case 'PUT /put/':
				await this.options.uplink.pass(request.sizeBytes ?? 0, signal);
				return json('');
			case 'GET /v2/edits/':
				return this.statusCalls.admits() ? json(this.read(name)) : tooMany();
			case 'GET /files/':
				return this.file(name);
			default:
				for (const job of this.jobs) job.isDeleted ||= job.id === name;
				return json({});
		}
	}

	/** The edit with this ID. */
	job(editId: string): Job | undefined {
		return this.jobs.find(({ id }) => id === editId);
	}

	private submit({ body = '', sender }: StudioRequest): Job {
		const { input } = JSON.parse(body) as { input: { files: string[] } };
		const name = decodeURIComponent(new URL(input.files[0]).pathname.split('/').at(-1) ?? '');
		const recording = this.options.recordings.find((one) => one.name === name);
		if (recording === undefined) throw new Error(`The service has no file ${name}`);
		const work = async () => {
			job.startedAtMs = this.time.now();
			await this.time.sleep(recording.workSeconds * 1_000);
		};
		const id = `edit-${this.jobs.length + 1}x`;
		const ended = Promise.resolve();
		const job: Job = { id, recording, sender, isDeleted: false, isFetched: false, ended };
		this.jobs.push(job);
		job.ended = this.workers.run(work);
		return job;
	}

	private read(editId: string): object {
		const job = this.job(editId);
		const status = job === undefined || job.isDeleted ? 'PENDING' : this.statusOf(job);
		if (job === undefined || status !== 'SUCCESS') return { task_id: editId, status };
		const result = { filename: job.recording.name, download_url: `${ORIGIN}/files/${editId}?s=x` };
		return { task_id: editId, status, result };
	}

	private statusOf({ startedAtMs, recording: { workSeconds, isBroken } }: Job): string {
		if (startedAtMs === undefined) return 'PENDING';
		const part = (this.time.now() - startedAtMs) / (workSeconds * 1_000);
		if (part >= 1) return isBroken ? 'FAILURE' : 'SUCCESS';
		return STATUSES.findLast(([, from]) => from <= part)?.[0] ?? 'STARTED';
	}

	private file(editId: string): StudioAnswer {
		const job = this.job(editId);
		if (job === undefined || job.isDeleted) {
			return { statusCode: 404, headers: {}, body: new StudioFile(0) };
		}
		job.isFetched = true;
		const { editedBytes } = job.recording;
		const headers = { 'content-type': 'audio/wav', 'content-length': String(editedBytes) };
		return { statusCode: 200, headers, body: new StudioFile(editedBytes) };
	}
}

function json(body: unknown): StudioAnswer {
	return { statusCode: 200, headers: {}, body };
}

function tooMany(): StudioAnswer {
	const error = { code: 'E9001', message: 'The rate limit is exceeded, try again later' };
	return { statusCode: 429, headers: {}, body: { error } };
}
