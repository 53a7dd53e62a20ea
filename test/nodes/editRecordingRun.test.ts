import type { INodeExecutionData } from 'n8n-workflow';

import { callAsTool } from '../support/callAsTool';
import { systemTime } from '../support/leapingTime';
import { type LogLine, storeFile } from '../support/n8nEngine';
import { useRecordingService } from '../support/recordingService';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const NODE = 'audioEditing';

const service = useRecordingService();
let runs = 0;

async function fileItems(count: number): Promise<INodeExecutionData[]> {
	return await Promise.all(
		Array.from({ length: count }, async (_, n) => {
			const data = await storeFile(Buffer.from('RIFF'), `r${n}.wav`, 'audio/wav');
			return { json: {}, binary: { data } };
		}),
	);
}

describe('Stop', () => {
	async function stopAfter(seconds: number, options = {}) {
		for (let n = 0; n < 40; n++) service.seconds[`r${n}.wav`] = n < 3 ? 35 : 900;
		const log: LogLine[] = [];
		const access = { url: service.url, apiKey: `stop-${++runs}` };
		let requestsASecondLater = 0;
		const running = runChain(
			access,
			chain({ type: NODE, parameters: { options } }),
			await fileItems(40),
			{
				onLog: (line) => log.push(line),
				onStart: (stop) =>
					void service.begun().then(async () => {
						await systemTime.sleep(seconds * 1_000);
						stop();
						await systemTime.sleep(1_000);
						requestsASecondLater = service.seen.length;
					}),
			},
		);
		const run = await running;
		// A stopped execution does not wait for its node.
		await systemTime.sleep(120_000);
		return { run, log, requestsASecondLater };
	}

	const named = (log: readonly LogLine[], pattern: RegExp) =>
		log
			.filter(({ message }) => pattern.test(message))
			.flatMap(({ message }) => message.match(/edit-\d+/g) ?? []);

	it('ends uploads, submissions and polls, and names the edits that go on', async () => {
		const { run, log, requestsASecondLater } = await stopAfter(100);
		expect(run.status).toBe('canceled');
		expect(service.seen.length).toBe(requestsASecondLater);
		expect(service.charged.length).toBeGreaterThan(20);
		expect(service.charged.length).toBeLessThan(40);
		// Three are edited and fetched by then.
		const going = named(log, /was stopped; these edits keep running/);
		expect(new Set(going).size).toBe(service.charged.length - 3);
	});

	it('deletes the edits that go on if the user chose that', async () => {
		await stopAfter(100, { whenStopped: 'delete' });
		expect(service.deleted.length).toBe(service.charged.length - 3);
	});
});

describe('progress', () => {
	it('says how far the whole batch is', async () => {
		service.fault = ({ path, body }) =>
			path === '/v2/edits' && body.includes('r7.wav') ? { status: 422 } : undefined;
		for (let n = 20; n < 40; n++) service.seconds[`r${n}.wav`] = 400;
		const log: LogLine[] = [];
		const access = { url: service.url, apiKey: `progress-${++runs}` };
		const settings = { onError: 'continueErrorOutput' } as const;
		await runChain(access, chain({ type: NODE, settings }), await fileItems(40), {
			onLog: (line) => log.push(line),
		});
		const lines = log
			.map(({ message }) => message)
			.filter((text) => / of 40 recordings edited/.test(text));
		expect(lines[0]).toMatch(
			/^Audio editing: audioEditing \(execution 7\): 0 of 40 recordings edited after \d+ s \((1 failed, )?\d+ uploading or waiting for the rate limit, \d+ at the service\), the next in 61 s \(rate limit of the API key\)$/,
		);
		expect(lines.at(-1)).toMatch(/: 39 of 40 recordings edited after \d+ s \(1 failed\)$/);
		expect(lines.length).toBeLessThan(25);
	});

	it('counts an item whose form cannot be read as failed', async () => {
		const log: LogLine[] = [];
		const access = { url: service.url, apiKey: `progress-${++runs}` };
		const settings = { onError: 'continueErrorOutput' } as const;
		const items = [{ json: {} }, ...(await fileItems(2))];
		await runChain(access, chain({ type: NODE, settings }), items, {
			onLog: (line) => log.push(line),
		});
		const lines = log
			.map(({ message }) => message)
			.filter((text) => / of 3 recordings edited/.test(text));
		expect(lines.at(-1)).toMatch(/: 2 of 3 recordings edited after \d+ s \(1 failed\)$/);
	});
});

describe("as an agent's tool", () => {
	const tool = (options = {}) => ({
		nodeName: NODE,
		parameters: { fileUrls: "={{ $fromAI('fileUrl', '', 'string') }}", ...options },
	});
	const talk = { fileUrl: 'https://f.example.com/talk.wav' };

	it('takes a URL and returns title, summary and links in one call', async () => {
		const access = { url: service.url, apiKey: `tool-${++runs}` };
		const [answer] = await callAsTool(access, { ...tool(), inputs: [talk] });
		const [told] = JSON.parse(JSON.parse(answer) as string) as object[];
		expect(told).toEqual({
			editId: 'edit-1',
			sourceFileName: 'talk.wav',
			finished: true,
			status: 'SUCCESS',
			fileName: 'talk.wav',
			title: 'About talk.wav',
			summary: 'Short.',
			links: [{ file: 'edited', url: `${service.url}/files/edit-1` }],
		});
		expect(service.seen.filter(({ path }) => path.startsWith('/files/'))).toEqual([]);
	});

	it('reports an unfinished edit to the model if the form sends it to the second output', async () => {
		service.seconds['talk.wav'] = 300;
		const access = { url: service.url, apiKey: `tool-${++runs}` };
		const waits = { maximumWaitMinutes: 2, whenTimeIsUp: 'secondOutput' };
		const [answer] = await callAsTool(access, { ...tool(waits), inputs: [talk] });
		const told = JSON.parse(JSON.parse(answer) as string) as object[];
		expect(told).toMatchObject([{ editId: 'edit-1', finished: false }]);
	});

	it('goes on with the same edit when the model calls it again', async () => {
		service.seconds['talk.wav'] = 300;
		const access = { url: service.url, apiKey: `tool-${++runs}` };
		const waits = { maximumWaitMinutes: 2, whenTimeIsUp: 'passOn' };
		const answers = await callAsTool(access, { ...tool(waits), inputs: [talk, talk, talk] });
		expect(answers[0]).toContain('finished\\":false');
		expect(answers[2]).toContain('finished\\":true');
		expect(service.charged).toEqual(['talk.wav']);
	});
});
