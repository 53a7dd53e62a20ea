import { finished, status, useScriptedEdits } from '../../../testkit/service/scriptedEdits';

const edits = useScriptedEdits();

const PAGE = '<html><body><h1>Forbidden by the gateway</h1></body></html>';
const page = (code: number, type = 'text/html') => ({
	status: code,
	body: PAGE,
	headers: { 'Content-Type': type },
});
const refusal = (code: number) => ({ status: code, body: { detail: 'no' } });

async function wait(...answers: object[]) {
	edits.script = { '/v2/edits/a': answers as never };
	const { run, error } = await edits.run('waitForEdit', ['a'], { options: { maxWaitMinutes: 10 } });
	const polls = edits.service.seen.length;
	return { error, polls, out: run.data.resultData.runData.waitForEdit[0].data?.main[0]?.[0].json };
}

const READ = status('a', 'EDITING');

describe('once an edit was read', () => {
	it.each([
		['403 pages', [page(403), page(403), page(403), page(403)]],
		['404 pages', [page(404), page(404), page(404)]],
		[
			'409 as text',
			[
				{ status: 409, body: 'busy' },
				{ status: 409, body: 'busy' },
			],
		],
		['400 and 499 pages', [page(400), page(499), page(400)]],
		['401 pages', [page(401), page(401)]],
		['200 pages', [page(200), page(200), page(200), page(200)]],
		['200 with text', [{ body: 'upstream' }, { body: 'upstream' }, { body: '' }, { body: 'x' }]],
		['redirects', [{ status: 302, headers: { Location: 'https://login.example/' } }]],
		['one refusal of the API', [refusal(404)]],
		[
			'refusals with an answer between them',
			[refusal(404), READ, refusal(403), READ, refusal(404)],
		],
		['refusals apart', [refusal(404), page(502), refusal(403), page(403), refusal(404)]],
	])('%s pass', async (_title, answers) => {
		const { error, out } = await wait(READ, ...answers, finished('a', edits.service.url));
		expect(error?.message).toBeUndefined();
		expect(out).toMatchObject({ editId: 'a', status: 'SUCCESS' });
	});

	it.each([403, 404])('two %d of the API in a row end the wait', async (code) => {
		const { error, polls } = await wait(READ, refusal(code), refusal(code), READ);
		expect(error).toBeDefined();
		expect(polls).toBe(3);
	});

	it.each([401, 422])('a %d of the API ends the wait at once', async (code) => {
		const { error, polls } = await wait(READ, refusal(code), READ);
		expect(error).toBeDefined();
		expect(polls).toBeLessThanOrEqual(3);
	});

	it('pages until Maximum Wait end as still running, and blame no base URL', async () => {
		const { error } = await wait(READ, page(403));
		expect(error?.message).toMatch(/still|not finished|Maximum Wait/i);
		expect(`${error?.message} ${error?.description}`).not.toContain('Base URL');
	});
});

it('a page before the edit was ever read ends the wait, and names the base URL', async () => {
	const { error, polls } = await wait(page(403), page(403));
	expect(error).toBeDefined();
	expect(polls).toBe(1);
});
