import { EDIT_STATUSES, phaseOf } from '../shared/contract.mts';
import type { Dialect } from '../shared/dialects.mts';
import { fileNameOfUrl } from '../shared/fileNames.mts';
import type { StoredEdit } from '../store/edit.mts';

/** The body of GET /v2/edits/{edit_id}. */
export type EditBody = Record<string, unknown> & { status: string };

/** How many reads of SUCCESS come before the result. */
const READS_BEFORE_RESULT = 2;

type Rewrite = (body: EditBody, edit: StoredEdit, reads: number) => EditBody;

/** Rewrites the body of an edit that exists, by the dialects that change it. */
export const EDIT_REWRITES: Readonly<Partial<Record<Dialect, Rewrite>>> = {
	'failure-bare': failing(() => undefined),
	'failure-error': failing(({ failureReason }) => ({ error: failureReason })),
	'failure-detail': failing(({ failureReason }) => ({ detail: failureReason })),
	'failure-code': failing(() => ({ code: 'E2001' })),
	'late-result': (body, edit, reads) => {
		const isEarly = phaseOf(body.status) === 'succeeded' && reads <= READS_BEFORE_RESULT;
		return isEarly ? { ...body, result: progressOf(edit) } : body;
	},
	progress: unfinished((_body, edit) => ({ result: progressOf(edit) })),
	'markers-text': withLinks((links) => links[0] ?? ''),
	'markers-object': withLinks((links) =>
		Object.fromEntries(links.map((link) => [fileNameOfUrl(link), link])),
	),
	'waveform-object': inResult(() => ({ waveform_result: { points_per_second: 10, peaks: [0] } })),
	'poll-after': unfinished(() => ({ poll_after_seconds: 15 })),
	queued: (body) => (body.status === 'PENDING' ? { ...body, status: 'QUEUED' } : body),
	processing: (body) =>
		phaseOf(body.status) === 'running' ? { ...body, status: 'PROCESSING' } : body,
};

function failing(result: (edit: StoredEdit) => object | undefined): Rewrite {
	return (body, edit) =>
		phaseOf(body.status) === 'failed' ? { ...body, result: result(edit) } : body;
}

function unfinished(more: (body: EditBody, edit: StoredEdit) => object): Rewrite {
	return (body, edit) => {
		const isUnfinished = ['pending', 'running'].includes(phaseOf(body.status));
		return isUnfinished ? { ...body, ...more(body, edit) } : body;
	};
}

function inResult(more: (result: Record<string, unknown>) => object): Rewrite {
	return (body) => {
		const { result } = body;
		const isResult = typeof result === 'object' && result !== null && 'download_url' in result;
		return isResult ? { ...body, result: { ...result, ...more({ ...result }) } } : body;
	};
}

function withLinks(shape: (links: string[]) => unknown): Rewrite {
	return inResult(({ timestamps_markers_urls: links }) => ({
		timestamps_markers_urls: shape(Array.isArray(links) ? links.map(String) : []),
	}));
}

/** Counts the statuses that the edit has gone through. Clients type all but state and name as numbers. */
function progressOf({ id, status }: StoredEdit) {
	const done = EDIT_STATUSES.indexOf(status);
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
