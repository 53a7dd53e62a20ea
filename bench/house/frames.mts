/** How many calls lie between a node's execute() and n8n's HTTP helper, in code that runs. */
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { CreateEdit } from '../../nodes/CreateEdit/CreateEdit.node.ts';
import { GetResult } from '../../nodes/GetResult/GetResult.node.ts';
import { WaitForEdit } from '../../nodes/WaitForEdit/WaitForEdit.node.ts';
import { withFields } from '../../test/support/nodeContext.ts';
import { serviceContext } from '../../test/support/serviceContext.ts';

const EDIT = { task_id: 'a', status: 'SUCCESS', result: { download_url: 'https://x.test/a.mp3' } };

/** What the forms of the measured nodes hold. */
const FIELDS = {
	editId: 'a',
	fileUrls: 'https://files.example.com/a.wav',
	itemsAre: 'recordings',
	configure: 'fields',
	preset: 'enhance',
	whileWaiting: 'keepRunning',
	options: { maximumWaitMinutes: 1 },
	download: [],
};

/** Submitted long ago, so that the first poll is due at once. */
const ITEMS = [{ json: { submittedAt: '2020-01-01T00:00:00Z' } }];

/** The frames of the first request of a run, from the helper's caller up to execute() itself. */
async function framesTo(node: INodeType): Promise<string[]> {
	let frames: string[] = [];
	const { context } = serviceContext({}, moreContext(), ITEMS, (options) => {
		if (frames.length === 0) frames = framesHere();
		return { body: options.method === 'POST' ? { id: 'a' } : EDIT };
	});
	await node.execute?.call(context);
	return frames;
}

function moreContext(): Partial<IExecuteFunctions> {
	const kept = {};
	return {
		...withFields(FIELDS),
		getContext: () => kept,
		getChildNodes: () => [],
		evaluateExpression: () => 0,
	};
}

function framesHere(): string[] {
	const stack = new Error('here').stack ?? '';
	// Promise.all is not our code, so it is no step for a reader.
	const lines = stack
		.split('\n')
		.filter((line) => line.trim().startsWith('at ') && !line.includes('Promise.all'));
	const start = lines.findLastIndex((line) => line.includes('httpRequestWithAuthentication'));
	const end = lines.findIndex((line) => line.includes('.execute '));
	return end === -1 ? [] : lines.slice(start + 1, end + 1).map((line) => line.trim());
}

/** The frames by the name of the node; none where a promise that nobody awaits hides a part. */
export async function framesByNode(): Promise<Record<string, string[]>> {
	Error.stackTraceLimit = Infinity;
	return {
		Wait: await framesTo(new WaitForEdit()),
		Create: await framesTo(new CreateEdit()),
		'Get Result': await framesTo(new GetResult()),
	};
}
