import type { IExecuteContextData, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { fullResult } from '../../support/fullResult';
import { groupedFormats } from '../../support/grouped';
import { INSTANCE, itemsOf, readFile, storeFile, type WorkflowJson } from '../../support/n8nEngine';
import { n8nNodes } from '../../support/n8nNodes';
import { OUR_NODES } from '../../support/ourNodes';
import { makeRecording } from '../../support/recording';
import { deliveryUrls, openResumeUrl, put, throughDatabase } from '../../support/resumeUrl';
import type { Answer } from '../../support/scriptedService';
import { FILE as SOURCE } from '../../support/scriptedSubmissions';
import { type UsedService, useService } from '../../support/useService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

/** What the service delivers. */
const FILE = makeRecording({ partsSeconds: [0.1] });
const RESUME_URL = 'http://127.0.0.1/webhook-waiting/7';

/** The status of the edit for each request; the last one repeats. */
let statuses: string[];

/** The IDs of the next edits; `a` for those after them. */
let editIds: string[];

/** What n8n logged. */
let logged: string[];

/** The link of the result. */
let link: string;

const service: UsedService = useService(({ method, path }, number): Answer => {
	if (method === 'POST') return { body: { id: editIds.shift() ?? 'a' } };
	if (!path.startsWith('/v2/edits/')) return { status: 401, body: { error: 'Invalid token' } };
	const status = statuses[Math.min(number, statuses.length) - 1];
	const note = `Delivered to ${link}.`;
	const fields = { ...fullResult(service.url), download_url: link, note };
	const result = status === 'SUCCESS' && fields;
	return { body: { task_id: 'a', status, ...(result && { result }) } };
});

beforeEach(() => {
	editIds = [];
	logged = [];
	link = `${RESUME_URL}?signature=${'f'.repeat(64)}`;
	statuses = ['EXPORT', 'EXPORT', 'SUCCESS'];
});

const CREATE: NodeSpec = { type: 'createEdit', parameters: { options: { deliverHere: true } } };
const wait = (parameters: INodeParameters = {}): NodeSpec => ({ type: 'waitForEdit', parameters });
const result = (parameters: INodeParameters = {}): NodeSpec => ({ type: 'getResult', parameters });

/** n8n's Edit Fields, which passes on only the edit's ID. */
const ID_ALONE: NodeSpec = {
	type: 'set',
	parameters: { assignments: { assignments: [{ name: 'editId', value: 'a' }] } },
	settings: { type: 'n8n-nodes-base.set', typeVersion: 3.4 },
};

type Item = INodeExecutionData;

async function start(
	workflow: WorkflowJson,
	items: Item[] = [{ json: { fileUrl: SOURCE } }],
	contextData?: IExecuteContextData,
) {
	const nodeTypes = { ...OUR_NODES, ...n8nNodes() };
	const onLog = (line: object) => void logged.push(JSON.stringify(line));
	return await runChain(service, workflow, items, { nodeTypes, contextData, onLog });
}

/** Runs the chain, delivers the file once it has parked, and returns the run after it woke up. */
async function push(workflow: WorkflowJson, items?: Item[]): Promise<IRun> {
	const parked = await start(workflow, items);
	if (parked.data.resultData.error) throw parked.data.resultData.error;
	expect(parked.status).toBe('waiting');
	const resume = await openResumeUrl(service, workflow, throughDatabase(parked));
	expect(await put(resume.url, FILE, { 'Content-Type': 'audio/wav' })).toBe(200);
	resume.close();
	return await resume.woken[0];
}

const gets = () => service.seen.filter(({ method }) => method === 'GET').map(({ path }) => path);

describe('Create Edit with Deliver, Wait For Edit and Get Result with their defaults', () => {
	it('end with the delivered file and the texts', async () => {
		const formats = groupedFormats(['subtitlesSrt']);
		const run = await push(chain(CREATE, wait(), result(formats)));
		const [item] = itemsOf(run, 'getResult');
		expect(run.data.resultData.error).toBeUndefined();
		expect(await readFile(item.binary!.data)).toEqual(FILE);
		expect(item.json).toMatchObject({ status: 'SUCCESS', title: 'Bread & Time' });
		expect(item.json.formats).toHaveProperty('subtitlesSrt');
		expect(gets()).toEqual(Array(3).fill('/v2/edits/a'));
	});

	it('show the signature of the execution nowhere', async () => {
		const run = await push(chain(CREATE, wait(), result({ simplify: false })));
		expect(itemsOf(run, 'getResult')[0].json.result).toMatchObject({ download_url: RESUME_URL });
		expect(JSON.stringify(run.data.resultData)).not.toContain('signature=ffff');
		const [address] = deliveryUrls(service);
		const key = address.searchParams.get('delivery')!;
		expect(JSON.stringify([run.data, logged])).not.toContain(key);
		const simple = await push(chain(CREATE, wait(), result()));
		expect(itemsOf(simple, 'getResult')[0].json).not.toHaveProperty('downloadUrl');
	});

	it("put it into Get Result's field, beside the other downloads", async () => {
		const run = await push(
			chain(CREATE, wait({ binaryPropertyName: 'audio' }), result({ binaryPropertyName: 'mix' })),
		);
		expect(Object.keys(itemsOf(run, 'getResult')[0].binary ?? {})).toEqual(['mix']);
	});

	it('keep the input files beside it if Wait For Edit is set to', async () => {
		const binary = { data: await storeFile(Buffer.from('RIFF'), 'talk.wav', 'audio/wav') };
		const keeps = { keepInputFiles: true };
		const workflow = chain(
			{ ...CREATE, parameters: { ...CREATE.parameters, ...keeps } },
			wait(keeps),
		);
		const run = await push(workflow, [{ json: { fileUrl: SOURCE }, binary }]);
		const [{ binary: kept }] = itemsOf(run, 'waitForEdit');
		expect(await readFile(kept!.data)).toEqual(FILE);
		expect((await readFile(kept!.data_input)).toString()).toBe('RIFF');
	});

	it('poll the status at the pace of the service, and not forever', async () => {
		statuses = ['EXPORT'];
		const run = await push(chain(CREATE, wait(), result()));
		expect(run.data.resultData.error).toMatchObject({
			message: expect.stringMatching(/Edit a is not finished yet: its status is EXPORT/),
			description: expect.stringMatching(
				/already delivered the edited file: it is in this node's input/,
			),
		});
		// Five minutes, every 10 s, and once at the end.
		expect(gets()).toHaveLength(31);
	});
});

describe('the delivered file', () => {
	const deliveredAs = async (json: Record<string, string>) => {
		const run = await push(chain(CREATE, wait({ whileWaiting: 'park' }), result()), [{ json }]);
		const [{ json: out, binary }] = itemsOf(run, 'waitForEdit');
		expect(binary?.data.fileName).toBe(out.fileName);
		return out.fileName;
	};

	it('is named after the source and the delivered type', async () => {
		const fileUrl = 'https://files.example.com/up/Folge%2012.mp3?x=y';
		expect(await deliveredAs({ fileUrl })).toBe('Folge 12-edited.wav');
	});
});

describe('Automatic', () => {
	it('keeps running for an edit without delivery', async () => {
		const run = await start(chain({ type: 'createEdit' }, wait()));
		expect(itemsOf(run, 'waitForEdit')[0].json).toMatchObject({ finished: true });
	});

	it('parks even if the items have lost every field but the ID', async () => {
		const workflow = chain(CREATE, ID_ALONE, wait(), result());
		expect(itemsOf(await push(workflow), 'getResult')[0].binary).toHaveProperty('data');
	});

	it('keeps running on a second branch if the delivery has arrived on the first', async () => {
		const twice = chain(CREATE, wait(), { ...wait(), name: 'Branch' });
		twice.connections.createEdit.main[0]?.push(...twice.connections.waitForEdit.main[0]!);
		delete twice.connections.waitForEdit;
		const run = await push(twice);
		expect(run.status).toBe('success');
		expect(itemsOf(run, 'Branch')[0].json).toMatchObject({ finished: true });
	});

	it('keeps running after a delivered edit, and for one of another execution', async () => {
		const twice = chain(CREATE, wait(), { ...wait(), name: 'Again' });
		expect(itemsOf(await push(twice), 'Again')[0].json).toMatchObject({ finished: true });
		const items = [{ json: { fileUrl: SOURCE, editId: 'a', deliversTo: '6' } }];
		const run = await start(chain(wait()), items);
		expect(itemsOf(run, 'waitForEdit')[0].json).toMatchObject({ finished: true });
	});
});

describe('several deliveries to one execution', () => {
	/** Goes back to Create Edit when the wait has ended. */
	const loop = chain({ ...CREATE, parameters: { ...CREATE.parameters, fileUrls: SOURCE } }, wait());
	loop.connections.waitForEdit = { main: [[{ node: 'createEdit', type: 'main', index: 0 }]] };

	/** An execution whose first wait has timed out, and that waits for its second edit. */
	async function parkedAgain() {
		editIds = ['a', 'b', 'c'];
		const first = await start(loop);
		return await runChain(service, loop, [], { resumeFrom: throughDatabase(first) });
	}

	it('a file that comes after its time is up is not taken for that of the next edit', async () => {
		const second = await parkedAgain();
		expect(second.status).toBe('waiting');
		const resume = await openResumeUrl(service, loop, throughDatabase(second));
		const [late, own] = resume.urls;
		expect(await put(late, makeRecording({ partsSeconds: [0.2] }))).toBe(409);
		expect(resume.woken).toEqual([]);
		expect(await put(own, FILE)).toBe(200);
		const { runData } = (await resume.woken[0]).data.resultData;
		const [{ json, binary }] = runData.waitForEdit[1].data!.main[0]!;
		expect(json).toMatchObject({ editId: 'b', delivered: true });
		expect(await readFile(binary!.data)).toEqual(FILE);
		resume.close();
	});

	it('a file that comes twice is not taken for that of the next edit', async () => {
		const resume = await openResumeUrl(service, loop, throughDatabase(await parkedAgain()));
		const [, own] = resume.urls;
		expect(await put(own, FILE)).toBe(200);
		resume.close();
		const third = await resume.woken[0];
		expect(third.status).toBe('waiting');
		const again = await openResumeUrl(service, loop, throughDatabase(third));
		expect(await put(again.urls[1], FILE)).toBe(409);
		expect(again.woken).toEqual([]);
		again.close();
	});

	it('a second edit is refused before the first was waited for', async () => {
		const fileUrls = { ...CREATE.parameters, fileUrls: SOURCE };
		const second = { ...CREATE, name: 'Second', parameters: fileUrls };
		const { data } = await start(chain(CREATE, second, wait()));
		expect(data.resultData.error).toMatchObject({
			message:
				"'Deliver to This Workflow' works for one edit at a time, but edit a is still to be delivered to this execution (source file 'a.wav') [item 0]",
			description: expect.stringMatching(/^Nothing was sent\. Put the Wait For Edit .* before/),
		});
		expect(deliveryUrls(service)).toHaveLength(1);
	});

	it('a node that n8n runs again finds its own edit', async () => {
		const parked = await start(chain(CREATE, wait()));
		const { contextData } = parked.data.executionData!;
		const { data } = await start(chain(CREATE, wait()), undefined, contextData);
		expect(data.resultData.error).toBeUndefined();
		expect(deliveryUrls(service)).toHaveLength(1);
	});
});

describe('refuses at once a wait that does not fit its edit', () => {
	const refusal = async (workflow: WorkflowJson, items?: Item[]) => {
		const { data, status } = await start(workflow, items);
		expect(status).not.toBe('waiting');
		expect(gets()).toEqual([]);
		return data.resultData.error;
	};

	it('with Park for an edit that is delivered elsewhere', async () => {
		const items = [{ json: { fileUrl: SOURCE, editId: 'a', deliversTo: '6' } }];
		expect(await refusal(chain(wait({ whileWaiting: 'park' })), items)).toMatchObject({
			message: 'Edit a will not be delivered to this execution [item 0]',
			description: expect.stringMatching(/deliver it to execution 6\..*'Automatic'/),
		});
	});

	it('with Keep Running and Hand Over for one that is delivered here', async () => {
		for (const whileWaiting of ['keepRunning', 'handOver']) {
			// The wait that would take the file is on another branch.
			const first = { ...wait({ whileWaiting }), name: 'First' };
			const workflow = chain(CREATE, first, wait());
			workflow.connections.createEdit.main[0]?.push(...workflow.connections.First.main[0]!);
			delete workflow.connections.First;
			expect(await refusal(workflow)).toMatchObject({
				message: expect.stringMatching(/^Edit a will be delivered to this execution/),
				description: expect.stringMatching(/'Automatic' or 'Park Until Delivered'/),
			});
		}
	});
});

it('an edit with a delivery that failed is not blamed on its source', async () => {
	statuses = ['EXPORT', 'FAILURE'];
	const json = { fileUrl: SOURCE, editId: 'a', deliversTo: '6' };
	const run = await start(chain(wait()), [{ json }]);
	const { description } = run.data.resultData.error!;
	expect(description).toMatch(/deliver the file to execution 6 of n8n.*WEBHOOK_URL/);
	expect(description).not.toMatch(/source plays/);
	const parameters = {
		signed_url: 'https://bucket.example.com/a.mp3?signature=0123456789',
	};
	const stored = await start(chain({ type: 'createEdit', parameters }, wait()));
	const said = stored.data.resultData.error?.description;
	expect(said).toMatch(/deliver the file to https:\/\/bucket.example.com\/a.mp3\. That signed URL/);
});

describe('the address of another execution of this n8n, under a path that its administrator chose', () => {
	const base = INSTANCE.webhookWaitingBaseUrl;

	beforeEach(() => {
		INSTANCE.webhookWaitingBaseUrl = 'http://127.0.0.1/hooks/parked';
		link = 'http://127.0.0.1/hooks/parked/8?signature=ffff&delivery=gggg';
		statuses = ['SUCCESS'];
	});

	afterEach(() => {
		INSTANCE.webhookWaitingBaseUrl = base;
	});

	it('is shown without its keys', async () => {
		const items = [{ json: { editId: 'a' } }];
		for (const spec of [result({ download: [], simplify: false }), wait({ simplify: false })]) {
			const run = await start(chain(spec), items);
			expect(itemsOf(run, spec.type)[0].json.result).toMatchObject({
				download_url: 'http://127.0.0.1/hooks/parked/8',
				note: 'Delivered to http://127.0.0.1/hooks/parked/8',
			});
		}
	});

	it('is no link to download', async () => {
		const run = await start(chain(result()), [{ json: { editId: 'a' } }]);
		expect(run.data.resultData.error?.description).toMatch(/delivered it to an n8n execution/);
		const simple = await start(chain(result({ download: [] })), [{ json: { editId: 'a' } }]);
		expect(itemsOf(simple, 'getResult')[0].json).not.toHaveProperty('downloadUrl');
	});
});
