import type { INodeParameters } from 'n8n-workflow';

import type { Answer, Reply } from './fake/scriptedService';
import { type NodeEnd, type UsedService, runOne, useService } from './useService';
import type { NodeSpec } from '../n8n/workflows';

/** What answers the first, second … request at each path; the last response of a list repeats. */
type EditScript = Record<string, Reply[] | ((number: number) => Reply)>;

const MISSING = [{ status: 404, body: { detail: 'Not Found' } }];

/**
 * Starts a scripted service for the nodes that take an edit id, for the tests of a file, and stops it after
 * them. Returns it with a way to run one of the nodes.
 */
export function useScriptedEdits() {
	const service: UsedService = useService(({ path }, number) => {
		const replies = edits.script[path.split('?')[0]] ?? MISSING;
		if (typeof replies === 'function') return replies(number);
		return replies[Math.min(number, replies.length) - 1];
	});
	const none: EditScript = {};
	const edits = {
		service,
		script: none,
		run: async (
			type: string,
			editIds: unknown[],
			parameters?: INodeParameters,
			settings?: NodeSpec['settings'],
		): Promise<NodeEnd> => {
			const items = editIds.map((editId) => ({
				json: { editId: editId as string, sourceFileName: `${editId}.wav` },
			}));
			return await runOne(service, type, parameters, items, { settings });
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
		filename: 'episode-edited.mp3',
		download_url: `${serviceUrl}/download/${taskId}?signature=link-secret`,
	});
}
