import type { INodeExecutionData, INodeParameters, NodeOperationError } from 'n8n-workflow';

import { failureOf } from '../../../testkit/n8n/failures';
import { itemsOf, storeFile } from '../../../testkit/n8n/n8nEngine';
import type { Answer, SeenRequest } from '../../../testkit/service/scriptedService';
import { accept, runOne, useService } from '../../../testkit/service/useService';

/*
 * In a toast, on the canvas, in the list of executions and in an error workflow, a person reads one line. It
 * begins with the name of the recording, and says why it failed.
 */

const NAME = 'rec-150.mp3';
const service = useService();

const isPoll = ({ method, path }: SeenRequest) => method === 'GET' && path.startsWith('/v2/edits/');
const isSubmission = ({ method, path }: SeenRequest) =>
	method === 'POST' && /^\/v2\/(edits|noise)$/.test(path);

type Fault = (request: SeenRequest) => Answer | undefined;

const answering = (isMeant: (request: SeenRequest) => boolean, answer: Answer): Fault => {
	return (request) => (isMeant(request) ? answer : undefined);
};
const edit = (status: string, more: object = {}): Fault =>
	answering(isPoll, { body: { task_id: 'edit-9', status, ...more } });
const submission = (answer: Answer): Fault => answering(isSubmission, answer);

const FILE = { mimeType: 'audio/mpeg', fileName: NAME };
const SHORT = { maximumWaitMinutes: 0, firstPollDelaySeconds: 0 };

/** The nodes, and the item with which each fails. */
const ITEMS: Record<string, () => Promise<INodeExecutionData>> = {
	audioEditing: fileItem,
	upload: fileItem,
	createEdit: async () => ({
		json: { fileUrl: `https://files.example.com/x/${NAME}?signature=s` },
	}),
	waitForEdit: editItem,
	getResult: editItem,
	delete: editItem,
};

async function fileItem(): Promise<INodeExecutionData> {
	const data = await storeFile(Buffer.from('RIFF'), FILE.fileName, FILE.mimeType);
	return { json: {}, binary: { data } };
}

async function editItem(): Promise<INodeExecutionData> {
	return { json: { editId: 'edit-9', sourceFileName: NAME } };
}

interface Case {
	readonly nodes: readonly string[];
	readonly fault?: Fault;
	readonly parameters?: INodeParameters;
	/** What the line says after the name. */
	readonly reason: RegExp;
}

const SUBMITS = ['audioEditing', 'createEdit'];
const WAITS = ['audioEditing', 'waitForEdit'];
const READS = ['waitForEdit', 'getResult', 'audioEditing'];
const notFound = answering(({ path }) => path.startsWith('/files/'), { status: 404 });
const isUpload = ({ path }: SeenRequest) => path.startsWith('/v2/upload');
const isStored = ({ method }: SeenRequest) => method === 'PUT';

const CASES: Record<string, Case> = {
	'FAILURE with a reason': {
		nodes: READS,
		fault: edit('FAILURE', { result: { message: 'the file is not an audio or video file' } }),
		reason: /^ could not be edited: the file is not an audio or video file \(edit edit-/,
	},
	'FAILURE without a reason': {
		nodes: READS,
		fault: edit('FAILURE'),
		reason: /^ could not be edited: the service gives no reason \(edit edit-/,
	},
	'not finished in time': {
		nodes: WAITS,
		fault: edit('EDITING'),
		parameters: { ...SHORT, whenTimeIsUp: 'fail' },
		reason: /^: the edit did not finish in time: its status was still .* \(edit edit-/,
	},
	'not finished yet': {
		nodes: ['getResult'],
		fault: edit('EDITING'),
		reason: /^: the edit is not finished yet: its status is EDITING \(edit edit-9\)/,
	},
	'a refused key': {
		nodes: ['audioEditing', 'upload', 'createEdit', 'waitForEdit', 'getResult', 'delete'],
		fault: () => ({ status: 401 }),
		reason: /^: could not .*: the API key was not accepted/,
	},
	'a refused upload': {
		nodes: ['audioEditing', 'upload'],
		fault: answering(isUpload, { status: 422 }),
		reason: /^: could not upload the file: the service did not accept the request/,
	},
	'a refused transfer': {
		nodes: ['audioEditing', 'upload'],
		fault: answering(isStored, { status: 403 }),
		reason: /^: could not upload the file: the upload link has expired or is not valid/,
	},
	'no credit left': {
		nodes: SUBMITS,
		fault: submission({ status: 402 }),
		reason: /^: could not create the edit: the service asks for payment/,
	},
	'a submission that is refused': {
		nodes: SUBMITS,
		fault: submission({ status: 422 }),
		reason: /^: could not create the edit: the service did not accept the request/,
	},
	'a submission whose response is lost': {
		nodes: SUBMITS,
		fault: submission({ status: 502 }),
		reason: /^: could not create the edit: the service is temporarily unavailable/,
	},
	'an edit without a result': {
		nodes: ['audioEditing', 'getResult'],
		fault: edit('SUCCESS', { result: {} }),
		reason: /^: the edit has no edited file to download \(edit edit-/,
	},
	'a file that is gone': {
		nodes: ['audioEditing', 'getResult'],
		fault: notFoundOnGet(),
		reason: /^: could not download the edited file: there is no file at .* \(edit edit-/,
	},
	'an edit that cannot be read': {
		nodes: ['getResult', 'waitForEdit', 'audioEditing'],
		fault: answering(isPoll, { status: 403 }),
		reason: /^: could not (read|wait for) the edit: the service does not allow this \(edit edit-/,
	},
	'an edit that cannot be deleted': {
		nodes: ['delete'],
		fault: answering(({ method }) => method === 'DELETE', { status: 403 }),
		reason: /^: could not delete the edit: the service does not allow this \(edit edit-9\)/,
	},
	'more edits than allowed': {
		nodes: SUBMITS,
		parameters: { mostEdits: 0 },
		reason: /^: 'Most Edits per Execution' is 0, and the items need 1 edit/,
	},
	'a credit that is too low': {
		nodes: SUBMITS,
		fault: answering(({ path }) => path === '/v1/account', {
			body: { credit: { total: 1, subscription: 1, payg: 0 }, meta: {} },
		}),
		parameters: { stopBelowCredit: 5 },
		reason: /^: the account's credit, 1, is below 5/,
	},
	'options that contradict each other': {
		nodes: SUBMITS,
		parameters: { target_lufs: -16, normalize: false },
		reason: /^: 'Target Loudness \(LUFS\)' is set, but 'Normalize Loudness' is off/,
	},
	'a choice that does not exist': {
		nodes: SUBMITS,
		parameters: { export_format: '={{ "mp5" }}' },
		reason: /^: 'Export Format' has no option 'mp5'/,
	},
	'an option that is not a number': {
		nodes: ['waitForEdit'],
		parameters: { maximumWaitMinutes: '={{ "soon" }}' },
		reason: /^: 'Maximum Wait \(Minutes\)' must be a number of 0 or more, not "soon"/,
	},
	'an expression that fails': {
		nodes: SUBMITS,
		parameters: { export_format: "={{ $('Missing').item.json.x }}" },
		reason: /^: referenced node doesn't exist/i,
	},
};

/** The store takes uploads, and has nothing when the edited file is fetched. */
function notFoundOnGet(): Fault {
	return (request) => (request.method === 'GET' ? notFound(request) : undefined);
}

describe.each(Object.entries(CASES))('%s', (_what, { nodes, fault, parameters = {}, reason }) => {
	const runIn = async (type: string, settings = {}) => {
		service.answer = (request, number) => fault?.(request) ?? accept(request, number);
		return await runOne(service, type, parameters, [await ITEMS[type]()], { settings });
	};
	const expectFileFirst = (message: unknown) => {
		const [line] = String(message).split('\n');
		expect(line.startsWith(NAME)).toBe(true);
		expect(line.slice(NAME.length)).toMatch(reason);
		expect(line).toMatch(/ \[item 0\]$/);
		expect(line.length).toBeLessThanOrEqual(250);
	};

	it.each(nodes)('in %s: the error that ends the node', async (type) => {
		expectFileFirst((await runIn(type)).error?.message);
	});

	it.each(nodes)('in %s: the failure on the error output', async (type) => {
		const { run } = await runIn(type, { onError: 'continueErrorOutput' });
		const outputs = [1, 2, 3].flatMap((output) => itemsOf(run, type, output));
		expect(outputs).toHaveLength(1);
		expectFileFirst(failureOf(outputs[0])?.message);
	});
});

describe('the name of a recording', () => {
	const nameIn = async (item: INodeExecutionData, parameters: INodeParameters = {}) => {
		service.answer = () => ({ status: 402 });
		const { error } = await runOne(service, 'createEdit', parameters, [item]);
		return error?.message.split(': could')[0];
	};

	it.each([
		[
			'the last part of the path, without the query',
			'https://a.example/b/c%20d.wav?sig=1#x',
			'c d.wav',
		],
		['the host, where the path is empty', 'https://a.example/?file=b', 'a.example'],
	])('of a URL is %s', async (_what, fileUrl, name) => {
		expect(await nameIn({ json: { fileUrl } })).toBe(name);
		expect(await nameIn({ json: {} }, { fileUrls: fileUrl })).toBe(name);
	});

	it('of several tracks are three of them', async () => {
		const fileUrl = ['a', 'b', 'c', 'd', 'e']
			.map((name) => `https://a.example/${name}.wav`)
			.join(' ');
		expect(await nameIn({ json: { fileUrl } })).toBe('a.wav, b.wav, c.wav and 2 more');
	});

	it('is cut if it is too long to leave room for the reason', async () => {
		const fileUrl = `https://a.example/${'a'.repeat(300)}.wav`;
		expect(await nameIn({ json: { fileUrl } })).toBe(`${'a'.repeat(120)}…`);
	});
});

it('the error that ends a batch gives its advice before the edits, of which it names three; all are in its details', async () => {
	service.answer = (request, number) =>
		request.body.includes('bad') ? { status: 422 } : accept(request, number);
	const names = [...Array.from({ length: 9 }, (_, n) => `rec-${n}.wav`), 'bad.wav'];
	const items = names.map((name) => ({ json: { fileUrl: `https://a.example/${name}` } }));
	const { error, log } = await runOne(service, 'createEdit', {}, items);
	const { description, messages } = error as NodeOperationError;
	expect(description).toMatch(
		/To get the results of the other items: .* Created in this run: (edit-\d \('rec-\d\.wav'\)(, )?){3} and 6 more\.$/,
	);
	expect(description).not.toMatch(/and charged/);
	for (const name of names.slice(0, 9)) {
		expect(messages.join()).toContain(`('${name}')`);
		expect(log.join()).toMatch(new RegExp(`edit edit-\\d \\('${name}'\\) was created`));
	}
});
