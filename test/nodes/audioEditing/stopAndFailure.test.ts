import type { INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { callAsTool } from '../../support/callAsTool';
import { systemTime } from '../../support/leapingTime';
import { itemsOf, type LogLine, storeFile } from '../../support/n8nEngine';
import { type RecordingService, useRecordingService } from '../../support/recordingService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const NODE = 'audioEditing';

let runs = 0;

const service = useRecordingService();

const itemOf = (name: string): INodeExecutionData => ({
	json: { fileUrl: `https://files.example.com/${name}` },
});

interface Execution {
	readonly parameters?: INodeParameters;
	readonly options?: INodeParameters;
	readonly settings?: NodeSpec['settings'];
	readonly stopAfterSeconds?: number;
}

async function edit(
	names: ReadonlyArray<string | INodeExecutionData>,
	{ parameters: more = {}, options = {}, settings, stopAfterSeconds }: Execution,
): Promise<IRun & { log: string }> {
	const log: LogLine[] = [];
	const access = { url: service.url, apiKey: `kept-${++runs}` };
	const parameters = { recordingFrom: 'url', options, ...more };
	const items = names.map((name) => (typeof name === 'string' ? itemOf(name) : name));
	const workflow = chain({ type: NODE, parameters, settings });
	const run = await runChain(access, workflow, items, {
		onLog: (line) => log.push(line),
		onStart: (stop) => {
			if (stopAfterSeconds === undefined) return;
			void service
				.begun()
				.then(async () => await systemTime.sleep(stopAfterSeconds * 1_000))
				.then(stop);
		},
	});
	// A stopped execution does not wait for its node.
	if (stopAfterSeconds !== undefined) await systemTime.sleep(120_000);
	return { ...run, log: log.map(({ message }) => message).join('\n') };
}

/** Answers a submission of these files, by name, instead of the service. */
function answerSubmissions(answers: Record<string, ReturnType<RecordingService['fault']>>): void {
	service.fault = ({ path, body }) => {
		const name = Object.keys(answers).find((one) => body.includes(one));
		return path === '/v2/edits' && name !== undefined ? answers[name] : undefined;
	};
}

describe('a submission without a usable response', () => {
	it('is named by its file when another item ends the node', async () => {
		answerSubmissions({ 'a.wav': { status: 422 }, 'b.wav': { cut: true } });
		const { error } = (await edit(['a.wav', 'b.wav'], {})).data.resultData;
		expect(error?.message).toContain("'a.wav'");
		expect(error?.description).toContain(
			'The edits of b.wav may be charged, too: the service did not send a usable response. Look at your recent edits at the service.',
		);
	});

	it('is not named twice when it ends the node', async () => {
		answerSubmissions({ 'b.wav': { cut: true } });
		const { error } = (await edit(['b.wav'], {})).data.resultData;
		expect(error?.message).toContain("'b.wav'");
		expect(error?.description).not.toContain('may be charged, too');
	});

	it('is logged after Stop, also if Stop deletes the edits', async () => {
		answerSubmissions({ 'b.wav': { cut: true } });
		service.seconds['a.wav'] = 900;
		const { log } = await edit(['a.wav', 'b.wav'], {
			options: { whenStopped: 'delete' },
			settings: { onError: 'continueRegularOutput' },
			stopAfterSeconds: 100,
		});
		expect(service.deleted).toEqual(['edit-1']);
		expect(log).toContain('was stopped while 1 edit(s) were being submitted');
	});
});

it('names the edits that were accepted while a failure ended the node', async () => {
	answerSubmissions({ 'a.wav': { status: 422 } });
	const { error } = (await edit(['a.wav', 'b.wav', 'c.wav', 'd.wav'], {})).data.resultData;
	expect(service.charged).toHaveLength(3);
	expect(error?.description).toMatch(
		/Created in this run, and charged: edit-\d, edit-\d, edit-\d\. n8n's log/,
	);
});

it('names the edits that an earlier round of a loop created', async () => {
	Object.assign(service.seconds, { 'a.wav': 900, 'broken.wav': 300 });
	const parameters = { maximumWaitMinutes: 2, whenTimeIsUp: 'passOn' };
	const unfinished = itemsOf(await edit(['a.wav', 'broken.wav'], { parameters }), NODE);
	const { error } = (await edit(unfinished, {})).data.resultData;
	const [goesOn, broken] = unfinished.map(({ json }) => json.editId);
	expect(error?.message).toContain(`Edit ${broken} ended with status FAILURE`);
	expect(error?.description).toContain(`Created before this run, and charged: ${goesOn}.`);
});

describe('a batch of files', () => {
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
});
