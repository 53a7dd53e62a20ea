import { parse } from 'flatted';
import type { INode } from 'n8n-workflow';

import { eventually } from '../../test/support/eventually.mts';
import type { SeenRequest } from '../../test/support/scriptedService.ts';
import type { Host } from './host.mts';
import { type Link, START, code, ours } from './nodes.mts';
import type { Editor, Execution, NewWorkflow } from './pages/editor.mts';

/** Parameters with which our nodes neither wait nor download. */
const QUICK: Readonly<Record<string, INode['parameters']>> = {
	getResult: { download: [] },
	waitForEdit: { options: { firstPollDelaySeconds: 0 } },
};

/** Returns one of our nodes that takes no time, named after its type. */
export function quick(type: string, more: Partial<INode> = {}): Link {
	return ours(type, { parameters: QUICK[type] ?? {}, ...more });
}

/** Returns items with these names, each with all that our nodes read: a file, a URL, an edit ID. */
export function recordings(names: readonly string[]): Link {
	const items = names.map((name) => ({
		json: {
			name,
			sourceFileName: `${name}.wav`,
			fileUrl: `https://files.example.com/${name}.wav`,
			editId: `edit-${name}`,
		},
		binary: { data: { data: 'UklGRg==', mimeType: 'audio/wav', fileName: `${name}.wav` } },
	}));
	return code('Recordings', `return ${JSON.stringify(items)};`);
}

/** Runs a workflow to its end. */
export async function ranTo(editor: Editor, workflow: NewWorkflow) {
	const id = await editor.createWorkflow(workflow);
	const executionId = await editor.run(id, START.name);
	return { id, execution: await ended(editor, executionId) };
}

/** Returns an execution that has ended. n8n 1.x reports its end shortly before storing its data. */
export async function ended(editor: Editor, executionId: string): Promise<Execution> {
	return await eventually(`execution ${executionId} has its data`, async () => {
		const execution = await editor.reached(executionId);
		return parse(execution.data) === undefined ? undefined : execution;
	});
}

/** Starts a service that refuses everything named bad. An edit's id names the file it was created from. */
export async function startPicky({ scripted }: Host) {
	const picky = await scripted((request) => {
		const { method, path, body } = request;
		const task_id = path.split('/').at(-1);
		const result = { filename: 'a.wav', download_url: 'https://files.example.com/a.wav' };
		const isBad = isAboutBad(request);
		if (method === 'GET' && isBad) return { body: { task_id, status: 'FAILURE' } };
		if (method === 'GET') return { body: { task_id, status: 'SUCCESS', result } };
		if (isBad) return { status: 422, body: { detail: 'not this one' } };
		if (path.startsWith('/v2/upload')) return { body: { signedUrl: `${picky.url}/store?s=1` } };
		return { body: { id: `edit-of-${fileNamedIn(body)}` } };
	});
	return picky;
}

/** Whether a request concerns something named bad. */
export function isAboutBad({ path, body }: SeenRequest): boolean {
	return `${path} ${body}`.includes('bad');
}

/** Returns the file named in a submission, without its extension. */
export function fileNamedIn(body: string): string {
	return /(\w+)\.wav/.exec(body)?.[1] ?? '';
}
