import { parse, stringify } from 'flatted';
import { type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { RequestFailure } from '../../../api/failure';
import { toNodeError } from '../../../nodes/core/errors/errors';
import { asItemError, failedItem, withWayToResume } from '../../../nodes/core/items/failedItems';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { NODE, runOf } from '../../../testkit/n8n/nodeContext';
import { fileItem } from '../../../testkit/service/recordingService';
import { accept, runOne, useService } from '../../../testkit/service/useService';
import type { NodeSpec } from '../../../testkit/n8n/workflows';

const service = useService((request, number) =>
	request.path.endsWith('/bad')
		? { body: { task_id: 'bad', status: 'FAILURE' } }
		: accept(request, number),
);

const MESSAGE =
	/^bad\.wav could not be edited: the service gives no reason \(edit bad\) \[item \d\]$/;

const FAILURE = {
	message: expect.stringMatching(MESSAGE),
	description: expect.stringContaining('create a new edit'),
};

/** Runs Get Result for these edits, of which `bad` has failed. */
async function run(editIds: string[], settings: NodeSpec['settings'], download: string[] = []) {
	const items = editIds.map((editId) => ({
		json: { editId, sourceFileName: `${editId}.wav`, name: editId },
	}));
	return (await runOne(service, 'getResult', { download }, items, { settings })).run;
}

const FOUR_ITEMS = Array.from({ length: 4 }, () => ({ json: {} }));

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

// e2e/failures.test.mts shows what n8n itself passes on.
describe.each([[['bad', 'good']], [['good', 'bad']], [['bad']]])('when %j come in', (editIds) => {
	const place = { item: editIds.indexOf('bad') };

	it('the error output keeps the fields of the input beside the failure', async () => {
		const ran = await run(editIds, { onError: 'continueErrorOutput', ...RETRY });
		// As n8n stores it in its database.
		const failed = parse(stringify(itemsOf(ran, 'getResult', 1))) as INodeExecutionData[];
		const first = { sourceFileName: 'bad.wav', editedFileName: null, finished: false };
		const known = { editId: 'bad', ...first, name: 'bad' };
		expect(failed).toEqual([{ json: { ...known, failure: FAILURE }, pairedItem: place }]);
		const passed = itemsOf(ran, 'getResult', 0).map(({ json }) => json.editId);
		expect(passed).toEqual(editIds.filter((editId) => editId !== 'bad'));
		expect(service.seen).toHaveLength(editIds.length);
	});

	it('the regular output has one text: the message with the description', async () => {
		const ran = await run(editIds, { onError: 'continueRegularOutput', ...RETRY });
		const failed = itemsOf(ran, 'getResult')[place.item];
		const { error } = failed.json;
		expect(failed.json).toEqual({ error });
		const [, message, description] = /^(.*?\])\. (.*)$/.exec(String(error)) ?? [];
		expect({ message, description }).toEqual(FAILURE);
		expect(failed.pairedItem).toEqual(place);
		expect(service.seen).toHaveLength(editIds.length);
	});
});

it.each(['waitForEdit', 'getResult', 'delete'])(
	'a failed item of %s carries the edit ID that the form names',
	async (type) => {
		service.answer = () => ({ status: 422 });
		const settings = { onError: 'continueErrorOutput' } as const;
		const { run } = await runOne(service, type, { editId: 'bad' }, undefined, { settings });
		expect(itemsOf(run, type, 1).map(({ json }) => json.editId)).toEqual(['bad']);
	},
);

it('an item whose link was refused carries the status and the details, too', async () => {
	const refused = { status: 403, body: { detail: 'no' } };
	service.answer = (request, number) =>
		request.path.startsWith('/files/') ? refused : accept(request, number);
	const ran = await run(['good'], { onError: 'continueErrorOutput' }, ['edited']);
	expect(itemsOf(ran, 'getResult', 1)[0].json.failure).toEqual({
		message: expect.stringContaining('edit good'),
		description: expect.stringContaining('own storage'),
		httpCode: '403',
		details: expect.stringMatching(/^GET of the file at .* answered 403\n/),
	});
});

describe('a failed item', () => {
	const error = new NodeOperationError(NODE, 'no', { itemIndex: 3 });

	it('carries its known fields beside its error', () => {
		expect(failedItem(runOf({}, FOUR_ITEMS), error, 3, { editId: 'a' })).toEqual({
			json: { editId: 'a', failure: expect.objectContaining({ message: 'no' }) as object },
			error,
			pairedItem: { item: 3 },
		});
	});

	it('has no details of an error that is not ours: they may have secrets', () => {
		const foreign = new NodeOperationError(NODE, 'no');
		foreign.messages = ['the header x-api-key: secret'];
		expect(failedItem(runOf({}), foreign, 0).json.failure).toEqual({ message: 'no' });
	});

	it('shows its error to the routing and not to a copy if it has an error output', () => {
		const getNode = () => ({ ...NODE, onError: 'continueErrorOutput' as const });
		const item = failedItem(runOf({ getNode }, FOUR_ITEMS), error, 3);
		expect(item.error).toBe(error);
		expect({ ...item }.error).toBeUndefined();
		item.error = undefined;
		expect(item.error).toBeUndefined();
	});
});

describe('the name of the recording in a message', () => {
	const file = { data: '', mimeType: 'audio/wav', fileName: 'other.wav' };
	const items: INodeExecutionData[] = [
		{ json: { sourceFileName: 'talk.wav' } },
		{ json: { sourceFileName: { a: 5 } } },
		// An item that has its edit may carry any file.
		{ json: { editId: 'a' }, binary: { data: file } },
		{
			json: {},
			binary: { data: file, cover: { ...file, mimeType: 'image/png', fileName: 'c.png' } },
		},
		{ json: { fileUrls: ['https://f.example/a.wav?sig=1', 'https://f.example/b%20c.wav'] } },
		{ json: { fileUrl: 'https://f.example/' } },
		{ json: {} },
		{ json: { fileUrls: 'https://f.example/a.wav,https://f.example/b.wav' } },
	];
	const run = runOf({}, items);
	// What the form of an item says.
	run.fileUrls.set(0, ['https://f.example/first.wav']);
	run.fileUrls.set(6, ['https://f.example/last.wav']);
	const messageOf = (message: string, itemIndex: number, known = {}) =>
		asItemError(run, new NodeOperationError(NODE, message, { itemIndex }), itemIndex, known)
			.message;

	it.each([
		['Edit a failed [item 0]', 0, {}, 'talk.wav: edit a failed [item 0]'],
		['Edit a failed', 0, {}, 'talk.wav: edit a failed [item 0]'],
		['The recording was lost [item 0]', 0, {}, 'talk.wav was lost [item 0]'],
		["The file 'talk.wav' is empty [item 0]", 0, {}, 'talk.wav is empty [item 0]'],
		["'Preset' is empty [item 0]", 0, {}, "talk.wav: 'Preset' is empty [item 0]"],
		['JSON is bad [item 0]', 0, {}, 'talk.wav: JSON is bad [item 0]'],
		['talk.wav: it failed [item 0]', 0, {}, 'talk.wav: it failed [item 0]'],
		['It failed [item 1]', 1, {}, 'It failed [item 1]'],
		['It failed [item 0]', 0, { sourceFileName: 'b.wav' }, 'b.wav: it failed [item 0]'],
		['It failed [item 2]', 2, {}, 'It failed [item 2]'],
		['It failed [item 3]', 3, {}, 'other.wav: it failed [item 3]'],
		['It failed [item 4]', 4, {}, 'a.wav, b c.wav: it failed [item 4]'],
		['It failed [item 5]', 5, {}, 'f.example: it failed [item 5]'],
		['It failed [item 6]', 6, {}, 'last.wav: it failed [item 6]'],
		['It failed [item 7]', 7, {}, 'a.wav, b.wav: it failed [item 7]'],
		['It failed [item 1]', 1, { sourceFileName: 'b.wav' }, 'b.wav: it failed [item 1]'],
	])('%j of item %d', (message, itemIndex, known, expected) => {
		expect(messageOf(message, itemIndex, known)).toBe(expected);
	});

	it("is the item's own if items share an error", () => {
		const shared = new NodeOperationError(NODE, 'no address', { description: 'Enter one.' });
		const error = asItemError(run, shared, 0);
		expect(error).toMatchObject({
			message: 'talk.wav: no address [item 0]',
			description: 'Enter one.',
			context: { itemIndex: 0 },
		});
		expect(shared.message).toBe('no address');
	});
});

it.each<[string, number, object, Partial<RequestFailure>, boolean]>([
	['an item among others', 2, {}, { kind: 'status', status: 422 }, true],
	['the only item', 1, {}, { kind: 'status', status: 422 }, false],
	['a tool', 2, { isToolExecution: () => true }, { kind: 'status', status: 422 }, false],
	['a stopped run', 2, { getExecutionCancelSignal: () => AbortSignal.abort() }, {}, false],
	['a refused key', 2, {}, { kind: 'status', status: 401 }, false],
	['a service that is away', 2, {}, { kind: 'unreachable' }, false],
	['a broken connection', 2, {}, { kind: 'broken' }, true],
])('the error of %s, of %d, says how to get the rest: %#', (_of, count, more, failure, isSaid) => {
	const run = runOf(more, Array<INodeExecutionData>(count).fill({ json: {} }));
	const known = { kind: 'status', request: 'GET /v2/edits/a', ...failure } as const;
	const error = withWayToResume(run, toNodeError(NODE, known, { doing: 'read it' }));
	expect(
		/ To get the results of the other items: .* Nothing is charged again\.$/.test(
			error.description ?? '',
		),
	).toBe(isSaid);
});

it('a foreign error becomes one of the node, and keeps no way for the rest without words', () => {
	const run = runOf({}, [{ json: {} }, { json: {} }]);
	const error = withWayToResume(run, new NodeOperationError(NODE, 'no'), 'Once.');
	expect(error.description).toMatch(/^To get .* Once\.$/);
});

describe('the way to resume', () => {
	const service = useService((request, number) =>
		`${request.path} ${request.body}`.includes('bad') ? { status: 422 } : accept(request, number),
	);

	const itemOf = async (name: string) =>
		await fileItem(`${name}.wav`, { editId: name, fileUrl: `https://files.example/${name}.wav` });

	async function errorOf(type: string, names: string[], settings: NodeSpec['settings'] = {}) {
		const items = await Promise.all(names.map(itemOf));
		const { run, error } = await runOne(service, type, {}, items, { settings });
		const failed = itemsOf(run, type, 1)[0]?.json.failure;
		return JSON.stringify(error?.description ?? failed);
	}

	const WAY =
		/To get the results of the other items: set On Error of this node to 'Continue \(using error output\)' and save the workflow\. Then .* retry it/;

	describe('the error of one bad item among several says how to get the rest', () => {
		it.each([
			['upload', /sends all files again; nothing is charged for uploads\./],
			[
				'createEdit',
				/Edits that already exist are not charged again, unless you change the edit.s file or options\..*edit-1 /,
			],
			['waitForEdit', /Nothing is charged again\./],
			['getResult', /Nothing is charged again\. It fetches all files again\./],
			['delete', /repeats the deletions that succeeded\./],
		])('in %s', async (type, cost) => {
			const description = await errorOf(type, ['a', 'bad', 'c']);
			expect(description).toMatch(WAY);
			expect(description).toMatch(cost);
		});

		it('in Create Edit even if a form is wrong and nothing was submitted', async () => {
			const items = [await itemOf('a'), { json: { fileUrl: 'no URL' } }];
			const { error } = await runOne(service, 'createEdit', {}, items);
			expect(error?.description).toMatch(WAY);
			expect(service.seen).toEqual([]);
		});

		it('in Wait For Edit even if an item came in with a failure', async () => {
			const items = [await itemOf('a'), { json: { failure: { message: 'It failed [item 1]' } } }];
			const { error } = await runOne(service, 'waitForEdit', {}, items);
			expect(error?.message).toContain('It failed');
			expect(error?.description).toMatch(WAY);
		});
	});

	describe('the error does not say so', () => {
		it('if the node continues', async () => {
			const settings = { onError: 'continueErrorOutput' } as const;
			expect(await errorOf('getResult', ['a', 'bad'], settings)).not.toMatch(WAY);
		});

		it('for an unusable credential', async () => {
			const items = [await itemOf('a'), await itemOf('b')];
			const { error } = await runOne({ ...service, url: 'nowhere' }, 'getResult', {}, items);
			expect(error?.message).toMatch(/^Could not use the credential: .*'Base URL'/);
			expect(error?.description).not.toMatch(WAY);
		});
	});
});
