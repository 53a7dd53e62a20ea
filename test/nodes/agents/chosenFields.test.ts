import { type IDataObject, type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { runAgent } from '../../../testkit/n8n/agentRun';
import { fullResult } from '../../../testkit/service/fullResult';
import { OUR_NODES, versionOf } from '../../../testkit/n8n/ourNodes';
import { OUR_TOOLS } from '../../../testkit/n8n/toolTypes';
import { type UsedService, useService } from '../../../testkit/service/useService';

const FILE = 'https://files.example.com/a.wav';

const SELECTED = { output: 'selected', fieldsToInclude: ['chapters', 'cutsText'] };

/** The nodes whose tool has 'Output', and what it needs besides. */
const TOOLS: Array<[type: string, INodeParameters]> = [
	['audioEditing', { fileUrls: FILE, download: [] }],
	['getResult', { editId: 'a', download: [] }],
	['waitForEdit', { editId: 'a' }],
];

/** What some services send back of the request, and names that our nodes use, too. */
const ECHO = {
	config: { signed_url: 'https://bucket.example.com/up.wav?X-Amz-Signature=s3cret' },
	input: { files: ['https://me:s3cret@files.example.com/a.wav?sig=s3cret'] },
	message: 'read https://files.example.com/a.wav?sig=s3cret and stored it',
	finished: 'no',
	sourceFileName: 'theirs.wav',
	editId: 'theirs',
};

const service: UsedService = useService(({ method }) => {
	if (method === 'POST') return { body: { id: 'a' } };
	return { body: { ...ECHO, task_id: 'a', status: 'SUCCESS', result: fullResult(service.url) } };
});

/** What the model reads of the finished edit. */
async function answerOf(type: string, parameters: INodeParameters): Promise<IDataObject> {
	const items = [{ json: { sourceFileName: 'a.wav' } }];
	const tools = [{ type, parameters }];
	const { answers } = await runAgent(service, tools, [[{ tool: type }]], { items });
	return (JSON.parse(answers[0]) as IDataObject[])[0];
}

describe.each(TOOLS)('the output of %s to an agent', (type, parameters) => {
	it('is simplified by default', async () => {
		const answer = await answerOf(type, parameters);
		const editedFileName = 'episode 12.mp3';
		expect(answer).toMatchObject({ editId: 'a', status: 'SUCCESS', editedFileName });
		// Get Result has the texts of an edit that was waited for.
		if (type !== 'waitForEdit') {
			expect(answer).toMatchObject({
				title: 'Bread & Time',
				summary: 'Maria Jones on slow bread.',
				cutsText: '12 fillers, 7 breaths, 3 long silences, 1 mouth sound',
			});
		}
		expect(answer).not.toHaveProperty('result');
	});

	it('is raw without the secrets of the request, with the links of the result', async () => {
		const answer = await answerOf(type, { ...parameters, output: 'raw' });
		expect(answer).toMatchObject({
			config: { signed_url: 'https://bucket.example.com/up.wav' },
			input: { files: ['https://files.example.com/a.wav'] },
			message: 'read https://files.example.com/a.wav and stored it',
			result: { download_url: fullResult(service.url).download_url },
		});
		expect(JSON.stringify(answer)).not.toContain('s3cret');
		// What the node itself adds wins over the service's fields of these names.
		expect(answer).toMatchObject({ editId: 'a', sourceFileName: 'a.wav' });
		if (type !== 'getResult') expect(answer.finished).toBe(true);
	});

	it('refuses a field that an edit does not have before the first request', async () => {
		const asked = { ...parameters, ...SELECTED, fieldsToInclude: ['chapters', 'price'] };
		const tools = [{ type, parameters: asked }];
		const { answers } = await runAgent(service, tools, [[{ tool: type }]]);
		expect(answers[0]).toMatch(/'Fields to Include' has no option.*price.*Nothing was sent/);
		expect(service.seen).toEqual([]);
	});
});

describe.each(TOOLS)('the fields of an edit in the output of %s', (type, parameters) => {
	it('has only the selected fields of the edit, and its ID', async () => {
		const answer = await answerOf(type, { ...parameters, ...SELECTED });
		expect(answer).toMatchObject({
			editId: 'a',
			cutsText: '12 fillers, 7 breaths, 3 long silences, 1 mouth sound',
			chapters: [{ title: 'Welcome' }, { title: 'Patience' }],
		});
		for (const field of ['links', 'title', 'summary', 'transcript', 'result'])
			expect(answer).not.toHaveProperty(field);
	});

	it('is chosen in a field that only tools have; workflows have Simplify', () => {
		const saved = { output: 'selected', advanced: { simplify: false } };
		const shown = (node: { description: (typeof OUR_NODES)[string]['description'] }) => {
			const { advanced, ...fields } =
				NodeHelpers.getNodeParameters(
					node.description.properties,
					saved,
					true,
					false,
					{ typeVersion: versionOf(type) },
					node.description,
				) ?? {};
			return Object.keys({ ...fields, ...(advanced as INodeParameters) }).filter((name) =>
				['simplify', 'output', 'fieldsToInclude'].includes(name),
			);
		};
		expect(shown(OUR_NODES[`n8n-nodes-audio-editing.${type}`])).toEqual(['simplify']);
		expect(shown(OUR_TOOLS[`n8n-nodes-audio-editing.${type}Tool`])).toEqual([
			'output',
			'fieldsToInclude',
		]);
	});
});
