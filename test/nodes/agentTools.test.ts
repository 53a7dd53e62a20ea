import { runAgent } from '../support/agentRun';
import { callAsTool } from '../support/callAsTool';
import { FILE, useScriptedSubmissions } from '../support/scriptedSubmissions';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const submissions = useScriptedSubmissions();

/** A part of the request that differs with each try. */
const DIFFERS = { signed_url: '=https://b.example.com/x?t={{ $now.toMillis() + Math.random() }}' };

const TOOL = {
	type: 'createEdit',
	parameters: {
		fileUrls: "={{ $fromAI('fileUrl') }}",
		preset: "={{ $fromAI('preset') }}",
		...DIFFERS,
	},
};

const order = (fileUrl = FILE, preset = 'enhance') => ({
	tool: 'createEdit',
	input: { fileUrl, preset },
});

const editIds = (answers: readonly string[]) =>
	answers.map((answer) => (JSON.parse(answer) as Array<{ editId?: string }>)[0].editId);

describe('Create Edit as a tool of an AI Agent of version 3', () => {
	it('does not resend an edit that may have been accepted', async () => {
		submissions.service.answer = () => ({ status: 500, body: { detail: 'down' } });
		const { answers } = await runAgent(submissions.service, [TOOL], [[order()], [order()]]);
		expect(submissions.service.seen).toHaveLength(1);
		expect(answers).toHaveLength(2);
		expect(answers[0]).toMatch(/may have accepted the edit.*Look at your recent edits before/);
		expect(answers[1]).toMatch(/not sent again.*recent edits at the service/);
	});

	it('answers a repeated call with the first edit', async () => {
		const { answers } = await runAgent(submissions.service, [TOOL], [[order()], [order()]]);
		expect(submissions.service.seen).toHaveLength(1);
		expect(editIds(answers)).toEqual(['edit-1', 'edit-1']);
	});

	it('answers the same call twice in one turn with one edit', async () => {
		const { answers } = await runAgent(submissions.service, [TOOL], [[order(), order()]]);
		expect(submissions.service.seen).toHaveLength(1);
		expect(editIds(answers)).toEqual(['edit-1', 'edit-1']);
	});

	it('creates an edit for each file and each preset', async () => {
		const calls = [order(), order(`${FILE}?2`), order(FILE, 'fullEdit')];
		const { answers } = await runAgent(submissions.service, [TOOL], [calls]);
		expect(submissions.service.seen).toHaveLength(3);
		expect(editIds(answers)).toEqual(['edit-1', 'edit-2', 'edit-3']);
	});

	it('submits once with Retry On Fail and repeated calls', async () => {
		submissions.service.answer = () => ({ cut: true });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const tool = { ...TOOL, settings };
		const { answers } = await runAgent(submissions.service, [tool], [[order()], [order()]]);
		expect(submissions.service.seen).toHaveLength(1);
		expect(answers[1]).toMatch(/not sent again/);
	});

	it('puts everything into the message when On Error is set to continue', async () => {
		submissions.service.answer = () => ({ status: 500 });
		const tool = { ...TOOL, settings: { onError: 'continueRegularOutput' as const } };
		const { answers } = await runAgent(submissions.service, [tool], [[order()]]);
		expect(answers[0]).toMatch(/may have accepted the edit.*Look at your recent edits before/);
	});

	it('creates the edit when the model corrects a refused call', async () => {
		const { answers } = await runAgent(submissions.service, [TOOL], [[order('no url')], [order()]]);
		expect(submissions.service.seen).toHaveLength(1);
		expect(answers[0]).toMatch(/'File URLs'.*Nothing was sent/);
		expect(editIds(answers.slice(1))).toEqual(['edit-1']);
	});
});

describe('Create Edit as a tool of an agent before version 3', () => {
	const calls = (maxTries: number) => ({
		nodeName: 'createEdit',
		parameters: { fileUrls: FILE, ...DIFFERS },
		maxTries,
		inputs: [{}, {}],
	});

	it('does not resend an edit that may have been accepted', async () => {
		submissions.service.answer = () => ({ status: 500, body: { detail: 'down' } });
		const answers = await callAsTool(submissions.service, calls(5));
		expect(submissions.service.seen).toHaveLength(1);
		for (const answer of answers) {
			expect(answer).toMatch(/not sent again.*recent edits at the service/);
			expect(answer.match(/recent edits at the service/g)).toHaveLength(1);
		}
	});

	it('answers a repeated call with the first edit', async () => {
		const answers = await callAsTool(submissions.service, calls(1));
		expect(submissions.service.seen).toHaveLength(1);
		for (const answer of answers) expect(answer).toContain('edit-1');
	});

	it('creates one edit of two equal calls in one turn', async () => {
		const answers = await callAsTool(submissions.service, { ...calls(1), atOnce: true });
		expect(submissions.service.seen).toHaveLength(1);
		const [refused, made] = answers.sort();
		expect(made).toContain('edit-1');
		expect(refused).toMatch(/not sent again.*interrupted, or is still under way/);
	});

	it('is a tool under any type name', async () => {
		await callAsTool(submissions.service, { ...calls(1), type: 'test.other' });
		expect(submissions.service.seen).toHaveLength(1);
	});
});
