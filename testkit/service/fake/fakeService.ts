import type { Time } from '../../../api/time';
import type { Answer, SeenRequest } from './scriptedService';
import type { Limit } from './limits';
import { type Timeline, endOf, statusAt } from './timeline';

/** An edit at the fake service. */
export interface FakeEdit {
	readonly id: string;
	/** The name of its first file. */
	readonly file: string;
	/** What it was asked for, as JSON. */
	readonly config: string;
	readonly life: Timeline;
	/** When its life begins: an edit may have to wait for others. */
	readonly startsAtMs: number;
	readonly endsAtMs: number;
}

/** What becomes of edits at a fake service. Without a script, each has succeeded at once. */
export interface EditScript {
	/** What an edit of this file goes through. */
	readonly lifeOf?: (file: string) => Timeline;
	/** How many edits the service works on at once; all by default. */
	readonly atOnce?: number;
	/** The result after SUCCESS. `link` leads to its edited file. */
	readonly resultOf?: (edit: FakeEdit, link: string) => object;
	/** The file with a name such as `edit-1` or `edit-1.csv`. `url` is what was requested. */
	readonly fileOf?: (edit: FakeEdit, name: string, url: string) => Answer;
	/** What the account says which service this is; without it, there is no account. */
	readonly serviceName?: string;
	/** The ID of a new edit. */
	readonly idOf?: (number: number) => string;
	/** Whether the service has a finished edit for each ID that it does not know. */
	readonly knowsAllIds?: boolean;
	/** POST /v2/upload, POST /v2/edits and POST /v2/noise. */
	readonly submissionLimit?: Limit;
	/** GET /v2/edits/{id}. */
	readonly statusCallLimit?: Limit;
}

/** What the fake needs of a request. `path` includes the query. */
type FakeRequest = Pick<SeenRequest, 'method' | 'path'> & { readonly body?: string };

const DONE: Timeline = [[0, 'SUCCESS']];

const TOO_MANY: Answer = {
	status: 429,
	body: { error: { code: 'E9001', message: 'The rate limit is exceeded, try again later' } },
};

const NOT_FOUND: Answer = { status: 404, body: { detail: 'Not Found' } };

/**
 * The one fake of the service: it takes files and edits, and lets time alone work on them. It answers in
 * memory; `startScriptedService` answers over HTTP with it.
 */
export class FakeService {
	/** The first file of each edit that was charged, in order. */
	readonly charged: string[] = [];

	/** The names of the files that were uploaded, and the IDs of the edits that were deleted, in order. */
	readonly uploaded: string[] = [];
	readonly deleted: string[] = [];

	/** Where links lead. */
	origin = 'https://service.example';

	private readonly edits = new Map<string, FakeEdit>();

	/** When each place for an edit at work is free again. */
	private readonly freeAtMs: number[] = [];

	constructor(
		private readonly time: Pick<Time, 'now'>,
		private readonly script: EditScript = {},
	) {}

	readonly answer = (request: FakeRequest): Answer => {
		const { method, path } = request;
		const { pathname, searchParams } = new URL(path, this.origin);
		const name = lastPartOf(pathname);
		switch (`${method} ${pathname.replace(/[^/]+$/, '')}`) {
			case 'POST /v2/':
				if (this.script.submissionLimit?.admits() === false) return TOO_MANY;
				return name === 'upload'
					? this.linkFor(searchParams.get('filename') ?? '')
					: this.submit(request.body ?? '');
			case 'GET /v1/':
				return this.account();
			case 'PUT /put/':
				this.uploaded.push(name);
				return { body: '' };
			case 'GET /v2/edits/':
				if (this.script.statusCallLimit?.admits() === false) return TOO_MANY;
				return { body: this.read(name) };
			case 'GET /files/':
				return this.file(name, this.origin + path);
			case 'DELETE /v2/edits/':
				this.deleted.push(name);
				this.edits.delete(name);
				return {};
			default:
				return NOT_FOUND;
		}
	};

	private account(): Answer {
		const { serviceName: service } = this.script;
		if (service === undefined) return NOT_FOUND;
		return { body: { credit: { total: 100, subscription: 100, payg: 0 }, meta: { service } } };
	}

	/** Returns an edit that exists. */
	find(id: string): FakeEdit | undefined {
		const known = this.edits.get(id);
		if (known !== undefined || !this.script.knowsAllIds) return known;
		const file = `${id}.wav`;
		return { id, file, config: '', life: DONE, startsAtMs: 0, endsAtMs: 0 };
	}

	/** Adds an edit. */
	begin(id: string, file: string, config = ''): void {
		const { lifeOf = () => DONE } = this.script;
		const life = lifeOf(file);
		const startsAtMs = this.occupy(endOf(life) * 1_000);
		const endsAtMs = startsAtMs + endOf(life) * 1_000;
		this.edits.set(id, { id, file, config, life, startsAtMs, endsAtMs });
	}

	/** Returns the body of an edit; one that does not exist is PENDING. */
	read(id: string): { task_id: string; status: string; result?: object } {
		const edit = this.find(id);
		if (edit === undefined) return { task_id: id, status: 'PENDING' };
		const status = statusAt(edit.life, (this.time.now() - edit.startsAtMs) / 1_000);
		if (status !== 'SUCCESS') return { task_id: id, status };
		const { resultOf = plainResult } = this.script;
		const link = `${this.origin}/files/${encodeURIComponent(id)}`;
		return { task_id: id, status, result: resultOf(edit, link) };
	}

	/** Forgets everything, as a service for a new account. */
	forget(): void {
		for (const list of [this.charged, this.uploaded, this.deleted, this.freeAtMs]) list.length = 0;
		this.edits.clear();
	}

	private linkFor(name: string): Answer {
		const path = `/put/${encodeURIComponent(name)}?signature=put-secret`;
		return { body: { signedUrl: this.origin + path } };
	}

	private submit(body: string): Answer {
		const { input } = JSON.parse(body) as { input: { files: string[]; config: object } };
		const file = lastPartOf(new URL(input.files[0]).pathname);
		const { idOf = (number) => `edit-${number}` } = this.script;
		const id = idOf(this.charged.push(file));
		this.begin(id, file, JSON.stringify(input.config ?? {}));
		return { body: { id } };
	}

	private file(name: string, url: string): Answer {
		const edit = this.find(name.split('.')[0]);
		const { fileOf = plainFile } = this.script;
		return edit === undefined ? NOT_FOUND : fileOf(edit, name, url);
	}

	/** Takes the place that is free first for so long. Returns when that begins. */
	private occupy(ms: number): number {
		const { freeAtMs } = this;
		const { atOnce = Infinity } = this.script;
		const nowMs = this.time.now();
		if (freeAtMs.length < atOnce) {
			freeAtMs.push(nowMs + ms);
			return nowMs;
		}
		const firstFreeAtMs = Math.min(...freeAtMs);
		const startsAtMs = Math.max(nowMs, firstFreeAtMs);
		freeAtMs[freeAtMs.indexOf(firstFreeAtMs)] = startsAtMs + ms;
		return startsAtMs;
	}
}

function lastPartOf(pathname: string): string {
	const part = pathname.split('/').at(-1) ?? '';
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function plainResult({ file }: FakeEdit, link: string): object {
	return {
		filename: file,
		download_url: link,
		merged_audio_url: [],
		timestamps_markers_urls: [],
		waveform_result: [],
	};
}

function plainFile(_edit: FakeEdit, name: string): Answer {
	return { body: `edited ${name}`, headers: { 'Content-Type': 'audio/wav' } };
}
