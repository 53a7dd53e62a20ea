import {
	COMMON_EXTENSIONS,
	EDIT_STATUSES,
	type KnownEditStatus,
	editConfigSchema,
	phaseOf,
} from '../../../api/contract';
import type { Answer, SeenRequest } from './scriptedService';

/** The body of GET /v2/edits/{edit_id}. */
export type EditBody = Record<string, unknown> & { task_id: string; status: string };

type Fields = Record<string, unknown>;

/** How a service differs from docs/api.md. */
export interface DialectRules {
	/** Refuses a request. */
	readonly refusal?: (request: SeenRequest) => Answer | undefined;
	/** The configuration that is meant by the one of a new edit. */
	readonly config?: (config: Fields) => Fields;
	/** The input that is meant by that of a new edit. */
	readonly input?: (input: Fields) => Fields;
	/** The body of GET /v1/account. */
	readonly account?: (body: Fields) => Fields;
	/** The body for an edit that exists. `reads` counts how often it was read since it ended. */
	readonly edit?: (body: EditBody, reads: number) => EditBody;
	/** The body of a 429. */
	readonly limit?: (message: string) => object;
}

/** How many reads of SUCCESS come before the result. */
const READS_BEFORE_RESULT = 2;

const KNOWN_KEYS = Object.keys(editConfigSchema.shape);

/** What services with this API answer beyond docs/api.md, by name. */
export const DIALECTS = {
	/** A FAILURE has no reason. */
	'failure-bare': failing(() => undefined),
	/** A FAILURE has its reason in `result.error`, or in `result.detail`. */
	'failure-error': failing((error) => ({ error })),
	'failure-detail': failing((detail) => ({ detail })),
	/** A FAILURE has only `result.code`. */
	'failure-code': failing(() => ({ code: 'E2001' })),
	/** A FAILURE has its reason where a running edit has its progress. */
	'failure-state': failing((state) => ({ state, job_name: 'edit-7' })),
	'failure-job': failing((reason) => ({ state: 'failed', job_name: reason })),
	/** A running edit has its progress as `result`. */
	progress: unfinished((body) => ({ result: progressOf(body) })),
	/** The first reads of SUCCESS have progress as `result`, or something empty. */
	'late-result': late(progressOf),
	'late-object': late(() => ({})),
	'late-list': late(() => []),
	'late-text': late(() => ''),
	'late-null': late(() => null),
	/** `merged_audio_url` is one link. */
	'merged-text': inResult(({ merged_audio_url: links }) => ({
		merged_audio_url: (links as string[])[0] ?? '',
	})),
	/** `timestamps_markers_urls` is one link, or an object of names and links. */
	'markers-text': markers((links) => links[0] ?? ''),
	'markers-object': markers((links) =>
		Object.fromEntries(links.map((link) => [new URL(link).pathname.split('/').at(-1), link])),
	),
	/** `waveform_result` is an object. */
	'waveform-object': inResult(() => ({ waveform_result: { points_per_second: 10, peaks: [0] } })),
	/** QUEUED instead of PENDING for an edit that exists. */
	queued: {
		edit: (body) => (body.status === 'PENDING' ? { ...body, status: 'QUEUED' } : body),
	},
	/** PROCESSING instead of the statuses of work. */
	processing: {
		edit: (body) => (phaseOf(body.status) === 'running' ? { ...body, status: 'PROCESSING' } : body),
	},
	/** An unfinished edit says when to poll next. */
	'poll-after': unfinished(() => ({ poll_after_seconds: 15 })),
	/** 403 for every new edit. */
	'no-credit': {
		refusal: ({ method, path }) =>
			method === 'POST' && /^\/v2\/(edits|noise)$/.test(path)
				? { status: 403, body: { detail: 'Insufficient credits' } }
				: undefined,
	},
	/** 429 as `{"detail": …}`. */
	'limit-detail': { limit: (detail) => ({ detail }) },
	/** 400 for uploads other than WAV, MP3, FLAC and M4A. */
	'few-formats': { refusal: uncommonUpload },
	/** Unknown configuration keys and `breath: "muted"` are accepted and ignored. */
	'more-keys': {
		config: (config) => {
			const known = Object.entries(config).filter(([key]) => KNOWN_KEYS.includes(key));
			return { ...Object.fromEntries(known), ...(config.breath === 'muted' && { breath: true }) };
		},
	},
	/** A service that does not call itself local, and ignores `input.local`, or refuses it. */
	'local-ignored': {
		account: unnamed,
		input: (input) => ({ ...input, local: undefined }),
	},
	'local-refused': {
		account: unnamed,
		refusal: ({ method, path, body }) =>
			method === 'POST' && /^\/v2\/(edits|noise)$/.test(path) && body.includes('"local":')
				? { status: 422, body: { detail: 'Extra inputs are not permitted: local' } }
				: undefined,
	},
} satisfies Record<string, DialectRules>;

/** The name of a dialect. */
export type Dialect = keyof typeof DIALECTS;

function failing(resultFor: (reason: unknown) => object | undefined): DialectRules {
	return {
		edit: (body) => {
			if (phaseOf(body.status) !== 'failed') return body;
			return { ...body, result: resultFor((body.result as Fields | undefined)?.message) };
		},
	};
}

/** An account without the name of its service. */
function unnamed(body: Fields): Fields {
	return { ...body, meta: undefined };
}

function late(result: (body: EditBody) => unknown): DialectRules {
	return {
		edit: (body, reads) => {
			const isEarly = phaseOf(body.status) === 'succeeded' && reads <= READS_BEFORE_RESULT;
			return isEarly ? { ...body, result: result(body) } : body;
		},
	};
}

function unfinished(more: (body: EditBody) => object): DialectRules {
	return {
		edit: (body) => {
			const isUnfinished = ['pending', 'running'].includes(phaseOf(body.status));
			return isUnfinished ? { ...body, ...more(body) } : body;
		},
	};
}

function inResult(more: (result: Fields) => object): DialectRules {
	return {
		edit: (body) => {
			const result = body.result as Fields | undefined;
			const isWhole = result?.download_url !== undefined;
			return isWhole ? { ...body, result: { ...result, ...more(result) } } : body;
		},
	};
}

function markers(shape: (links: string[]) => unknown): DialectRules {
	return inResult(({ timestamps_markers_urls: links }) => ({
		timestamps_markers_urls: shape(links as string[]),
	}));
}

function uncommonUpload({ method, path }: SeenRequest): Answer | undefined {
	const { pathname, searchParams } = new URL(path, 'http://x');
	const name = searchParams.get('filename')?.toLowerCase();
	if (method !== 'POST' || pathname !== '/v2/upload' || name === undefined) return undefined;
	const isCommon = COMMON_EXTENSIONS.some((extension) => name.endsWith(`.${extension}`));
	return isCommon ? undefined : { status: 400, body: { detail: 'Unsupported file type' } };
}

/** Counts the statuses that the edit has gone through. Clients type all but state and name as numbers. */
function progressOf({ task_id: id, status }: EditBody) {
	const done = EDIT_STATUSES.indexOf(status as KnownEditStatus);
	return {
		done,
		total: EDIT_STATUSES.indexOf('SUCCESS'),
		state: 'running',
		phase: done,
		step: 1,
		substep: 0,
		job_name: `edit-${id.slice(0, 8)}`,
	};
}
