import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { systemTime } from '../../../api/time';
import { pointTo, pointedTo } from '../../../nodes/core/submit/submitEdit';
import type { NodeRun } from '../../../nodes/core/run/nodeRun';
import type { Submission, SubmissionLedger } from '../../../nodes/core/ledger/submissionLedger';
import { NODE, runOf } from '../../../testkit/n8n/nodeContext';
import { FILE, useScriptedSubmissions } from '../../../testkit/service/scriptedSubmissions';

const ACCEPTED: Submission = { state: 'accepted', editId: 'edit-1', submittedAt: 'now' };
const UNCERTAIN: Submission = { state: 'uncertain', said: 'cut' };

const requestFor = (file = FILE, config: IDataObject = {}) => ({
	input: { files: [file], config, upload_type: 'singletrack' as const },
});

interface Call {
	readonly kept: IDataObject;
	readonly run?: number;
	readonly inputs?: readonly IDataObject[];
	/** Whether the host runs the tool in the context of agents before version 3. */
	readonly isToolExecution?: boolean;
	readonly type?: string;
}

/** The ledger as one call of the tool finds it. */
function ledgerOf(call: Call): SubmissionLedger {
	const { kept, run = 0, inputs = [{}], isToolExecution, type = 'x.createEditTool' } = call;
	const more: Partial<IExecuteFunctions> = {
		getContext: () => kept,
		evaluateExpression: () => run,
		getNode: () => ({ ...NODE, type }),
		...(isToolExecution !== undefined && { isToolExecution: () => isToolExecution }),
	};
	const items = inputs.map((json) => ({ json }));
	return runOf(more, items).ledger;
}

/** What a call asks for; the form is the same in all calls. */
const keyOf = (request = requestFor(), itemIndex = 0) => ({ itemIndex, fingerprint: 'f', request });

/** The IDs of the edits that a ledger keeps of its run. */
const acceptedIn = (ledger: SubmissionLedger) =>
	ledger.acceptedSubmissions().map(({ editId }) => editId);

/** Returns what a second call finds after the first has noted this. */
function foundAfter(
	submission: Submission,
	[first, second]: readonly [string | undefined, string | undefined],
	more: { inputs?: readonly [IDataObject, IDataObject]; config?: readonly IDataObject[] } = {},
): Submission | undefined {
	const kept: IDataObject = {};
	const { inputs = [{ call: 1 }, { call: 2 }], config = [] } = more;
	ledgerOf({ kept, inputs: [inputs[0]] }).note(keyOf(requestFor(first, config[0])), submission);
	return ledgerOf({ kept, run: 1, inputs: [inputs[1]] }).find(keyOf(requestFor(second, config[1])));
}

describe('a tool with a newly signed request is the same edit', () => {
	it('if a storage has signed its link again', () => {
		const links = [`${FILE}?sv=1&se=2&sig=3`, `${FILE}?sv=4&se=5&sig=6`] as const;
		expect(foundAfter(ACCEPTED, links)).toEqual(ACCEPTED);
	});

	it('if only the delivery address changes', () => {
		const config = [{ signed_url: 'https://b.example/1' }, { signed_url: 'https://b.example/2' }];
		expect(foundAfter(ACCEPTED, [FILE, FILE], { config })).toEqual(ACCEPTED);
	});
});

describe('a tool creates another edit', () => {
	it('for another link, even if only its token differs', () => {
		const links = [`${FILE}?token=1`, `${FILE}?token=2`] as const;
		expect(foundAfter(ACCEPTED, links)).toBeUndefined();
	});

	it('for another configuration', () => {
		const config = [{ fillers: true }, { fillers: false }];
		expect(foundAfter(ACCEPTED, [FILE, FILE], { config })).toBeUndefined();
	});

	it('for another file, even if the model passed the same input', () => {
		const inputs = [{}, {}] as const;
		expect(foundAfter(ACCEPTED, [FILE, `${FILE}?id=2`], { inputs })).toBeUndefined();
	});

	it('for another input after an uncertain end', () => {
		expect(foundAfter(UNCERTAIN, [FILE, `${FILE}?id=2`])).toBeUndefined();
	});
});

it('a tool refuses a changed request with the input of an uncertain call', () => {
	const inputs = [{ fileUrl: FILE }, { fileUrl: FILE }] as const;
	expect(foundAfter(UNCERTAIN, [FILE, `${FILE}?now=2`], { inputs })).toEqual(UNCERTAIN);
});

it('the edits of another run are not named, even if the number of that run begins with its own', () => {
	const kept: IDataObject = {};
	const type = 'x.createEdit';
	ledgerOf({ kept, type, run: 10 }).note(keyOf(), ACCEPTED);
	ledgerOf({ kept, type, run: 10, inputs: [{}, {}] }).note(keyOf(requestFor(), 1), UNCERTAIN);
	const one = ledgerOf({ kept, type, run: 1 });
	expect(acceptedIn(one)).toEqual([]);
	expect(one.uncertainSubmissions()).toBe(0);
});

describe('the second run of an item of a tool', () => {
	const noteFirst = (more: Partial<Call> = {}) => {
		const kept: IDataObject = {};
		ledgerOf({ kept, ...more }).note(keyOf(), ACCEPTED);
		return kept;
	};
	const changed = requestFor(`${FILE}?now=2`);

	it('is the same edit, whatever its request', () => {
		expect(ledgerOf({ kept: noteFirst() }).find(keyOf(changed))).toEqual(ACCEPTED);
	});

	it('differs from its other items and runs', () => {
		const kept = noteFirst();
		const inputs = [{ a: 1 }, { b: 2 }];
		expect(ledgerOf({ kept, inputs }).find(keyOf(changed, 1))).toBeUndefined();
		expect(ledgerOf({ kept, inputs, run: 1 }).find(keyOf(changed))).toBeUndefined();
	});

	it('cannot be recognized by its run if an agent before version 3 calls', () => {
		const before3 = { isToolExecution: true };
		const kept = noteFirst(before3);
		expect(ledgerOf({ kept, ...before3 }).find(keyOf(changed))).toBeUndefined();
		expect(ledgerOf({ kept, ...before3 }).find(keyOf())).toEqual(ACCEPTED);
	});
});

it('a call without any item still has an input', () => {
	const kept: IDataObject = {};
	ledgerOf({ kept, inputs: [] }).note(keyOf(), UNCERTAIN);
	const again = ledgerOf({ kept, run: 1, inputs: [] });
	expect(again.find(keyOf(requestFor(`${FILE}?now=2`)))).toEqual(UNCERTAIN);
});

it("a tool and a node of the workflow do not read each other's entries", () => {
	const kept: IDataObject = {};
	ledgerOf({ kept }).note(keyOf(), ACCEPTED);
	const node = ledgerOf({ kept, type: 'x.createEdit' });
	expect(node.find(keyOf())).toBeUndefined();
	expect(acceptedIn(node)).toEqual([]);
	expect(acceptedIn(ledgerOf({ kept, run: 5 }))).toEqual(['edit-1']);
	expect(Object.keys(kept.submissions as object)).toEqual([
		expect.stringMatching(/^tool:[0-9a-f]{64}$/),
	]);
});

it('what the service did not accept may be submitted again', () => {
	const kept: IDataObject = {};
	const ledger = ledgerOf({ kept });
	ledger.note(keyOf(), UNCERTAIN);
	ledger.forget(keyOf(requestFor(`${FILE}?X-Amz-Signature=new`)));
	expect(ledger.find(keyOf())).toBeUndefined();
});

const KEY = 'audioEditingEdits';

/** Returns a run whose execution keeps these values. */
function runWith(kept: Record<string, string>): NodeRun {
	const customData = {
		get: (key: string) => kept[key],
		set: (key: string, value: string) => void (kept[key] = value),
	};
	const proxy = { $execution: { customData } };
	const getWorkflowDataProxy = (() => proxy) as object as IExecuteFunctions['getWorkflowDataProxy'];
	return runOf({ getWorkflowDataProxy });
}

describe("the pointer in the execution's custom data", () => {
	it('is a count and the IDs', () => {
		const kept: Record<string, string> = {};
		for (const editId of ['a', 'b', 'c']) pointTo(runWith(kept), editId);
		expect(kept).toEqual({ [KEY]: '3 edits: a, b, c' });
	});

	it("leaves a value of the workflow's author alone", () => {
		const kept = { [KEY]: 'mine' };
		pointTo(runWith(kept), 'a');
		expect(kept).toEqual({ [KEY]: 'mine' });
	});

	it('is short for any ID, and has the IDs that fit of many edits', () => {
		const odd: Record<string, string> = {};
		for (const editId of ['x'.repeat(1_000), 'b']) pointTo(runWith(odd), editId);
		expect(odd[KEY]).toMatch(/^2 edits: x+, …$/);
		expect(odd[KEY].length).toBeLessThanOrEqual(255);
		expect(pointedTo(odd)).toEqual({ count: 2, editIds: [expect.stringMatching(/^x+$/)] });
		const many: Record<string, string> = {};
		const editIds = Array.from({ length: 300 }, () => randomUUID());
		for (const editId of editIds) pointTo(runWith(many), editId);
		expect(many[KEY].length).toBeLessThanOrEqual(255);
		expect(pointedTo(many)).toEqual({ count: 300, editIds: editIds.slice(0, 6) });
	});
});

describe('in n8n', () => {
	const submissions = useScriptedSubmissions();
	const TWO = ['a', 'b'].map((name) => ({ fileUrl: `https://f.example.com/${name}.wav` }));
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	it('the pointer stays with the execution', async () => {
		const { run } = await submissions.create({}, TWO);
		expect(run.data.resultData.metadata).toEqual({ [KEY]: '2 edits: edit-1, edit-2' });
	});

	it('a redirect that may name the edit is not followed by another try, and stays in the error', async () => {
		const headers = { Location: '/v2/edits/edit-77?signature=abcdefgh' };
		submissions.service.answer = () => ({ status: 303, headers });
		const { error, said } = await submissions.create({}, undefined, RETRY);
		expect(submissions.service.seen).toHaveLength(1);
		expect(error?.message).toMatch(/^a\.wav: the edit was not sent again.* \[item 0\]$/);
		expect(error?.description).toMatch(/^The earlier attempt: .*\/edits\/edit-77\. A second edit/);
		expect(said).not.toContain('abcdefgh');
	});
});

describe('the ledger of a node in a workflow', () => {
	const at = (itemIndex: number) => ({ itemIndex, fingerprint: `f${itemIndex}` });
	const NODE_TYPE = { type: 'x.createEdit' };

	it('counts and names what may be charged, in this run and in all', () => {
		const kept: IDataObject = {};
		ledgerOf({ kept, ...NODE_TYPE }).note(at(0), ACCEPTED);
		const ledger = ledgerOf({ kept, run: 1, ...NODE_TYPE });
		ledger.note(at(0), ACCEPTED);
		ledger.note(at(1), UNCERTAIN);
		ledger.note(at(2), { ...UNCERTAIN, sourceFileName: 'c.wav' });
		ledger.note(at(3), UNCERTAIN);
		ledger.find(at(3));
		expect(ledger.size).toBe(5);
		expect(acceptedIn(ledger)).toEqual(['edit-1']);
		expect(ledger.uncertainSubmissions()).toBe(3);
		expect(ledger.uncertainRecordings(3)).toEqual(['item 1', 'c.wav']);
		expect(ledger.uncertainRecordings(0)).toEqual(['item 1', 'c.wav', 'item 3']);
		expect(ledgerOf({ kept, run: 1 }).uncertainRecordings(0)).toEqual([]);
	});

	it('remembers uploads for a day less than the service keeps them', () => {
		const kept: IDataObject = {};
		const ledger = ledgerOf({ kept, ...NODE_TYPE });
		const files = ['https://files.example.com/1'];
		ledger.noteUploads(0, 'k', files);
		const found = () => ledgerOf({ kept, ...NODE_TYPE }).uploadedFiles(0, 'k');
		expect(found()).toEqual(files);
		expect(ledger.uploadedFiles(1, 'k')).toBeUndefined();
		expect(ledger.uploadedFiles(0, 'other')).toBeUndefined();
		const [upload] = Object.values(kept.uploads as Record<string, { uploadedAt: string }>);
		const daysAgo = (days: number) => new Date(systemTime.timeOfDay() - days * 86_400_000);
		upload.uploadedAt = daysAgo(5.9).toISOString();
		expect(found()).toEqual(files);
		upload.uploadedAt = daysAgo(6).toISOString();
		expect(found()).toBeUndefined();
	});

	it('has the same key in all retries of an execution, and another in others', () => {
		const keyIn = (kept: IDataObject, more: Partial<IExecuteFunctions>) => {
			const context = { getContext: () => kept, evaluateExpression: () => 0, ...more };
			return runOf(context, [{ json: {} }]).ledger.keyInRetries(at(0));
		};
		const first = { getExecutionId: () => '1' };
		const retry = (establishedAt?: number): Partial<IExecuteFunctions> => ({
			getExecutionId: () => '2',
			getMode: () => 'retry',
			getExecutionContext: () =>
				establishedAt === undefined ? undefined : { version: 1, establishedAt, source: 'manual' },
		});
		const kept = {};
		expect(keyIn(kept, first)).toBe(keyIn(kept, retry(5)));
		expect(keyIn({}, first)).not.toBe(keyIn({}, retry()));
		expect(keyIn({}, retry(5))).not.toBe(keyIn({}, retry(6)));
		expect(keyIn({}, retry())).toBe(keyIn({}, { getExecutionId: () => '2' }));
		expect(keyIn({}, { ...retry(5), getMode: () => 'trigger' })).toBe(keyIn({}, retry()));
	});
});
