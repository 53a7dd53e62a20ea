import type { INodeParameters } from 'n8n-workflow';

import { downloadTimeoutMs } from '../../../api/retry';
import { status, useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { FILE, useScriptedSubmissions } from '../../../testkit/service/scriptedSubmissions';
import { type NodeEnd, runOne } from '../../../testkit/service/useService';

const submissions = useScriptedSubmissions();
const edits = useScriptedEdits();
const JSON_TYPE = { 'Content-Type': 'application/json' };
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const long = 'x'.repeat(1_000_000);
const CONTINUE = { onError: 'continueRegularOutput' as const };

/** Expects an error of at most 10 KB. */
function expectShort({ error, said }: NodeEnd): void {
	expect(error).toBeDefined();
	expect(said.length).toBeLessThan(10_000);
}

describe('an edit id in the response is in the error', () => {
	it.each<[string, Answer]>([
		['500, the id as JSON', { status: 500, body: { id: 'edit-77', status: 'PENDING' } }],
		['502, an object in detail', { status: 502, body: { detail: { edit_id: 'edit-77' } } }],
		['500, a string in error', { status: 500, body: { error: 'edit-77 queued, then broken' } }],
		['500, a list', { status: 500, body: [{ id: 'edit-77' }] }],
		['200, after 500 characters', { body: { note: 'x'.repeat(600), edit: { id: 'edit-77' } } }],
		['200, in what arrived before the connection broke', { cut: '{"id":"edit-77","note":"' }],
		['200, deep', { body: `{"id":"edit-77","x":${deep}}`, headers: JSON_TYPE }],
	])('%s', async (_name, answer) => {
		submissions.service.answer = () => answer;
		const { out, error } = await submissions.create();
		const told = `${out[0]?.json.editId} ${error?.message} ${error?.description}`;
		expect(told).toContain('edit-77');
	});
});

it('the ID in an uncertain answer is in the log, too', async () => {
	const body = { note: 'x'.repeat(600), edit: { id: 'edit-77' } };
	submissions.service.answer = () => ({ body });
	const { log } = await submissions.create();
	expect(log.filter((line) => line.includes('edit-77'))).toHaveLength(1);
});

it.each<[string, string, Answer['status']]>([
	['createEdit', 'fileUrls', 200],
	['getResult', 'editId', 200],
	['getResult', 'editId', 400],
])('of a web page, %s shows nothing but IDs (%s, %d)', async (type, name, status) => {
	const body = '<!doctype html><p>token-1 {"id":"edit-77"}';
	submissions.service.answer = () => ({ status, body });
	const parameters = { [name]: name === 'editId' ? 'e' : FILE };
	const { said } = await runOne(submissions.service, type, parameters);
	expect(said).not.toMatch(/token-1|doctype|Expected|undefined/);
	expect(said.includes('edit-77')).toBe(type === 'createEdit');
});

it('one deeply nested response does not fail the other edits of a wait', async () => {
	edits.script = {
		'/v2/edits/bad': [
			{ body: `{"task_id":"bad","status":"EXPORT","x":${deep}}`, headers: JSON_TYPE },
		],
		'/v2/edits/good': [status('good', 'SUCCESS', { download_url: 'https://f.example.com/a' })],
	};
	const { out } = await edits.run('waitForEdit', ['bad', 'good'], {}, CONTINUE);
	expect(out[1].json.status).toBe('SUCCESS');
});

it('the host of a redirect is cut', async () => {
	const Location = `https://${'a.'.repeat(6_000)}com/x`;
	submissions.service.answer = () => ({ status: 307, headers: { Location } });
	expectShort(await submissions.create());
});

describe('Wait For Edit and an impossible id', () => {
	it('shows no signed query', async () => {
		const editId = 'https://f.example.com/a.wav?signature=SECRETSECRET';
		const { error } = await edits.run('waitForEdit', [editId]);
		expect(error?.message).not.toContain('SECRET');
	});
	it('is cut', async () => {
		expectShort(await edits.run('waitForEdit', [long]));
	});
});

describe('errors of at most 10 KB', () => {
	const json = (config: object): INodeParameters => ({
		fileUrls: FILE,
		configure: 'json',
		configJson: JSON.stringify(config),
	});
	const locator = { __rl: true, mode: 'id', value: `=${long}` };
	const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1]));
	it.each<[string, string, INodeParameters]>([
		['preset', 'createEdit', { fileUrls: FILE, preset: long }],
		['template', 'createEdit', { fileUrls: FILE, configure: 'template', templateId: locator }],
		['value', 'createEdit', { fileUrls: FILE, export_format: long }],
		['unknown key', 'createEdit', json({ [long]: 1 })],
		['unknown keys', 'createEdit', json(many)],
		['operation', 'account', { resource: 'service', operation: long }],
		['download', 'getResult', { editId: 'e', download: [long] }],
		// prettier-ignore
		['configuration', 'account', { resource: 'configuration', operation: 'get', templateId: locator }],
	])('%s', async (_name, type, parameters) => {
		expectShort(await runOne(submissions.service, type, parameters));
	});
	it.each(['getResult', 'waitForEdit'])('a long status: %s', async (type) => {
		edits.script = { '/v2/edits/e': [status('e', long)] };
		expectShort(await edits.run(type, ['e'], { maximumWaitMinutes: 1 }));
	});
});

it('a download that claims 10^15 bytes and stalls has a limit of days at most', () => {
	expect(downloadTimeoutMs(1e15)).toBeLessThanOrEqual(7 * 86_400_000);
});

it('a wait beyond the largest date ends when the edit is finished', async () => {
	edits.script = { '/v2/edits/e': [status('e', 'SUCCESS')] };
	const { out } = await edits.run('waitForEdit', ['e'], { maximumWaitMinutes: 1e12 });
	expect(out[0].json).toMatchObject({ finished: true });
});

it("an id that JSON has rounded is not taken for the edit's", async () => {
	submissions.service.answer = () => ({ body: '{"id":12345678901234567890}', headers: JSON_TYPE });
	const { out, error } = await submissions.create();
	expect(out).toEqual([]);
	expect(error?.description).toMatch(/no edit ID in/);
});

it('an id that no request can name fails its item at once, is named, and is not charged again', async () => {
	submissions.service.answer = () => ({ body: { id: 'edits/7' } });
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
	const { error } = await submissions.create({}, undefined, settings);
	expect(error?.description).toMatch(/no usable edit ID in {"id":"edits\/7"}/);
	expect(error?.description).toContain('Look at your recent edits');
	expect(submissions.service.seen).toHaveLength(1);
});

/* n8n looks for codes such as ECONNRESET in messages and replaces them with its own text. */

const REFUSED = { status: 500, body: { detail: 'connect ECONNREFUSED 10.0.0.1:6379' } };

it('a code in the text of the service does not remove the edit ID from the text on the regular output', async () => {
	edits.script = { '/v2/edits/a': [REFUSED] };
	const settings = { onError: 'continueRegularOutput' } as const;
	const { out } = await edits.run('getResult', ['a'], {}, settings);
	expect(out[0].json.error).toBe(
		'a.wav: could not read the edit: the service is temporarily unavailable (edit a) [item 0]. The service says: connect ECONNREFUSED 10.0.0.1:6379. Try again in a minute.',
	);
});

it('no message recommends a retry that may be charged', async () => {
	edits.script = { '/v2/edits': [{ status: 502, body: { detail: 'upstream: read ECONNRESET' } }] };
	const parameters = { fileUrls: 'https://files.example/RemoteAccess.wav' };
	const { error, said } = await runOne(edits.service, 'createEdit', parameters);
	expect(error?.message).toMatch(/^RemoteAccess\.wav: could not create the edit: .* \[item 0\]$/);
	expect(said).not.toMatch(/retry the request/);
	expect(edits.service.seen).toHaveLength(1);
});
