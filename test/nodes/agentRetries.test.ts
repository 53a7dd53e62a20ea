import { type INodeParameters } from 'n8n-workflow';

import { runAgent } from '../support/agentRun';
import { callAsTool } from '../support/callAsTool';
import { FILE, useScriptedSubmissions } from '../support/scriptedSubmissions';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));
const submissions = useScriptedSubmissions();

describe('an agent, and a request that differs with each try', () => {
	const parameters: INodeParameters = {
		fileUrls: FILE,
		signed_url: '=https://b.example.com/x?t={{ $now.toMillis() + Math.random() }}',
	};
	const call = [{ tool: 'createEdit' }];

	it('before version 3 does not retry a 500 with Retry On Fail', async () => {
		submissions.service.answer = () => ({ status: 500 });
		const { service } = submissions;
		await callAsTool(service, { nodeName: 'createEdit', parameters, maxTries: 3 });
		expect(service.seen.length).toBe(1);
	});

	it('of version 3 does not submit again when the model repeats its call after a 500', async () => {
		submissions.service.answer = () => ({ status: 500 });
		await runAgent(submissions.service, [{ type: 'createEdit', parameters }], [call, call]);
		expect(submissions.service.seen.length).toBe(1);
	});

	it('of version 3 does not submit again when the model repeats its call after a success', async () => {
		await runAgent(submissions.service, [{ type: 'createEdit', parameters }], [call, call]);
		expect(submissions.service.seen.length).toBe(1);
	});
});
