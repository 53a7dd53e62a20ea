import type { INodeParameters, IRun } from 'n8n-workflow';

import { itemsOf, startEngine } from './n8nEngine';
import { type Answer, type ScriptedService, startScriptedService } from './scriptedService';
import { type NodeSpec, chain, runChain } from './workflows';

/** The responses at each path to the first, second … request; the last one repeats. */
export type Script = Record<string, Answer[]>;

/** A scripted service for the nodes that take an edit id, and a way to run one of them. */
export interface ScriptedEdits {
	/** The service; exists from the first test on. */
	readonly service: ScriptedService;
	script: Script;
	run(
		type: string,
		editIds: unknown[],
		parameters?: INodeParameters,
		settings?: NodeSpec['settings'],
	): Promise<{
		run: IRun;
		out: ReturnType<typeof itemsOf>;
		error: IRun['data']['resultData']['error'];
	}>;
}

/** Starts a scripted service for the tests of a file and stops it after them. */
export function useScriptedEdits(): ScriptedEdits {
	let service: ScriptedService;
	const edits: ScriptedEdits = {
		get service() {
			return service;
		},
		script: {},
		run: async (type, editIds, parameters = {}, settings = {}) => {
			const items = editIds.map((editId) => ({
				json: { editId: editId as string, sourceFileName: `${editId}.wav` },
			}));
			const run = await runChain(service, chain({ type, parameters, settings }), items);
			return { run, out: itemsOf(run, type), error: run.data.resultData.error };
		},
	};
	beforeAll(async () => {
		await startEngine();
		service = await startScriptedService(({ path }, number) => {
			const missing = [{ status: 404, body: { detail: 'Not Found' } }];
			const answers = edits.script[path.split('?')[0]] ?? missing;
			return answers[Math.min(number, answers.length) - 1];
		});
	});
	beforeEach(() => {
		service.seen.length = 0;
	});
	afterAll(async () => {
		await service.stop();
	});
	return edits;
}

/** Returns the service's response for an edit in a status. */
export function status(taskId: string, name: string, result?: unknown): Answer {
	return { body: { task_id: taskId, status: name, ...(result !== undefined && { result }) } };
}

/** Returns the service's response for a finished edit. */
export function finished(taskId: string, serviceUrl: string): Answer {
	return status(taskId, 'SUCCESS', {
		video: false,
		filename: 'episode-edited.mp3',
		download_url: `${serviceUrl}/download/${taskId}?signature=link-secret`,
		statistics: { DEADAIR: 3 },
		transcription: null,
		summarization: null,
		social_content: [],
		merged_audio_url: [],
		timestamps_markers_urls: [],
		waveform_result: [],
	});
}
