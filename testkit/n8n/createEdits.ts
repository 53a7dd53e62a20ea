import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { createEdits } from '../../nodes/CreateEdit/execute';
import { NODE, withFields } from './nodeContext';
import type { Answer } from '../service/fake/scriptedService';
import { serviceContext } from './serviceContext';

const FORM = {
	itemsAre: 'recordings',
	configure: 'fields',
	jobType: 'edit',
	preset: 'none',
};

/** The URL of a public recording. */
export const url = (name: string) => `https://f.example.com/${name}.wav`;

interface Given {
	readonly fields?: Record<string, unknown>;
	/** The `fileUrls` of the items. */
	readonly files?: readonly string[];
	readonly more?: Partial<IExecuteFunctions>;
	/** What the node's context keeps within an execution. */
	readonly kept?: IDataObject;
	readonly runIndex?: number;
	/** One for each request, the last one for all others; an ID where none is given. */
	readonly answers?: ReadonlyArray<Answer | undefined>;
	readonly type?: string;
}

/** Prepares one run of Create Edit, without n8n's engine and without HTTP. */
export function setUpCreateEdit(given: Given = {}) {
	const { fields, files = [url('a')], more, kept = {}, runIndex = 0, answers = [], type } = given;
	const fileUrls = (itemIndex: number) => files[itemIndex];
	const form: Record<string, unknown> = { ...FORM, fileUrls, ...fields };
	const noted = serviceContext(
		{},
		{
			...withFields(form),
			getContext: (type) => (type === 'node' ? kept : {}),
			evaluateExpression: (expression) => (expression === '{{ $runIndex }}' ? runIndex : ''),
			getNode: () => ({
				...NODE,
				type: type ?? NODE.type,
				parameters: form as INodeParameters,
			}),
			...more,
		},
		files.map(() => ({ json: {} })),
		(_request, number) =>
			answers[Math.min(number, answers.length) - 1] ?? { body: { id: `edit-${number}` } },
	);
	const bodies = () =>
		noted.sent.map(({ body }) => (JSON.parse(String(body)) as { input: IDataObject }).input);
	const paths = () => noted.sent.map(({ url: sentTo }) => new URL(sentTo).pathname);
	return {
		...noted,
		bodies,
		paths,
		create: async () => (await createEdits(noted.context))[0],
	};
}
