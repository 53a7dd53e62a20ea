import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { itemsOf, storeFile, INSTANCE, startEngine } from '../../../testkit/n8n/n8nEngine';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { fileItem } from '../../../testkit/service/recordingService';
import { accept, useService } from '../../../testkit/service/useService';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import { runAgent } from '../../../testkit/n8n/agentRun';
import { callAsTool } from '../../../testkit/n8n/callAsTool';

const own = INSTANCE.restApiUrl;

let put: (number: number) => Answer = () => ({ body: '' });

let puts = 0;

const service = useService((request, number) =>
	request.method === 'PUT' ? put(++puts) : accept(request, number),
);

beforeEach(() => {
	put = () => ({ body: '' });
});

afterEach(() => {
	INSTANCE.restApiUrl = own;
});

async function link(options: INodeParameters = {}, binary?: IBinaryData, url = service.url) {
	const file = binary ?? (await storeFile(Buffer.from('RIFF'), 'a.wav', 'audio/wav'));
	const upload = { type: 'upload', parameters: { transfer: 'link', ...options } };
	const items = [{ json: {}, binary: { data: file } }];
	const run = await runChain({ ...service, url }, chain(upload, { type: 'createEdit' }), items);
	return { run, out: itemsOf(run, 'upload')[0]?.json, error: run.data.resultData.error };
}

/** Returns what n8n wrote into the link's token. */
function tokenOf(fileUrl: unknown): { id: string; iat: number; exp: number } {
	const token = new URL(String(fileUrl)).searchParams.get('token') ?? '';
	return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
}

describe('n8n’s signed link', () => {
	it('outputs n8n’s signed link to the stored file, which Create Edit sends unchanged', async () => {
		const binary = await storeFile(Buffer.from('RIFF'), 'a.wav', 'audio/wav');
		const { out, run } = await link({ linkValidHours: 3 }, binary);
		expect(out).toMatchObject({ fileName: 'a.wav', sizeBytes: 4, contentType: 'audio/wav' });
		expect(out?.fileUrl).toMatch(/^http:\/\/127\.0\.0\.1\/rest\/binary-data\/signed\?token=/);
		const { id, iat, exp } = tokenOf(out?.fileUrl);
		expect(id).toBe(binary.id);
		expect(exp - iat).toBe(3 * 3_600);
		expect(service.seen.map(({ path }) => path)).toEqual(['/v2/edits']);
		expect(JSON.parse(service.seen[0].body)).toMatchObject({ input: { files: [out?.fileUrl] } });
		expect(itemsOf(run, 'createEdit')[0].json.editId).toBe('edit-1');
	});

	it.each([
		[1.5, 2],
		[0.2, 1],
		[0, 1],
		[2, 2],
	])('is valid for whole hours, at least as long as asked for: %d → %d', async (asked, valid) => {
		const { out } = await link({ linkValidHours: asked });
		const { iat, exp } = tokenOf(out?.fileUrl);
		expect(exp - iat).toBe(valid * 3_600);
	});

	it('is not kept with the execution by the node that sends it at once', async () => {
		const spec = { type: 'audioEditing', parameters: { transfer: 'link' } };
		const run = await runChain(service, chain(spec), [await fileItem('a.wav')]);
		const [{ body }] = service.seen;
		expect(tokenOf(JSON.parse(body).input.files[0])).toHaveProperty('id');
		expect(run.data.executionData?.contextData).toHaveProperty('node:audioEditing');
		expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('token');
		expect(JSON.stringify(itemsOf(run, 'audioEditing')[0].json)).not.toContain('token');
	});

	describe('is refused, before any request, when', () => {
		it('n8n keeps the file in memory', async () => {
			const binary = { data: 'UklGRg==', fileName: 'm.wav', mimeType: 'audio/wav' };
			const { error } = await link({}, binary);
			expect(error?.message).toMatch(/'m\.wav': n8n keeps the file in memory/);
			expect(error?.description).toContain('N8N_DEFAULT_BINARY_DATA_MODE=filesystem');
			expect(service.seen).toEqual([]);
		});

		it('n8n is on a loopback address and the service is elsewhere', async () => {
			INSTANCE.restApiUrl = 'http://localhost:5678/rest';
			const { error } = await link({}, undefined, 'https://audio.example');
			expect(error?.message).toMatch(/cannot reach this n8n at http:\/\/localhost:5678 \[item 0\]/);
			expect(error?.description).toContain('N8N_WEBHOOK_URL');
		});

		it('n8n does not know its address', async () => {
			INSTANCE.restApiUrl = undefined;
			const { error } = await link();
			expect(error?.message).toMatch(/n8n does not know its own address/);
			expect(service.seen).toEqual([]);
		});

		it('the hours are not a number', async () => {
			const { error } = await link({ linkValidHours: '={{ "3 h" }}' });
			expect(error?.message).toMatch(/'Link Validity \(Hours\)' must be a number/);
			expect(service.seen).toEqual([]);
		});
	});
});

describe('n8n’s signed link, to an agent', () => {
	describe('as a tool', () => {
		/** Returns the answer to an agent of version 3 whose item has a recording. */
		async function answerFor(parameters = {}): Promise<string> {
			const items = [await fileItem('a.wav')];
			const call = { tool: 'upload', input: { field: 'data' } };
			const { answers } = await runAgent(service, [{ type: 'upload', parameters }], [[call]], {
				items,
			});
			return answers.join();
		}

		const WAY_OUT =
			/an agent cannot pass files to its tools.*public URL, give the URL to Audio Editing Create Edit.*expression/;

		describe.each(['filesystem', 'default'] as const)(
			'Upload as a tool, binaries in %s',
			(mode) => {
				beforeAll(async () => await startEngine(mode));

				it.each([
					"={{ $('Input').item.binary.data }}",
					"={{ $('Input').item.binary[$fromAI('field')] }}",
				])('uploads the file of the expression %s', async (binaryPropertyName) => {
					const [answer] = JSON.parse(await answerFor({ binaryPropertyName })) as object[];
					expect(answer).toMatchObject({ fileUrl: `${service.url}/put/a.wav`, sizeBytes: 10 });
					const sent = service.seen.map(({ method, body }) => [method, body]);
					expect(sent).toEqual([
						['POST', ''],
						['PUT', 'RIFF a.wav'],
					]);
				});

				it.each([{}, { binaryPropertyName: "={{ $('Input').item.binary.other }}" }])(
					'says what to do if there is no file: %j',
					async (parameters) => {
						expect(await answerFor(parameters)).toMatch(WAY_OUT);
						expect(service.seen).toEqual([]);
					},
				);

				it('says what to do to an agent before version 3', async () => {
					const items = [await fileItem('a.wav')];
					const [answer] = await callAsTool(service, { nodeName: 'upload', parameters: {}, items });
					expect(answer).toMatch(WAY_OUT);
					expect(service.seen).toEqual([]);
				});
			},
		);
	});
});
