import { Readable } from 'node:stream';

import type { Time } from '../../api/time.ts';
import { FakeService, type FakeEdit } from '../../testkit/service/fake/fakeService.ts';
import { RollingMinute } from '../../testkit/service/fake/limits.ts';
import { working } from '../../testkit/service/fake/timeline.ts';
import type { Answer } from '../../testkit/service/fake/scriptedService.ts';
import type { Line } from './line.mts';

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
export interface Job extends FakeEdit {
	readonly recording: Recording;
	/** The execution that submitted it. */
	readonly sender: object | undefined;
	deletion?: Deletion;
	/** The execution that deleted it. */
	deletedBy?: object;
	/** Resolves when the edit has ended. */
	readonly ended: Promise<void>;
}

interface ServiceOptions {
	readonly recordings: readonly Recording[];
	readonly uplink: Line;
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

/** The fake service at the end of a line, with what the bench has to know of its edits. */
export class VirtualService {
	/** Every edit, in the order of submission: each is charged. */
	readonly jobs: Job[] = [];

	/** The URLs of the files that are in n8n's store. */
	readonly stored = new Set<string>();

	private readonly fake: FakeService;

	constructor(
		private readonly time: Time,
		private readonly options: ServiceOptions,
	) {
		const { atOnce, submissionsPerMinute, statusCallsPerMinute } = options;
		this.fake = new FakeService(time, {
			lifeOf: (file) => {
				const { workSeconds, isBroken } = this.recording(file);
				return working(workSeconds, isBroken ? 'FAILURE' : 'SUCCESS');
			},
			atOnce,
			submissionLimit: new RollingMinute(time, submissionsPerMinute),
			statusCallLimit: new RollingMinute(time, statusCallsPerMinute),
			idOf: (number) => `edit-${number}x`,
			resultOf: (edit) => {
				const [download_url, ...timestamps_markers_urls] = linksOf(edit);
				return { filename: edit.file, download_url, timestamps_markers_urls };
			},
			fileOf: (edit, name, url) => this.file(edit, name, url),
		});
		this.fake.origin = ORIGIN;
	}

	/** Answers a request. A file takes the time that the line needs. */
	async answer(request: ServiceRequest, signal?: AbortSignal): Promise<ServiceAnswer> {
		const { method, filename, body, sizeBytes = 0 } = request;
		const url = new URL(request.url);
		if (filename !== undefined) url.searchParams.set('filename', filename);
		if (method === 'PUT') await this.options.uplink.pass(sizeBytes, signal);
		if (method === 'DELETE') this.noteDeletion(url, request);
		const answer = this.fake.answer({ method, path: url.pathname + url.search, body });
		this.noteEdit(answer, request);
		const isFile = url.pathname.startsWith('/files/');
		const { status: statusCode = 200, headers = {} } = answer;
		const content = isFile && statusCode !== 200 ? new FileOnTheWay(0) : (answer.body ?? {});
		return { statusCode, headers, body: content };
	}

	job(editId: string): Job | undefined {
		return this.jobs.find(({ id }) => id === editId);
	}

	private recording(file: string): Recording {
		const same = this.options.recordings.find(({ name }) => file.endsWith(name));
		if (same === undefined) throw new Error(`The service has no file ${file}`);
		return { ...same, name: file };
	}

	private noteEdit({ body }: Answer, { sender }: ServiceRequest): void {
		const { id = '' } = Object(body) as { id?: string };
		const edit = this.fake.find(id);
		if (edit === undefined) return;
		const ended = this.time.sleep(edit.endsAtMs - this.time.now());
		this.jobs.push({ ...edit, recording: this.recording(edit.file), sender, ended });
	}

	private noteDeletion({ pathname }: URL, { isAfterStop = false, sender }: ServiceRequest): void {
		const job = this.job(pathname.split('/').at(-1) ?? '');
		if (job === undefined || job.deletion) return;
		const isRead = linksOf(job).every((url) => this.stored.has(url));
		job.deletion = isRead ? 'read' : isAfterStop ? 'afterStop' : 'unread';
		job.deletedBy = sender;
	}

	private file({ file }: FakeEdit, name: string, url: string): Answer {
		const isMarkers = name.includes('.');
		const sizeBytes = isMarkers ? 100 : this.recording(file).editedBytes;
		const type = isMarkers ? 'text/csv' : 'audio/wav';
		const headers = { 'content-type': type, 'content-length': String(sizeBytes) };
		return { headers, body: new FileOnTheWay(sizeBytes, url) };
	}
}

/** The links to the files of an edit: to the edited file, then to the markers. */
function linksOf({ id, config }: FakeEdit): string[] {
	const hasMarkers = config.includes('"export_timestamps":true');
	const markers = MARKER_FORMATS.map((format) => `${ORIGIN}/files/${id}.csv?format=${format}`);
	return [`${ORIGIN}/files/${id}?s=x`, ...(hasMarkers ? markers : [])];
}
