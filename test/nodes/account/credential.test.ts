import { randomUUID } from 'crypto';

import { testCredential } from '../../../nodes/core/run/testCredential';
import { withMistakes } from '../../../testkit/n8n/credentialMistakes';
import { savedCredential } from '../../../testkit/n8n/savedCredential';
import { useService } from '../../../testkit/service/useService';

const service = useService();

const KEY: string = randomUUID();

const ACCOUNT = { body: { credit: { total: 5 } } };

const saved = async (url = service.url, apiKey = KEY) => await savedCredential({ url, apiKey });

it('says of each mistake what is wrong and what to do', async () => {
	await withMistakes(async (mistakes) => {
		expect(Object.keys(mistakes)).toHaveLength(13);
		for (const { entered, says } of Object.values(mistakes)) {
			const { status, message } = await savedCredential(entered);
			expect(message).toMatch(says);
			expect(status).toBe('Error');
			expect(message).toMatch(/^[A-Z'][^]*\.$/);
			expect(message).not.toMatch(/\bE[A-Z]{4,}|\.\./);
			if (entered.apiKey.trim() !== '') expect(message).not.toContain(entered.apiKey);
		}
	});
});

describe('a credential that works', () => {
	it.each(['', '/', '/v2', '/v2/', ' '])('may have a base URL that ends in "%s"', async (end) => {
		service.answer = () => ACCOUNT;
		expect((await saved(service.url + end)).status).toBe('OK');
		expect(service.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /v1/account',
		]);
		expect(service.seen[0].headers['x-api-key']).toBe(KEY);
	});

	it('may be behind a path of a proxy', async () => {
		service.answer = ({ path }) => (path === '/audio/v1/account' ? ACCOUNT : { status: 404 });
		expect((await saved(`${service.url}/audio`)).status).toBe('OK');
	});

	it('may have a key with blanks around it', async () => {
		service.answer = ({ headers }) => (headers['x-api-key'] === KEY ? ACCOUNT : { status: 401 });
		expect((await saved(service.url, ` ${KEY}\n`)).status).toBe('OK');
	});
});

it('follows no redirect, which would carry the key to another host', async () => {
	service.answer = ({ path }) =>
		path === '/v1/account' ? { status: 302, headers: { Location: '/elsewhere' } } : ACCOUNT;
	const { message } = await saved();
	expect(message).toMatch(/redirects to another address\. .*\/elsewhere.*final address/);
	expect(service.seen.map(({ path }) => path)).toEqual(['/v1/account']);
});

it.each([
	['a refusal', { status: 500, body: `no ${KEY}` }],
	['a redirect', { status: 302, headers: { Location: `https://${KEY}.example/${KEY}` } }],
	['an answer', { body: { [KEY]: KEY } }],
	['a text', { body: KEY }],
])('says nothing of the key that is in %s', async (_what, answer) => {
	service.answer = () => answer;
	const { status, message } = await saved();
	expect(status).toBe('Error');
	expect(message.toLowerCase()).not.toContain(KEY);
});

it.each([
	['a key with a blank in it', { apiKey: 'two words' }, /has a blank in it\. Copy it again/],
	['a key with a line break in it', { apiKey: 'two\nlines' }, /Copy it again, in one line/],
	['a key in other letters', { apiKey: 'ключ' }, /Copy it again, in one line/],
	['a credential without fields', {}, /'API Key' is empty/],
])('says what to do about %s', async (_what, { apiKey = '' }: { apiKey?: string }, said) => {
	service.answer = () => ({ status: 401 });
	expect((await saved(service.url, apiKey)).message).toMatch(said);
});

it.each([
	['api.example.com', /^The 'Base URL' must begin with https:\/\/ or http:\/\//],
	['ftp://api.example.com', /^The 'Base URL' must begin with https:\/\/ or http:\/\//],
	['https://', /^The 'Base URL' is not a complete URL such as https:\/\/api\.example\.com/],
	['https://me:secret@api.example.com', /^The 'Base URL' contains a user name or password/],
	['https://me@api.example.com', /^The 'Base URL' contains a user name or password/],
	['https://api.example.com/?a=1', /^The 'Base URL' contains a query or fragment/],
	['https://api.example.com/#a', /^The 'Base URL' contains a query or fragment/],
	[' ', /^The 'Base URL' is empty/],
])('refuses the base URL "%s" in the words of the nodes', async (url, words) => {
	expect((await saved(url)).message).toMatch(words);
});

it('knows the port of n8n', async () => {
	const request = async () => await Promise.resolve({ statusCode: 404, headers: {}, body: '' });
	const data = { baseUrl: 'http://localhost:5678', apiKey: KEY };
	const { message } = await testCredential.call({ helpers: { request } }, { data });
	expect(message).toMatch(
		/^There is no audio editing service.* 5678 is the port of n8n itself\. Enter/,
	);
});
