import { Readable } from 'node:stream';

import type { Time } from '../../api/time.ts';
import { Slots } from '../../nodes/AudioEditing/recordings.ts';
import { STATUSES } from '../waiting/batch.mts';
import type { Line } from './line.mts';
import { Window } from './serviceLimits.mts';

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
export interface ServiceRequest {
	/** Whether Stop came before it. */
	readonly isAfterStop?: boolean;
	readonly method: string;
	readonly url: string;
	readonly filename?: string;
	readonly body?: string;
	readonly sizeBytes?: number;
	/** The execution that sends it. */
	readonly sender?: object;
}

/** A response as n8n's helper returns it. */
export interface ServiceAnswer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
}

/** When an edit was deleted: all its files were in n8n, not all of them were, or not all and after Stop. */
type Deletion = 'read' | 'unread' | 'afterStop';

/** An edit on the service. */
export interface Job {
	readonly id: string;
	readonly recording: Recording;
	/** What the edit was asked for. */
	readonly config: string;
	/** The execution that submitted it. */
	readonly sender: object | undefined;
	/** Undefined while it is queued. */
	startedAtMs?: number;
	deletion?: Deletion;
	/** Resolves when the edit has ended. */
	ended: Promise<void>;
}

interface ServiceOptions {
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
export const ORIGIN = 'https://service.example';

/** What the names of the other files of items begin with, and the field that they are in. */
export const OTHER = 'other';

const MARKER_FORMATS = ['audacity', 'reaper'];

/** Enough of a file for a node to recognize it as media. */
const BEGINNING = Buffer.alloc(128);

/** A file on its way, of which only the beginning is here: the clock says how long its bytes take. */
export class FileOnTheWay extends Readable {
	/** @param url where it was downloaded, if all of it is here */
	constructor(
		readonly sizeBytes: number,
		readonly url = '',
	) {
		super();
		this.push(BEGINNING);
		this.push(null);
	}
}

/** The service on a virtual clock: it takes files over a line, and works on several edits at once. */
export class VirtualService {
	/** Every edit, in the order of submission: each is charged. */
	readonly jobs: Job[] = [];

	/** The URLs of the files that are in n8n's store. */
	readonly stored = new Set<string>();

	private readonly submissions: Window;

	private readonly statusCalls: Window;

	private readonly workers: Slots;

	constructor(
		private readonly time: Time,
		private readonly options: ServiceOptions,
	) {
		this.submissions = new Window(time, options.submissionsPerMinute);
		this.statusCalls = new Window(time, options.statusCallsPerMinute);
		this.workers = new Slots(options.atOnce);
	}

	/** Answers a request. A file takes the time that the line needs. */
	async answer(request: ServiceRequest, signal?: AbortSignal): Promise<ServiceAnswer> {
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
				return this.file(name, request.url);
			default:
				this.delete(name, request.isAfterStop ?? false);
				return json({});
		}
	}

	job(editId: string): Job | undefined {
		return this.jobs.find(({ id }) => id === editId);
	}

	private submit({ body = '', sender }: ServiceRequest): Job {
		const { input } = JSON.parse(body) as { input: { files: string[]; config: object } };
		const name = decodeURIComponent(new URL(input.files[0]).pathname.split('/').at(-1) ?? '');
		const same = this.options.recordings.find((one) => name.endsWith(one.name));
		if (same === undefined) throw new Error(`The service has no file ${name}`);
		const recording = { ...same, name };
		const work = async () => {
			job.startedAtMs = this.time.now();
			await this.time.sleep(recording.workSeconds * 1_000);
		};
		const id = `edit-${this.jobs.length + 1}x`;
		const ended = Promise.resolve();
		const config = JSON.stringify(input.config);
		const job: Job = { id, recording, config, sender, ended };
		this.jobs.push(job);
		job.ended = this.workers.run(work);
		return job;
	}

	private read(editId: string): object {
		const job = this.job(editId);
		const status = job === undefined || job.deletion ? 'PENDING' : this.statusOf(job);
		if (job === undefined || status !== 'SUCCESS') return { task_id: editId, status };
		const [download_url, ...timestamps_markers_urls] = linksOf(job);
		const result = { filename: job.recording.name, download_url, timestamps_markers_urls };
		return { task_id: editId, status, result };
	}

	private delete(editId: string, isAfterStop: boolean): void {
		const job = this.job(editId);
		if (job === undefined || job.deletion) return;
		const isRead = linksOf(job).every((url) => this.stored.has(url));
		job.deletion = isRead ? 'read' : isAfterStop ? 'afterStop' : 'unread';
	}

	private statusOf({ startedAtMs, recording: { workSeconds, isBroken } }: Job): string {
		if (startedAtMs === undefined) return 'PENDING';
		const part = (this.time.now() - startedAtMs) / (workSeconds * 1_000);
		if (part >= 1) return isBroken ? 'FAILURE' : 'SUCCESS';
		return STATUSES.findLast(([, from]) => from <= part)?.[0] ?? 'STARTED';
	}

	private file(name: string, url: string): ServiceAnswer {
		const [editId, isMarkers] = name.split('.');
		const job = this.job(editId);
		if (job === undefined || job.deletion) {
			return { statusCode: 404, headers: {}, body: new FileOnTheWay(0) };
		}
		const sizeBytes = isMarkers ? 100 : job.recording.editedBytes;
		const type = isMarkers ? 'text/csv' : 'audio/wav';
		const headers = { 'content-type': type, 'content-length': String(sizeBytes) };
		return { statusCode: 200, headers, body: new FileOnTheWay(sizeBytes, url) };
	}
}

/** The links to the files of an edit: to the edited file, then to the markers. */
function linksOf({ id, config }: Pick<Job, 'id' | 'config'>): string[] {
	const hasMarkers = config.includes('"export_timestamps":true');
	const markers = MARKER_FORMATS.map((format) => `${ORIGIN}/files/${id}.csv?format=${format}`);
	return [`${ORIGIN}/files/${id}?s=x`, ...(hasMarkers ? markers : [])];
}

function json(body: unknown): ServiceAnswer {
	return { statusCode: 200, headers: {}, body };
}

function tooMany(): ServiceAnswer {
	const error = { code: 'E9001', message: 'The rate limit is exceeded, try again later' };
	return { statusCode: 429, headers: {}, body: { error } };
}
