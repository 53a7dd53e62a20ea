import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { waitForEdits } from '../../nodes/WaitForEdit/execute';
import { withFields } from './nodeContext';
import type { Answer } from '../service/fake/scriptedService';
import { serviceContext } from './serviceContext';

const RESULT = { filename: 'a.mp3', download_url: 'https://files.example.com/a' };

/** Returns the response for an edit in this status. */
export const inStatus = (status: string, result: object = RESULT): Answer => ({
	body: { task_id: 'x', status, ...((status === 'SUCCESS' || result !== RESULT) && { result }) },
});

/** Returns the response to the first, second … request of each method for an edit. */
export type Replies = (editId: string, number: number, method: string) => Answer;

/** Returns the responses for edits that go through these statuses; the last one repeats. */
export const living =
	(lives: Record<string, readonly string[]>): Replies =>
	(editId, number) =>
		inStatus(lives[editId][Math.min(number, lives[editId].length) - 1]);

/** What differs from a wait with the form's defaults. */
interface Given {
	readonly fields?: Record<string, unknown>;
	/** What each item has besides the ID of its edit. */
	readonly item?: IDataObject;
	readonly more?: Partial<IExecuteFunctions>;
}

/** Prepares Wait For Edit for these edits, in a context without an engine. */
export function waitedEdits(
	editIds: readonly string[],
	replies: Replies,
	{ fields, item, more }: Given = {},
) {
	const items: INodeExecutionData[] = editIds.map((editId) => ({ json: { editId, ...item } }));
	const calls: string[] = [];
	const form = withFields({
		maximumWaitMinutes: 30,
		editId: (itemIndex: number) => editIds[itemIndex],
		...fields,
	});
	const noted = serviceContext({}, { ...form, ...more }, items, ({ method, path }) => {
		const editId = path.split('/').at(-1) ?? '';
		const call = `${method} ${editId}`;
		calls.push(call);
		return replies(editId, calls.filter((other) => other === call).length, method);
	});
	const wait = async () => {
		const waited = (await waitForEdits(noted.context)).flat();
		const runsOn = ({ json }: INodeExecutionData) => json.finished === false && !json.failure;
		return {
			finished: waited.filter((item) => !runsOn(item)),
			stillRunning: waited.filter(runsOn),
		};
	};
	return { ...noted, items, calls, wait };
}
