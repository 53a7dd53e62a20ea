/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they make streams */
import { once } from 'events';
import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { Readable } from 'stream';

import { systemTime } from '../../../api/time';
import { WaitForEdit } from '../../../nodes/WaitForEdit/WaitForEdit.node';
import { hashOf } from '../../../nodes/shared/skip/identity';
import { NODE, nodeContext, withFields } from '../../support/nodeContext';
import { serviceContext } from '../../support/serviceContext';

const node = new WaitForEdit();
const FORM = { whileWaiting: 'park', maximumWaitMinutes: 10, editId: ' a ' };

function parkWith(
	fields: Record<string, unknown> = {},
	items: INodeExecutionData[] = [{ json: { x: 1, editId: 'old' }, pairedItem: { item: 5 } }],
	more: Partial<IExecuteFunctions> = {},
) {
	const executeData = { data: { main: [items] } };
	const delivery = { executionId: '7', keyHash: 'hash of a', runs: {} };
	const flow = { audioEditingDeliveries: { a: delivery } };
	const own: IDataObject = {};
	const until: Date[] = [];
	const logged: unknown[] = [];
	const context = nodeContext(
		{
			...withFields({ ...FORM, ...fields }),
			getExecuteData: () =>
				executeData as object as ReturnType<IExecuteFunctions['getExecuteData']>,
			getContext: (type) => (type === 'flow' ? flow : own),
			putExecutionToWait: async (date) => void until.push(date),
			logger: {
				info: (...line: unknown[]) => logged.push(line),
			} as object as IExecuteFunctions['logger'],
			...more,
		},
		items,
	);
	return { executeData, own, until, logged, run: async () => await node.execute.call(context) };
}

describe('Park Until Delivered', () => {
	it('parks the item as unfinished until the time is up', async () => {
		const { executeData, own, until, logged, run } = parkWith();
		const parked = { json: { x: 1, editId: 'a', finished: false }, pairedItem: { item: 5 } };
		expect(await run()).toEqual([[{ ...parked, pairedItem: { item: 0 } }]]);
		expect(executeData.data.main).toEqual([[parked]]);
		expect(until.map((date) => date.getTime())).toEqual([systemTime.timeOfDay() + 600_000]);
		expect(own).toEqual({ awaitedDelivery: 'hash of a' });
		expect(logged).toEqual([
			['Audio editing: waiting for the delivery of edit a', { editId: 'a' }],
		]);
	});

	it('parks for at least 65 s, since n8n keeps shorter waits in memory', async () => {
		const { until, run } = parkWith({ maximumWaitMinutes: 0 });
		await run();
		expect(until.map((date) => date.getTime())).toEqual([systemTime.timeOfDay() + 65_000]);
	});

	it('refuses several items and says what to do instead', async () => {
		const { until, run } = parkWith({}, [{ json: {} }, { json: {} }]);
		await expect(run()).rejects.toMatchObject({
			message: 'An execution can park for only one edit, but there are 2 items [item 0]',
			description: expect.stringContaining('Execute Sub-workflow') as string,
		});
		expect(until).toEqual([]);
	});
});

describe('the outputs', () => {
	const run = async (whileWaiting: string) => {
		const ids = ['a', 'b'];
		const form = { ...FORM, whileWaiting, whenTimeIsUp: 'passOn', maximumWaitMinutes: 1 };
		const getNodeParameter = (name: string, item: number, fallback?: object) =>
			name === 'editId'
				? ids[item]
				: withFields(form).getNodeParameter(name, item, fallback as object);
		const { context } = serviceContext(
			{},
			{
				getContext: () => ({}),
				getNodeParameter: getNodeParameter as IExecuteFunctions['getNodeParameter'],
			},
			ids.map(() => ({ json: {} })),
			({ path }) => {
				const result = { download_url: 'https://f.example/a' };
				const isDone = path.endsWith('/b');
				return { body: { status: isDone ? 'SUCCESS' : 'EDITING', ...(isDone && { result }) } };
			},
		);
		const outputs = await node.execute.call(context);
		return outputs.map((output) => output.map(({ json }) => json.editId));
	};

	it('are two for Hand Over, and one for Keep Running', async () => {
		expect(await run('handOver')).toEqual([['b'], ['a']]);
		expect(await run('keepRunning')).toEqual([['a', 'b']]);
	});

	it('are empty without an item', async () => {
		expect(await node.execute.call(nodeContext({}, []))).toEqual([[]]);
	});
});

/** Returns bytes that could be a recording. */
const bytes = (count: number) => Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(count - 4)]);

interface Delivery {
	readonly headers?: Record<string, string>;
	readonly body?: Buffer;
	readonly editId?: unknown;
	/** As n8n stores it: in the execution or in its binary store. */
	readonly binary?: Partial<IBinaryData>;
	readonly storedBytes?: number;
	readonly breaksOff?: boolean;
	/** Whether the connection closes before the node sees the request. */
	readonly brokeOff?: boolean;
	/** The form's value for 'Put Delivered File in Field'. */
	readonly field?: unknown;
	readonly response?: { headersSent?: boolean; destroyed?: boolean };
	/** The query of the request. */
	readonly query?: object;
}

/** The key of the edit that the node waits for. */
const KEY = 'key-of-a';

async function deliver(delivery: Delivery = {}) {
	const {
		headers = {},
		body = bytes(99),
		editId = 'a',
		binary = {},
		storedBytes = 0,
		breaksOff,
	} = delivery;
	const answers: unknown[] = [];
	const response = {
		headersSent: false,
		destroyed: false,
		...delivery.response,
		status: (code: number) => ({ json: (body: object) => answers.push([code, body]) }),
	};
	const stored: unknown[] = [];
	const request = Object.assign(Readable.from([body], { objectMode: false }), { headers });
	if (delivery.brokeOff) {
		request.destroy();
		await once(request, 'close');
	}
	const context = {
		getNode: () => NODE,
		getRequestObject: () => request,
		getResponseObject: () => response,
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'options.binaryPropertyName' && 'field' in delivery ? delivery.field : fallback,
		getQueryData: () => delivery.query ?? { delivery: KEY },
		evaluateExpression: (expression: string) =>
			expression.includes('.context.')
				? hashOf({ key: KEY })
				: expression.includes('editId') && editId,
		helpers: {
			prepareBinaryData: async (_request: unknown, fileName: string, mimeType: string) => {
				stored.push([fileName, mimeType]);
				if (breaksOff) throw new Error('aborted');
				return { data: '', ...binary };
			},
			getBinaryMetadata: async () => ({ fileSize: storedBytes }),
		},
	};
	const outcome = await node.webhook.call(context as object as IWebhookFunctions);
	return { outcome, answers, stored };
}

const NO_RESPONSE = { noWebhookResponse: true };
const FOUR_BYTES = { data: Buffer.from('RIFF').toString('base64') };

describe('a delivery', () => {
	it('wakes the execution up with a complete file', async () => {
		const headers = { 'content-type': ' audio/mpeg ; x=y', 'content-length': '9' };
		const binary = { id: 'filesystem:1', data: 'filesystem' };
		const { outcome, answers, stored } = await deliver({ headers, binary, storedBytes: 9 });
		const json = { editId: 'a', finished: true, delivered: true, fileName: 'a.mp3', sizeBytes: 9 };
		expect(outcome).toEqual({
			workflowData: [[{ json, binary: { data: binary }, pairedItem: { item: 0 } }]],
		});
		expect(stored).toEqual([['a.mp3', 'audio/mpeg']]);
		expect(answers).toEqual([]);
	});

	it('without a type, a length or an ID is accepted', async () => {
		const { outcome, stored } = await deliver({ editId: null, binary: FOUR_BYTES });
		expect(stored).toEqual([['edited.bin', 'application/octet-stream']]);
		expect(outcome.workflowData?.[0][0].json).toMatchObject({ editId: '', sizeBytes: 4 });
	});

	it.each([
		['episode', 'episode'],
		[' episode ', 'episode'],
		[undefined, 'data'],
		['', 'data'],
		['__proto__', 'data'],
	])('for the field %j is put into %s', async (field, used) => {
		const { outcome } = await deliver({ field, binary: FOUR_BYTES });
		expect(Object.keys(outcome.workflowData?.[0][0].binary ?? {})).toEqual([used]);
	});

	const LOST = 'The connection was lost before the whole file arrived';
	const OTHER = 'This is not the file of the edit that the execution is waiting for';
	const incomplete = (bytes: string, length: string, it: Delivery): [number, string, Delivery] => [
		400,
		`The file is incomplete: only ${bytes} bytes arrived`,
		{ headers: { 'content-length': length }, ...it },
	];
	const notMedia = (reason: string, type: string, body: Buffer): [number, string, Delivery] => [
		415,
		`The file is not audio or video: ${reason}`,
		{ headers: { 'content-type': type }, body },
	];

	it.each<[number, string, Delivery]>([
		incomplete('4 of 5', '5', { binary: FOUR_BYTES }),
		incomplete('4 of 3', '3', { binary: FOUR_BYTES }),
		incomplete('0 of 0', '0', { body: Buffer.alloc(0) }),
		[400, LOST, { breaksOff: true }],
		[400, LOST, { brokeOff: true }],
		notMedia('it is text/html', 'text/html', bytes(99)),
		notMedia('it is application/json', 'application/json', bytes(99)),
		notMedia('43 bytes are too few for a recording', 'audio/wav', bytes(43)),
		notMedia('it contains only text', 'audio/wav', Buffer.from('a\tb\r\n'.repeat(20))),
		notMedia('it contains only text', 'audio/wav', Buffer.from('ü'.repeat(99)).subarray(0, 47)),
		[409, OTHER, { query: {}, binary: FOUR_BYTES }],
		[409, OTHER, { query: { delivery: 'key-of-b' }, binary: FOUR_BYTES }],
		[409, OTHER, { query: { delivery: [KEY, KEY] }, binary: FOUR_BYTES }],
		[409, OTHER, { query: { delivery: '' }, binary: FOUR_BYTES }],
	])('refused with %d leaves the execution asleep: %s (%#)', async (code, detail, refused) => {
		const { outcome, answers, stored } = await deliver(refused);
		expect(outcome).toEqual(NO_RESPONSE);
		expect(answers).toEqual([[code, { detail }]]);
		if (code !== 400) expect(stored).toEqual([]);
	});

	it('of 44 bytes may be a recording', async () => {
		const { stored } = await deliver({ headers: { 'content-type': 'audio/wav' }, body: bytes(44) });
		expect(stored).toEqual([['a.wav', 'audio/wav']]);
	});

	it.each([{ headersSent: true }, { destroyed: true }])(
		'is not answered twice: %j',
		async (response) => {
			const { outcome, answers } = await deliver({ breaksOff: true, response });
			expect(outcome).toEqual(NO_RESPONSE);
			expect(answers).toEqual([]);
		},
	);
});
