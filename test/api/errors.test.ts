import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type FailureContext, toNodeError, failureJson } from '../../nodes/shared/errors/errors';
import type { RequestFailure } from '../../api/failure';

const NODE: INode = {
	id: '1',
	name: 'Create Edit',
	type: 'n8n-nodes-audio-editing.createEdit',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const explain = (failure: Partial<RequestFailure>, context: Partial<FailureContext> = {}) =>
	toNodeError(
		NODE,
		{ kind: 'status', request: 'POST /v2/edits', origin: 'https://api.example.com', ...failure },
		{ itemIndex: 3, doing: 'create the edit', ...context },
	);

const INVALID = { kind: 'invalid', said: 'no ID' } as const;
const UNREADABLE = { kind: 'unreadable' } as const;
const DETAILS = ['config.target_lufs: too loud', 'files.0: no URL'];
const DEAF = 'nothing listens at that address';

/** What to do, where a row has no room for it. */
const NO_CREDITS = /^The service says: no credits\. .*credit may be used up.*Account node/;
const ANOTHER_KEY = /Most likely, the edit was created with another API key: select the credential/;
const CORRECT_THEM =
	/config\.target_lufs: too loud; files\.0: no URL\. Correct what the service names/;
const SLOW_DOWN = /says: E9001: slow down\. .*'Number of n8n Workers'/;
const ODD = /^Reason: 'id': Required\. .*'Base URL'/;
const NOT_FOLLOWED = /^It redirects to evil\.example\/v2\. .*not followed/;
const NOBODY = /^Reason: nothing listens at that address\. .*'Base URL'/;
const LOOK_THERE = /^Edits that were submitted keep running.* Look there before you run/;

describe('every failure says what failed, why, and what to do', () => {
	const ofEdit = (method: string, status: number) => ({ status, request: `${method} /v2/edits/a` });
	const hidden = { status: 302, said: 'evil.example/v2' };
	const rows: Array<[string, Partial<RequestFailure>, RegExp, RegExp]> = [
		['401', { status: 401 }, /API key was not accepted/, /'API Key' and the 'Base URL'/],
		['403', { status: 403, said: 'no credits' }, /does not allow this/, NO_CREDITS],
		['402', { status: 402 }, /a payment/, /^The service answered 402\. Check the credit/],
		['418', { status: 418 }, /refused the request/, /^The service answered 418\. /],
		['502', { status: 502, isWebPage: true }, /unavailable/, /^The service answered 502\. /],
		['a 401 with words', { status: 401, said: 'bad k-1' }, /API key/, /^The service answered 401/],
		['a field', { ...INVALID, isEntered: true }, /no ID/, /^Nothing was sent\. /],
		['an answer', INVALID, /no ID/, /^This request was not sent\.$/],
		['404', { status: 404 }, /nothing at this address/, /deleted 7 days/],
		['403 for an edit', ofEdit('GET', 403), /does not allow this/, ANOTHER_KEY],
		['404 for an edit', ofEdit('DELETE', 404), /nothing at this address/, ANOTHER_KEY],
		['413', { status: 413 }, /too large/, /smaller file/],
		['422', { status: 422, details: DETAILS }, /did not accept the request/, CORRECT_THEM],
		['429', { status: 429, said: 'E9001: slow down' }, /rate limit/, SLOW_DOWN],
		['503', { status: 503 }, /temporarily unavailable/, /Try again in a minute/],
		['409', { status: 409, said: 'a clash!' }, /refused the request/, /says: a clash! Retrying/],
		['a web page', { status: 404, isWebPage: true }, /nothing at this address/, /'Base URL'/],
		[
			'HTML with 200',
			{ ...UNREADABLE, isWebPage: true },
			/leads to a web page/,
			/not of its website/,
		],
		['another response', { ...UNREADABLE, said: "'id': Required" }, /unexpected response/, ODD],
		['a redirect', { kind: 'redirect', ...hidden }, /redirects to another address/, NOT_FOLLOWED],
		['no connection', { kind: 'unreachable', said: DEAF }, /could not be reached/, NOBODY],
		['a cut connection', { kind: 'broken', said: 'it was cut' }, /was lost/, /network is stable/],
		['a time-out', { kind: 'timeout' }, /did not respond in time/, /Try again later/],
		['a long response', { kind: 'tooLarge', said: 'it has more than 1 MB' }, /too large/, /1 MB/],
		['a stop', { kind: 'stopped' }, /was stopped/, LOOK_THERE],
	];

	it.each(rows)('%s', (_name, failure, message, advice) => {
		const error = explain(failure);
		expect(error.message).toMatch(/^Could not create the edit: .*\[item 3\]$/);
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(advice);
		const { request: asked = 'POST /v2/edits' } = failure;
		const request = `${asked} at https://api.example.com`;
		if (failure.kind !== 'invalid') {
			expect(error.messages[0]).toMatch(new RegExp(`^${request} (answered |\\()`));
		}
		expect(error.description).not.toContain(request);
		// The service's words about a refused key may quote a part of it.
		const isQuoted = failure.said !== undefined && failure.status !== undefined;
		const details = error.messages.join('\n');
		if (isQuoted) {
			expect(details.includes(String(failure.said))).toBe(failure.status !== 401);
			expect(error.message).not.toContain(failure.said);
		}
		expect(error.context.itemIndex).toBe(3);
		expect(`${error.message} ${error.description}`).not.toMatch(/\b(error|problem|mistake)\b/i);
	});
});

it('only a response from the service becomes a NodeApiError with its status', () => {
	expect(explain({ status: 422 })).toBeInstanceOf(NodeApiError);
	expect(failureJson(explain({ status: 422 }))).toMatchObject({ httpCode: '422' });
	expect(explain({ kind: 'timeout' })).toBeInstanceOf(NodeOperationError);
	expect(failureJson(explain({ kind: 'timeout' }))).not.toHaveProperty('httpCode');
});

describe('a charged request', () => {
	const paid = { isSubmission: true };

	it.each<[string, Partial<RequestFailure>]>([
		['a cut connection', { kind: 'broken' }],
		['a time-out', { kind: 'timeout' }],
		['an unreadable response', { kind: 'unreadable' }],
		['a 500', { status: 500 }],
		['a 408', { status: 408 }],
		['a stop after it was sent', { kind: 'stopped', wasSent: true }],
	])('warns after %s that the edit may exist', (_name, failure) => {
		const { description } = explain(failure, paid);
		expect(description).toMatch(/may have accepted the edit.*not sent again/);
		expect(description).not.toMatch(/try again|run the (node|workflow) again/i);
	});

	it.each<[string, Partial<RequestFailure>]>([
		['no connection', { kind: 'unreachable' }],
		['401', { status: 401 }],
		['422', { status: 422 }],
		['429', { status: 429 }],
		['a stop before it was sent', { kind: 'stopped', wasSent: false }],
		['a refusal by the client', { kind: 'invalid' }],
	])('says after %s that no edit was created', (_name, failure) => {
		expect(explain(failure, paid).description).toContain('No edit was created.');
	});
});

const REDIRECT = { kind: 'redirect', status: 302 } as const;
const FETCH_AGAIN = /Fetch the edit with a Get Result node/;
const BY_HAND = /^It redirects to cdn\.example\. .*HTTP Request node/;

describe('an error about a link does not concern the credential', () => {
	const download = { target: 'link', request: 'GET of the file' } as const;
	const upload = { target: 'link', request: 'PUT of the file' } as const;

	const asked = (path: string) => new RegExp(`${path} link redirects to another address`);
	const rows: Array<[string, Partial<RequestFailure>, RegExp, RegExp]> = [
		['401', { ...download, status: 401 }, /download link has expired or is not valid/, FETCH_AGAIN],
		['403', { ...download, status: 403, said: 'no' }, /expired/, /says: no\. .*for a fresh link/],
		['410', { ...download, status: 410 }, /there is no file at the download link/, /7 days/],
		['403 of an upload', { ...upload, status: 403 }, /upload link/, /Run the node again/],
		['413', { ...upload, status: 413 }, /too large/, /smaller file/],
		['a page', { ...download, status: 400, isWebPage: true }, /refused the request/, /Get Result/],
		['503', { ...download, status: 503 }, /host is temporarily unavailable/, /Wait a minute/],
		['no connection', { ...download, kind: 'unreachable' }, /file's host/, /reach https:\/\/api/],
		[
			'a break',
			{ ...download, kind: 'broken', said: 'cut' },
			/was lost/,
			/^Reason: cut\. .*stable/,
		],
		['a time-out', { ...download, kind: 'timeout' }, /transfer took too long/, /later/],
		['a redirect', { ...download, ...REDIRECT, said: 'cdn.example' }, asked('download'), BY_HAND],
		['a redirect of an upload', { ...upload, ...REDIRECT }, asked('upload'), /sent twice\. Ask/],
	];

	it.each(rows)('%s', (_name, failure, message, advice) => {
		const error = explain(failure, { doing: 'download the file of edit a' });
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(advice);
		const text = `${error.message} ${error.description}`;
		expect(text).not.toMatch(/API key|Base URL|\b(error|problem|failure|mistake)\b/i);
	});
});
