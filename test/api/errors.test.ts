import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import {
	type FailureContext,
	failureJson,
	isFailureJson,
	toNodeError,
} from '../../nodes/core/errors/errors';
import type { RequestFailure } from '../../api/failure';
import { NODE } from '../../testkit/n8n/nodeContext';

const explain = (failure: Partial<RequestFailure>, context: Partial<FailureContext> = {}) =>
	toNodeError(
		NODE,
		{ kind: 'status', request: 'POST /v2/edits', origin: 'https://api.example.com', ...failure },
		{ itemIndex: 3, doing: 'create the edit', ...context },
	);

const ODD_WORDS = /\b(error|problem|mistake)\b/i;
const EDIT = 'GET /v2/edits/a';
const KINDS = [
	'invalid',
	'unreachable',
	'broken',
	'timeout',
	'stopped',
	'unreadable',
	'tooLarge',
	'wrongSize',
] as const;
const REDIRECT = { kind: 'redirect', status: 302, said: 'cdn.example/v2' } as const;

/** What a user reads: whole texts, so that no sentence goes unseen. */
function readAbout(failure: Partial<RequestFailure>, context?: Partial<FailureContext>) {
	const error = explain(failure, context);
	const { message, description, messages } = error;
	const { request = 'POST /v2/edits', said, status, target, kind } = failure;
	expect(message).toMatch(
		/^Could not (create the edit|download the file of edit a): .*\[item 3\]$/,
	);
	expect(`${message} ${description}`).not.toMatch(ODD_WORDS);
	expect(error.context.itemIndex).toBe(3);
	if (kind !== 'invalid') expect(messages[0].startsWith(`${request} `)).toBe(true);
	expect(description).not.toContain(`${request} at `);
	if (said !== undefined && status !== undefined) {
		// The service's words about a refused key may quote a part of it.
		const isHidden = status === 401 && target !== 'link';
		expect(messages.join('\n').includes(said)).toBe(!isHidden);
		expect(message).not.toContain(said);
	}
	return [message, description, ...messages];
}

it('every failure says what failed, why, and what to do', () => {
	const statuses = [401, 402, 403, 404, 408, 409, 410, 413, 418, 422, 429, 499, 500, 502, 503];
	const failures: Array<Partial<RequestFailure>> = [
		...statuses.flatMap((status) => [{ status }, { status, request: EDIT, said: 'k-1: no!' }]),
		...[401, 404, 418, 499, 500, 502].map((status) => ({ status, isWebPage: true })),
		{ status: 422, details: ['config.target_lufs: too loud', 'files.0: no URL'] },
		...KINDS.map((kind) => ({ kind, said: 'why' })),
		{ kind: 'tooLarge', request: EDIT },
		{ kind: 'tooLarge', request: 'GET /v1/completed_tasks/1' },
		{ kind: 'invalid', isEntered: true },
		{ kind: 'invalid' },
		{ kind: 'unreadable', isWebPage: true },
		{ kind: 'unreachable', origin: undefined, sameAsItem: 2 },
		REDIRECT,
	];
	expect(failures.map((failure) => readAbout(failure))).toMatchSnapshot();
});

it('an error about a link does not concern the credential', () => {
	const rows: Array<Partial<RequestFailure>> = [
		...[401, 403, 404, 410, 413, 418, 503].map((status) => ({ status, said: 'k-2!' })),
		{ status: 400, isWebPage: true },
		{ status: 403, isFreshLink: true },
		{ kind: 'unreachable', origin: undefined },
		...(['unreachable', 'broken', 'timeout', 'unreadable', 'wrongSize'] as const).map((kind) => ({
			kind,
		})),
		REDIRECT,
	];
	const failures = ['GET of the file', 'PUT of the file'].flatMap((request) =>
		rows.map((row) => ({ ...row, request, target: 'link' as const })),
	);
	const texts = failures.map((failure) =>
		readAbout(failure, { doing: 'download the file of edit a' }),
	);
	const read = texts.map(([message, description]) => `${message} ${description}`).join('\n');
	expect(read).not.toMatch(/API key|Base URL|\b(error|problem|failure|mistake)\b/i);
	expect(texts).toMatchSnapshot();
});

it.each([
	[null, false],
	['text', false],
	[{ description: 'x' }, false],
	[{ message: 'x' }, true],
	[{ message: 'x', description: 'y', httpCode: '403', details: 'z' }, true],
	[{ message: 'x', httpCode: 403 }, false],
	[{ message: 'x', other: 'y' }, false],
])('%j is a written failure: %s', (value, isOurs) => {
	expect(isFailureJson(value)).toBe(isOurs);
});

it('a long message is cut, and an error without an item names none', () => {
	const long = explain({}, { doing: 'x'.repeat(3_000), itemIndex: undefined });
	expect([long.message.length, long.message.at(-1)]).toEqual([2_001, '…']);
	expect(explain({}, { itemIndex: undefined }).message).toBe(
		'Could not create the edit: the service refused the request',
	);
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
