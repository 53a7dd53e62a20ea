import { runCredentialTest } from '../faults/singleRequests';
import { useTransport } from '../support/useTransport';

const service = useTransport();

const tested = async (access: { url?: string; apiKey?: string }) => {
	const { url, apiKey } = service;
	const { ends } = await runCredentialTest({ url, apiKey, ...access, onLog: () => undefined });
	return ends[0].error?.message;
};

describe("n8n's test of the credential", () => {
	it('sends the key without blanks around it, as the nodes do', async () => {
		const { apiKey } = service;
		expect(await tested({ apiKey: ` ${apiKey}\n` })).toBeUndefined();
		expect(service.seen.at(-1)?.headers['x-api-key']).toBe(apiKey);
	});

	it.each([
		[
			'api.example.com',
			/^The 'Base URL' is not a complete URL such as https:\/\/api\.example\.com/,
		],
		['ftp://api.example.com', /^The 'Base URL' must begin with https:\/\/ or http:\/\//],
		['https://me:secret@api.example.com', /^The 'Base URL' contains a user name or password/],
	])('refuses the base URL %s in the words of the nodes', async (url, words) => {
		expect(await tested({ url })).toMatch(words);
	});
});
