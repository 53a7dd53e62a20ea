import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, readFile, startEngine } from '../../../testkit/n8n/n8nEngine';
import { type NodeSpec, chain, runChain } from '../../../testkit/n8n/workflows';
import { type Dialect } from '../../../testkit/service/fake/dialects';
import { FakeService } from '../../../testkit/service/fake/fakeService';
import { type Answer, startScriptedService } from '../../../testkit/service/fake/scriptedService';
import { startSpeaking } from '../../../testkit/service/fake/speaking';
import { systemTime } from '../../../testkit/time/leapingTime';

const REASON = 'cut: the file has no audio';

const FILES: INodeParameters = { download: ['edited', 'merged', 'markers'] };

/** What Audio Editing must ask for, or it refuses to fetch these files. */
const MAKES_FILES = { export_timestamps: true, audio_for_edl: true };

const WAYS: Record<string, NodeSpec[]> = {
	'the chain': [
		{ type: 'createEdit' },
		{ type: 'waitForEdit' },
		{ type: 'getResult', parameters: FILES },
	],
	'Get Result alone': [{ type: 'createEdit' }, { type: 'getResult', parameters: FILES }],
	'Audio Editing': [
		{ type: 'audioEditing', parameters: { recordingFrom: 'url', ...FILES, ...MAKES_FILES } },
	],
};

/** A service whose edits of `bad.mp4` fail with a reason, and all others end with an edited file and two more. */
async function startFake() {
	const fake = new FakeService(systemTime, {
		lifeOf: (file) => [[0, file === 'bad.mp4' ? 'FAILURE' : 'SUCCESS']],
		resultOf: ({ file }, link) => ({
			filename: file,
			download_url: link,
			merged_audio_url: [`${link}.wav`],
			timestamps_markers_urls: [`${link}.csv`],
		}),
	});
	const service = await startScriptedService((request): Answer => {
		const answer = fake.answer(request);
		const { status } = answer.body as { status?: string };
		if (status !== 'FAILURE') return answer;
		return { body: { ...(answer.body as object), result: { message: REASON } } };
	});
	fake.origin = service.url;
	return service;
}

beforeAll(startEngine);

/** Runs the nodes on a file with a service that speaks a dialect. */
async function run(dialect: Dialect, way: string, file: string) {
	const service = await startFake();
	const speaking = await startSpeaking([dialect], service.url);
	try {
		const specs = WAYS[way];
		const items = [{ json: { fileUrl: `https://files.example.com/${file}` } }];
		const ended = await runChain(speaking, chain(...specs), items);
		const { error } = ended.data.resultData;
		const [out] = error ? [] : itemsOf(ended, specs.at(-1)!.type);
		return { error, out };
	} finally {
		await speaking.stop();
		await service.stop();
	}
}

const LATE: Dialect[] = ['late-result', 'late-object', 'late-list', 'late-text', 'late-null'];
const TEXTS: Dialect[] = ['markers-text', 'markers-object', 'merged-text'];

describe.each(Object.keys(WAYS))('%s', (way) => {
	it.each([...LATE, ...TEXTS])('reads the whole result of a service with %s', async (dialect) => {
		const { error, out } = await run(dialect, way, 'talk.mp4');
		expect(error).toBeUndefined();
		const files = Object.entries(out!.binary ?? {}).map(async ([field, file]) => [
			field,
			(await readFile(file)).toString(),
		]);
		expect(Object.fromEntries((await Promise.all(files)) as [string, string][])).toEqual({
			data: 'edited edit-1',
			data_merged_1: 'edited edit-1.wav',
			data_markers_1: 'edited edit-1.csv',
		});
	});

	it.each(['failure-error', 'failure-detail', 'failure-state', 'failure-job'] as const)(
		'says the reason of a service with %s',
		async (dialect) => {
			const { error } = await run(dialect, way, 'bad.mp4');
			expect(error?.message).toContain(REASON);
		},
	);
});
