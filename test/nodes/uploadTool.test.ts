import type { INodeExecutionData } from 'n8n-workflow';

import { runAgent } from '../support/agentRun';
import { callAsTool } from '../support/callAsTool';
import { startEngine, storeFile } from '../support/n8nEngine';
import { type UsedService, useService } from '../support/useService';

const service: UsedService = useService(({ method }) =>
	method === 'POST' ? { body: { signedUrl: `${service.url}/up/a.wav?sig=1` } } : {},
);

async function recording(): Promise<INodeExecutionData> {
	return { json: {}, binary: { data: await storeFile(Buffer.from('talk'), 'a.wav', 'audio/wav') } };
}

/** Returns the answer to an agent of version 3 whose item has a recording. */
async function answerFor(parameters = {}): Promise<string> {
	const items = [await recording()];
	const call = { tool: 'upload', input: { field: 'data' } };
	const { answers } = await runAgent(service, [{ type: 'upload', parameters }], [[call]], {
		items,
	});
	return answers.join();
}

const WAY_OUT =
	/an agent cannot pass files to its tools.*public URL, give the URL to Create Edit.*expression/;

describe.each(['filesystem', 'default'] as const)('Upload as a tool, binaries in %s', (mode) => {
	beforeAll(async () => await startEngine(mode));

	it.each([
		"={{ $('Input').item.binary.data }}",
		"={{ $('Input').item.binary[$fromAI('field')] }}",
	])('uploads the file of the expression %s', async (binaryPropertyName) => {
		const [answer] = JSON.parse(await answerFor({ binaryPropertyName })) as object[];
		expect(answer).toMatchObject({ fileUrl: `${service.url}/up/a.wav`, sizeBytes: 4 });
		const sent = service.seen.map(({ method, body }) => [method, body]);
		expect(sent).toEqual([
			['POST', ''],
			['PUT', 'talk'],
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
		const items = [await recording()];
		const [answer] = await callAsTool(service, { nodeName: 'upload', parameters: {}, items });
		expect(answer).toMatch(WAY_OUT);
		expect(service.seen).toEqual([]);
	});
});
