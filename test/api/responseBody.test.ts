import { z } from 'zod';

import { success } from '../../api/failure';
import { issueText, readResponse } from '../../api/responseBody';
import { hiderOf } from '../../api/secrets';

const HIDDEN_TEXT = 'Abc-Key-0123456789';
const EDIT = z.object({ id: z.string(), result: z.object({ url: z.string() }).optional() });

/** Reads the body of a 2xx response of POST /v2/edits. */
async function read(body: unknown, quotesCut = false) {
	const hider = hiderOf([HIDDEN_TEXT]);
	const reading = { schema: EDIT, request: 'POST /v2/edits', hider, quotesCut };
	const outcome = await readResponse(reading, success(body));
	return outcome.ok ? outcome.value : outcome.failure;
}

const CUT = `{"id": "e1", "key": "${HIDDEN_TEXT}`;
const PAGE = '<!doctype html><title>Sign in</title>';
const request = 'POST /v2/edits';

it.each([
	['what the contract promises', { id: 'e1', more: 1 }, false, { id: 'e1' }],
	[
		'a body that is cut off',
		CUT,
		false,
		{ kind: 'broken', request, said: 'the response is incomplete' },
	],
	[
		'a cut body of a submission',
		CUT,
		true,
		{ kind: 'broken', said: expect.stringContaining('incomplete: {"id": "e1"') },
	],
	[
		'a body that is whole, but not JSON',
		'{"id": undefined}',
		false,
		{ kind: 'unreadable', said: expect.stringMatching(/^it is not JSON: .*Unexpected token/) },
	],
	[
		'a secret in what is not JSON',
		`{"id": ${HIDDEN_TEXT}}`,
		false,
		{ kind: 'unreadable', said: expect.not.stringContaining(HIDDEN_TEXT) },
	],
	[
		'a body without the ID',
		{ result: {} },
		false,
		{
			kind: 'unreadable',
			request,
			isWebPage: false,
			said: "'id': Required; 'result.url': Required",
		},
	],
	[
		'another body',
		5,
		false,
		{ kind: 'unreadable', isWebPage: false, said: 'Expected object, received number' },
	],
	['another text', 'busy', false, { isWebPage: false, said: 'Expected object, received string' }],
	['a page', PAGE, false, { kind: 'unreadable', isWebPage: true }],
	[
		'a page after a submission',
		PAGE,
		true,
		{ isWebPage: true, said: 'Expected object, received string' },
	],
] as const)('reads %s', async (_what, body, quotesCut, expected) => {
	const found = await read(body, quotesCut);
	expect(found).toMatchObject(expected);
	expect('said' in found).toBe('said' in expected);
	expect(JSON.stringify(found)).not.toContain(HIDDEN_TEXT);
});

it('passes a failure on', async () => {
	const failure = { kind: 'stopped', request } as const;
	const reading = { schema: EDIT, request, hider: hiderOf([]), quotesCut: false };
	expect(await readResponse(reading, { ok: false, failure })).toEqual({ ok: false, failure });
});

it('names a field of the request without its wrapper', () => {
	const issues = [['input', 'files', 0], ['input'], ['config', 'video']].map((path) => ({
		code: 'custom' as const,
		path,
		message: 'Required',
	}));
	expect(issueText(new z.ZodError(issues))).toBe(
		"'files.0': Required; Required; 'config.video': Required",
	);
});
