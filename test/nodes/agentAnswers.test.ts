import { type ToolCall, runAgent } from '../support/agentRun';
import { callAsTool } from '../support/callAsTool';
import { groupedFormats } from '../support/grouped';
import { useService } from '../support/useService';
import type { NodeSpec } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const TEXT = 'word '.repeat(20_000);

const WORDS = TEXT.trim()
	.split(' ')
	.map((text, id) => ({ id, text, start: id, end: id + 1 }));

const LINK = 'http://127.0.0.1:9/a';

const RESULT = {
	filename: 'a.mp3',
	download_url: `${LINK}.mp3`,
	merged_audio_url: [`${LINK}-merged.mp3`],
	timestamps_markers_urls: [`${LINK}.csv`],
	transcription: { paragraphs: [{ id: 0, start: 0, end: 9, text: TEXT }], words: WORDS },
};

const EDITS: Record<string, object> = {
	done: { status: 'SUCCESS', result: RESULT },
	running: { status: 'EDITING' },
};

const CONFIGURATIONS = Array.from({ length: 300 }, (_entry, id) => ({
	id,
	name: `Template ${id}`,
	upload_type: 'singletrack',
}));

/** Polls at once, and soon stops waiting. */
const SOON = { options: { firstPollDelaySeconds: 0 }, maximumWaitMinutes: 0.2 };

const service = useService(({ path }) => {
	if (path === '/v2/configurations') return { body: { configurations: CONFIGURATIONS } };
	const id = path.split('/').at(-1) ?? '';
	return id in EDITS ? { body: { task_id: id, ...EDITS[id] } } : { status: 404 };
});

/** Returns the answers to agents of both kinds, version 3 first. */
async function answersOf(type: string, parameters: NodeSpec['parameters'] = {}): Promise<string[]> {
	const call: ToolCall = { tool: type };
	const { answers } = await runAgent(service, [{ type, parameters }], [[call]]);
	const older = await callAsTool(service, { nodeName: type, parameters });
	return [...answers, ...older.map((answer) => JSON.parse(answer) as string)];
}

describe('an agent receives only the beginning of', () => {
	it.each([
		['long texts', {}, `${TEXT.length} characters in all`],
		['raw words', { output: 'raw' }, '20000 entries in all'],
		['subtitles', { ...groupedFormats(['subtitlesSrt']) }, 'characters in all'],
		[
			'subtitles as files',
			{ ...groupedFormats(['subtitlesSrt']), returnAs: 'files' },
			'subtitlesSrt',
		],
	])('%s of Get Result', async (_what, parameters, cut) => {
		for (const answer of await answersOf('getResult', { editId: 'done', ...parameters })) {
			expect(answer.length).toBeLessThan(20_000);
			expect(answer).toContain(cut);
		}
	});

	it('a raw response of Wait For Edit', async () => {
		const parameters = { editId: 'done', output: 'raw', ...SOON };
		for (const answer of await answersOf('waitForEdit', parameters)) {
			expect(answer.length).toBeLessThan(20_000);
			expect(answer).toContain('20000 entries in all');
		}
	});

	it('the templates of Account', async () => {
		const parameters = { resource: 'configuration', operation: 'getAll', returnAll: true };
		for (const answer of await answersOf('account', parameters)) {
			expect(answer).toContain('Template 49');
			expect(answer).not.toContain('Template 50');
			expect(answer).toContain('300 entries in all');
		}
	});
});

describe('Get Result as a tool', () => {
	it('returns links and downloads nothing', async () => {
		const parameters = { editId: 'done', download: ['edited', 'merged', 'markers'] };
		for (const answer of await answersOf('getResult', parameters)) {
			expect(answer).toContain(RESULT.download_url);
			expect(answer).toContain(RESULT.merged_audio_url[0]);
			expect(answer).toContain(RESULT.timestamps_markers_urls[0]);
		}
		expect(service.seen.map(({ path }) => path)).toEqual(['/v2/edits/done', '/v2/edits/done']);
	});

	it('says in the message what to do about an edit that is still running', async () => {
		for (const answer of await answersOf('getResult', { editId: 'running' })) {
			expect(answer).toMatch(/not finished yet: its status is EDITING/);
		}
	});
});

describe('Wait For Edit as a tool', () => {
	it.each(['keepRunning', 'handOver', 'park'])('waits for the edit with %s', async (mode) => {
		const parameters = { editId: 'done', whileWaiting: mode, ...SOON };
		for (const answer of await answersOf('waitForEdit', parameters)) {
			const [edit] = JSON.parse(answer) as object[];
			expect(edit).toMatchObject({ editId: 'done', status: 'SUCCESS', finished: true });
		}
	});

	it.each(['handOver', 'park'])('answers that the edit is still running with %s', async (mode) => {
		const parameters = { editId: 'running', whileWaiting: mode, ...SOON };
		for (const answer of await answersOf('waitForEdit', parameters)) {
			const [edit] = JSON.parse(answer) as object[];
			expect(edit).toMatchObject({ editId: 'running', status: 'EDITING', finished: false });
		}
	});

	it('fails with the edit and its status when the time is up with Keep Running', async () => {
		const parameters = { editId: 'running', ...SOON };
		for (const answer of await answersOf('waitForEdit', parameters)) {
			expect(answer).toMatch(/Edit running did not finish in time: its status was still EDITING/);
			expect(answer).toContain('Fetch it later with a Get Result node and the ID running');
		}
	});

	it('neither parks the agent nor changes its input', async () => {
		const parameters = { editId: 'done', whileWaiting: 'park', ...SOON };
		const items = [{ json: { question: 'Is it done?' } }];
		const call = { tool: 'waitForEdit' };
		const tools = [{ type: 'waitForEdit', parameters }];
		const { run, answers } = await runAgent(service, tools, [[call]], { items });
		expect(run).toMatchObject({ status: 'success', finished: true });
		expect(run.waitTill).toBeUndefined();
		expect(answers).toHaveLength(1);
		const [agent] = run.data.resultData.runData.agent;
		expect(agent.data?.main[0]).toEqual([expect.objectContaining({ json: { output: 'done' } })]);
	});
});
