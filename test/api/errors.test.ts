import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type FailureContext, toNodeError } from '../../nodes/shared/errors';
import { failureJson } from '../../nodes/shared/errors';
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

describe('every failure says what failed, why, and what to do', () => {
	it.each<[string, Partial<RequestFailure>, RegExp, RegExp]>([
		['401', { status: 401 }, /API key was not accepted/, /'API Key' and the 'Base URL'/],
		[
			'403',
			{ status: 403, said: 'no credits' },
			/does not allow this: no credits/,
			/credit may be used up.*Account node/,
		],
		['404', { status: 404 }, /nothing at this address/, /deleted 7 days/],
		['413', { status: 413 }, /too large/, /smaller file/],
		[
			'422',
			{ status: 422, details: ['config.target_lufs: too loud', 'files.0: no URL'] },
			/config\.target_lufs: too loud; files\.0: no URL/,
			/Correct the fields/,
		],
		[
			'429',
			{ status: 429, said: 'E9001: slow down' },
			/rate limit.*E9001: slow down/,
			/30 uploads and edits/,
		],
		['503', { status: 503 }, /temporarily unavailable \(503\)/, /Try again in a minute/],
		['a web page', { status: 404, isWebPage: true }, /nothing at this address/, /'Base URL'/],
		[
			'HTML with 200',
			{ kind: 'unreadable', isWebPage: true },
			/answers with a web page/,
			/API, not of its website/,
		],
		[
			'another answer',
			{ kind: 'unreadable', said: "'id': Required" },
			/not what the interface promises/,
			/'Base URL'/,
		],
		[
			'a redirect',
			{ kind: 'redirect', status: 302, redirectHost: 'evil.example' },
			/redirects to evil\.example/,
			/not followed/,
		],
		[
			'no connection',
			{ kind: 'unreachable', said: 'nothing listens at that address' },
			/could not be reached \(nothing listens/,
			/'Base URL'/,
		],
		[
			'a cut connection',
			{ kind: 'broken', said: 'the connection was cut' },
			/broke off/,
			/network is steady/,
		],
		['a time-out', { kind: 'timeout' }, /no answer came/, /Try again later/],
	])('%s', (_name, failure, message, advice) => {
		const error = explain(failure);
		expect(error.message).toMatch(/^Could not create the edit: .*\[item 3\]$/);
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(advice);
		expect(error.description).toContain('POST /v2/edits at https://api.example.com');
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
		expect(explain(failure, paid).description).toMatch(/may have taken the edit.*not sent again/);
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

describe('an error about a link does not concern the credential', () => {
	const download = { target: 'link', request: 'GET of the file' } as const;
	const upload = { target: 'link', request: 'PUT of the file' } as const;

	it.each<[string, Partial<RequestFailure>, RegExp, RegExp]>([
		[
			'401',
			{ ...download, status: 401 },
			/download link is no longer valid/,
			/Run Get Result again/,
		],
		['403', { ...download, status: 403, said: 'no' }, /\(403\): no/, /asks for a fresh link/],
		['410', { ...download, status: 410 }, /the download link leads to no file/, /7 days/],
		['403 of an upload', { ...upload, status: 403 }, /upload link/, /Run Upload again/],
		['413', { ...upload, status: 413 }, /too large/, /smaller file/],
		['a page', { ...download, status: 400, isWebPage: true }, /answered 400/, /Get Result/],
		['503', { ...download, status: 503 }, /host of the file answered 503/, /Wait a minute/],
		['no connection', { ...download, kind: 'unreachable' }, /host of the file/, /reach that host/],
		['a break', { ...download, kind: 'broken', said: 'cut' }, /broke off \(cut\)/, /steady/],
		['a time-out', { ...download, kind: 'timeout' }, /transfer did not end/, /later/],
		[
			'a redirect',
			{ ...download, kind: 'redirect', status: 302, redirectHost: 'cdn.example' },
			/download link redirects to cdn\.example/,
			/HTTP Request node/,
		],
		[
			'a redirect of an upload',
			{ ...upload, kind: 'redirect', status: 307 },
			/upload link redirects to another place/,
			/sent twice/,
		],
	])('%s', (_name, failure, message, advice) => {
		const error = explain(failure, { doing: 'download the file of edit a' });
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(advice);
		const text = `${error.message} ${error.description}`;
		expect(text).not.toMatch(/API key|Base URL|\b(error|problem|failure|mistake)\b/i);
	});
});
