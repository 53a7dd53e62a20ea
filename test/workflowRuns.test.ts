/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { readFileSync } from 'fs';
import type { INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';
import { join, resolve } from 'path';

import {
	type WorkflowJson,
	itemsOf,
	readFile,
	startEngine,
	storeFile,
} from '../testkit/n8n/n8nEngine';
import { n8nNodes } from '../testkit/n8n/n8nNodes';
import { useProcessedData } from '../testkit/n8n/processedData';
import { startLeapingService } from '../testkit/service/leapingService';
import type { LocalService } from '../testkit/service/localService';
import { OUR_NODES } from '../testkit/n8n/ourNodes';
import { lengthSeconds, makeRecording, wavSeconds } from '../testkit/media/recording';
import {
	type ScriptedService,
	startScriptedService,
} from '../testkit/service/fake/scriptedService';
import { SPOKEN } from '../testkit/media/spoken';
import { runChain } from '../testkit/n8n/workflows';

let service: LocalService;
let recognizer: ScriptedService;

beforeAll(async () => {
	await startEngine();
	recognizer = await startScriptedService(() => ({ body: SPOKEN }));
	const flags = ['--transcription-url', recognizer.url];
	service = await startLeapingService(flags);
});

afterAll(async () => {
	await service.stop();
	await recognizer.stop();
});

/** Returns a workflow as it is after importing, with a credential chosen and some fields changed. */
function imported(file: string, changes: Record<string, INodeParameters> = {}): WorkflowJson {
	const text = readFileSync(join(resolve('workflows'), file), 'utf8');
	const workflow = JSON.parse(text) as WorkflowJson;
	for (const node of workflow.nodes) {
		if (node.type in OUR_NODES) {
			node.credentials = { audioEditingApi: { id: '1', name: 'Audio Editing' } };
		}
		node.parameters = { ...node.parameters, ...changes[node.name] };
	}
	return workflow;
}

/** The input of a workflow: its trigger's items, and the files of its folder. */
interface Found {
	items?: INodeExecutionData[];
	filesOnDisk?: INodeExecutionData[];
}

async function run(workflow: WorkflowJson, { items, filesOnDisk }: Found): Promise<IRun> {
	const nodeTypes = { ...OUR_NODES, ...n8nNodes(filesOnDisk) };
	return await runChain(service, workflow, items, { nodeTypes, workflowId: 'saved' });
}

const PLAN = { partsSeconds: [2, 2, 2] };

async function recording(fileName: string, content = makeRecording(PLAN)) {
	return await storeFile(content, fileName, 'audio/wav');
}

async function lengthOf({ binary }: INodeExecutionData, field = 'data'): Promise<number> {
	const file = binary?.[field];
	if (file === undefined) throw new Error(`no file in ${field}`);
	return wavSeconds(await readFile(file));
}

it('edit-one-recording outputs the edited file and its markers, and deletes the edit', async () => {
	const items = [{ json: {}, binary: { Recording: await recording('talk.wav') } }];
	const result = await run(imported('edit-one-recording.json'), { items });
	const [edited] = itemsOf(result, 'Audio Editing Get Result');
	expect(await lengthOf(edited)).toBeLessThan(lengthSeconds(PLAN) - 1);
	expect(Object.keys(edited.binary ?? {}).length).toBeGreaterThan(1);
	expect(itemsOf(result, 'Audio Editing Delete')[0].json).toEqual({
		deleted: true,
		editId: edited.json.editId,
		sourceFileName: 'talk.wav',
	});
});

it('one-node-episode outputs the edited file and the files for a podcast host', async () => {
	const items = [{ json: { guest: 'Ada' }, binary: { Recording: await recording('talk.wav') } }];
	const result = await run(imported('one-node-episode.json'), { items });
	const [published] = itemsOf(result, 'Publish');
	expect(await lengthOf(published)).toBeLessThan(lengthSeconds(PLAN) - 1);
	expect(Object.keys(published.binary ?? {})).toEqual([
		'data',
		'data_srt',
		'data_chapters_json',
		'data_show_notes_md',
	]);
	expect(published.json).toMatchObject({ guest: 'Ada', edit: { cuts: { longSilences: 1 } } });
});

describe('nightly-batch', () => {
	useProcessedData();

	/** A night: an execution of the saved workflow, with what is in the folder. */
	async function night(names: readonly string[], changes: Record<string, INodeParameters> = {}) {
		const broken = Buffer.from('not a recording');
		const filesOnDisk: INodeExecutionData[] = [];
		for (const fileName of names) {
			const data = await recording(fileName, fileName === 'broken.wav' ? broken : undefined);
			filesOnDisk.push({ json: { fileName }, binary: { data } });
		}
		const result = await run(imported('nightly-batch.json', changes), { filesOnDisk });
		const saved = itemsOf(result, 'Save the edited file').map(({ json }) => json.sourceFileName);
		const [{ json }] = itemsOf(result, 'Send the summary');
		return { saved, summary: json.summary as string };
	}

	it('edits what it can, and reports the rest in one summary', async () => {
		const { saved, summary } = await night(['one.wav', 'broken.wav', 'two.wav']);
		expect(saved).toEqual(['one.wav', 'two.wav']);
		expect(summary.split('\n')).toEqual([
			'2 edited, 0 skipped, 1 failed',
			expect.stringMatching(/^- broken\.wav could not be edited: .* \(edit [0-9a-f-]{36}\)$/),
			expect.stringMatching(/^Credit: \d+ before, \d+ afterwards \(other runs included\)$/),
		]);
	});

	it('edits up to its limit, and the rest in the next night', async () => {
		const files = ['one.wav', 'two.wav', 'three.wav'];
		const { costAndSafety } = imported('nightly-batch.json').nodes.find(
			({ name }) => name === 'Audio Editing',
		)!.parameters;
		const limited = {
			'Audio Editing': { costAndSafety: { ...(costAndSafety as object), mostEdits: 2 } },
		};
		const first = await night(files, limited);
		expect(first.saved).toHaveLength(2);
		expect(first.summary).toContain('2 edited, 1 skipped (1 over limit), 0 failed');
		const second = await night(files, limited);
		expect(second.summary).toContain('1 edited, 2 skipped (2 edited before), 0 failed');
		expect([...first.saved, ...second.saved].sort()).toEqual([...files].sort());
	});
});

it('multi-track-episode cuts where both are silent and merges the tracks', async () => {
	const binary = { Host: await recording('host.wav'), Guest: await recording('guest.wav') };
	const items = [{ json: {}, binary }];
	const result = await run(imported('multi-track-episode.json'), { items });
	expect(itemsOf(result, 'Audio Editing Create Edit')).toHaveLength(1);
	const [edited] = itemsOf(result, 'Audio Editing Get Result');
	expect(await lengthOf(edited)).toBeLessThan(lengthSeconds(PLAN) - 1);
	expect(edited.binary?.data.fileName).toMatch(/^host-edited/);
});

it('transcript-and-show-notes makes every file for a podcast host', async () => {
	const items = [{ json: {}, binary: { Recording: await recording('talk.wav') } }];
	const result = await run(imported('transcript-and-show-notes.json'), { items });
	const { binary = {}, json } = itemsOf(result, 'Publish')[0];
	const types = Object.entries(binary).map(([field, { mimeType }]) => [field, mimeType]);
	expect(Object.fromEntries(types)).toEqual({
		data: 'audio/wav',
		data_srt: 'application/x-subrip',
		data_vtt: 'text/vtt',
		data_transcript_txt: 'text/plain',
		data_chapters_json: 'application/json+chapters',
		data_chapters_txt: 'text/plain',
		data_show_notes_md: 'text/markdown',
		data_show_notes_html: 'text/html',
		data_newsletter_md: 'text/markdown',
		data_linkedin_txt: 'text/plain',
		data_thread_txt: 'text/plain',
	});
	expect((await readFile(binary.data_vtt)).toString()).toMatch(
		/^WEBVTT\n[^]*Podcasts are made of words/,
	);
	expect(json.transcript).toContain('Podcasts are made of words');
});
