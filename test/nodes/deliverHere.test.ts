import { type IRun, type IRunExecutionData, createRunExecutionData } from 'n8n-workflow';

import { itemsOf } from '../support/n8nEngine';
import { useScriptedSubmissions } from '../support/scriptedSubmissions';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/scaledTime'));

const submissions = useScriptedSubmissions();

describe('Deliver to This Workflow', () => {
	const workflow = chain({ type: 'createEdit', parameters: { deliverHere: true } });
	const create = async (editIds: string[], resumeFrom?: IRunExecutionData) => {
		const items = editIds.map((name) => ({
			json: { fileUrl: `https://f.example.com/${name}.wav` },
		}));
		return await runChain(submissions.service, workflow, items, { resumeFrom });
	};
	const hintsOf = (run: IRun) => run.data.resultData.runData.createEdit[0].hints;

	it('gives the service the address of the execution, and shows it without its signature', async () => {
		const run = await create(['a']);
		const sent = JSON.parse(submissions.service.seen[0].body) as {
			input: { config: { signed_url: string } };
		};
		expect(sent.input.config.signed_url).toMatch(/\/webhook-waiting\/7\?signature=.+/);
		const { config } = itemsOf(run, 'createEdit')[0].json as { config: { signed_url: string } };
		expect(config.signed_url).toMatch(/\/webhook-waiting\/7$/);
		expect(hintsOf(run)).toEqual([]);
	});

	it('says where n8n gives an address that is not signed', async () => {
		const [node] = workflow.nodes;
		const start = { node, data: { main: [[{ json: {} }]] }, source: null };
		const unsigned = createRunExecutionData({
			executionData: { nodeExecutionStack: [start] },
			resumeToken: '',
		});
		const run = await create(['a'], unsigned);
		const sent = JSON.parse(submissions.service.seen[0].body) as {
			input: { config: { signed_url: string } };
		};
		expect(sent.input.config.signed_url).toMatch(/\/webhook-waiting\/7$/);
		expect(hintsOf(run)).toEqual([
			expect.objectContaining({ message: expect.stringContaining('does not sign') }),
		]);
	});

	it('refuses more than one edit before anything is sent', async () => {
		const { data } = await create(['a', 'b']);
		expect(data.resultData.error?.message).toMatch(
			/works for one edit in an execution, and there are 2/,
		);
		expect(submissions.service.seen).toEqual([]);
	});
});
