import type { INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { systemTime } from '../support/leapingTime';
import { type LogLine, itemsOf } from '../support/n8nEngine';
import { type RecordingService, useRecordingService } from '../support/recordingService';
import { type NodeSpec, chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const NODE = 'audioEditing';

// What trials of `npm run bench -- pipeline` found lost.
const service = useRecordingService();
let runs = 0;

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
		expect(error?.description).not.toContain('May be charged, too');
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
