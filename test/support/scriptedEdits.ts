import type { INodeParameters, IRun } from 'n8n-workflow';

import { itemsOf } from './n8nEngine';
import type { Answer, Reply } from './scriptedService';
import { type UsedService, useService } from './useService';
import { type NodeSpec, chain, runChain } from './workflows';

/** What answers the first, second … request at each path; the last response of a list repeats. */
type EditScript = Record<string, Reply[] | ((number: number) => Reply)>;

/** A scripted service for the nodes that take an edit id, and a way to run one of them. */
export interface ScriptedEdits {
	readonly service: UsedService;
	script: EditScript;
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

const MISSING = [{ status: 404, body: { detail: 'Not Found' } }];

/** Starts a scripted service for the tests of a file and stops it after them. */
export function useScriptedEdits(): ScriptedEdits {
	const service = useService(({ path }, number) => {
		const replies = edits.script[path.split('?')[0]] ?? MISSING;
		if (typeof replies === 'function') return replies(number);
		return replies[Math.min(number, replies.length) - 1];
	});
	const edits: ScriptedEdits = {
		service,
		script: {},
		run: async (type, editIds, parameters = {}, settings = {}) => {
			const items = editIds.map((editId) => ({
				json: { editId: editId as string, sourceFileName: `${editId}.wav` },
			}));
			const run = await runChain(service, chain({ type, parameters, settings }), items);
			return { run, out: itemsOf(run, type), error: run.data.resultData.error };
		},
	};
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
