import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { setUpCreateEdit, url } from '../../../testkit/n8n/createEdits';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { fileItems, urlItem, useRecordingService } from '../../../testkit/service/recordingService';
import { runOne } from '../../../testkit/service/useService';

useProcessedData();
const service = useRecordingService();
const NAMES = ['a.wav', 'b.wav', 'c.wav'];
const CONTINUE = { settings: { onError: 'continueErrorOutput' as const } };

const credit = (total?: number) => {
	const answer = { status: total === undefined ? 503 : 200, body: { credit: { total } } };
	service.fault = ({ path }) => (path === '/v1/account' ? answer : undefined);
};

const NODES = {
	'Audio Editing': async (options: INodeParameters) => await service.edit(NAMES, options),
	'Create Edit': async (options: INodeParameters) =>
		await runOne(service, 'createEdit', options, NAMES.map(urlItem)),
};

describe.each(Object.entries(NODES))('%s', (_node, run) => {
	it('creates no edit if the items need more than it may create', async () => {
		const { error } = await run({ mostEdits: 2 });
		expect(error?.message).toContain("'Most Edits per Execution' is 2, and the items need 3 edits");
		expect(error?.description).toContain('not charged');
		expect(service.charged).toEqual([]);
		expect((await run({ mostEdits: 3 })).error).toBeUndefined();
		expect(service.charged).toHaveLength(3);
	});

	it('creates no edit below a credit', async () => {
		credit(9.5);
		const { error } = await run({ stopBelowCredit: 10 });
		expect(error?.message).toContain("The account's credit, 9.5, is below 10");
		expect(error?.description).toContain(
			"Nothing was submitted. Top up the account, or lower 'Stop Below Credit' in this node.",
		);
		expect(service.charged).toEqual([]);
		credit(10);
		expect((await run({ stopBelowCredit: 10 })).error).toBeUndefined();
		expect(service.charged).toHaveLength(3);
	});

	it('creates no edit at an unknown credit unless the form says so', async () => {
		credit();
		const { error } = await run({ stopBelowCredit: 1 });
		expect(error?.message).toMatch(/^Could not read the credit/);
		expect(error?.description).toContain('Nothing was submitted');
		expect(service.charged).toEqual([]);
		const ended = await run({ stopBelowCredit: 1, ifCreditUnknown: 'goOn' });
		expect(ended.error).toBeUndefined();
		expect(ended.hints).toContainEqual(
			expect.stringMatching(
				/^The edits were created although the credit is unknown\. Could not read the credit/,
			),
		);
		expect(service.charged).toHaveLength(3);
	});

	it.each([
		{ mostEdits: '={{ $json.none }}' },
		{ mostEdits: 'not set' },
		{ stopBelowCredit: 'much' },
	])('is not without a limit because of %j', async (options) => {
		expect((await run(options)).error?.message).toContain('must be a number of 0 or more');
		expect(service.charged).toEqual([]);
	});
});

it('creates edits up to the limit, and later the rest, if it skips recordings', async () => {
	const parameters = { mostEdits: 2, skipEdited: 'url' };
	await service.edit(NAMES, parameters, CONTINUE);
	expect(service.charged).toHaveLength(2);
	await service.edit(NAMES, parameters, CONTINUE);
	expect([...service.charged].sort()).toEqual(NAMES);
});

it('uploads no more recordings than it may create edits of', async () => {
	const items = await fileItems('a.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav');
	await service.edit(items, { mostEdits: 2, skipEdited: 'nameAndSize' }, CONTINUE);
	expect(service.charged).toHaveLength(2);
	expect(service.uploaded).toHaveLength(2);
});

it('does not read the credit for edits that it has created before', async () => {
	const items = [{ json: { editId: 'e1', finished: false, edit: {} } }];
	const isRead = () => service.seen.some(({ path }) => path === '/v1/account');
	await service.edit(items, { stopBelowCredit: 1, maximumWaitMinutes: 1 });
	expect(isRead()).toBe(false);
});

/** A run of Create Edit on these URLs; a broken submission may be charged. */
async function createEdits(
	files: string[],
	mostEdits: number,
	kept: IDataObject,
	runIndex: number,
) {
	const { create, sent } = setUpCreateEdit({
		files,
		kept,
		runIndex,
		fields: { mostEdits },
		more: { continueOnFail: () => true },
		answers: [undefined, undefined, { status: 500 }, undefined],
	});
	const errors = (await create()).flatMap(
		({ json }) => (json.failure as Error | undefined)?.message ?? [],
	);
	return { sent: sent.length, errors };
}

it('does not count an edit again in the next try, and says what the earlier runs created', async () => {
	const kept = {};
	const files = [url('a'), url('b')];
	expect((await createEdits(files, 2, kept, 0)).sent).toBe(2);
	const again = await createEdits(files, 2, kept, 0);
	expect([again.sent, again.errors]).toEqual([0, []]);
	const [error] = (await createEdits(files.slice(0, 1), 2, kept, 1)).errors;
	expect(error).toBe(
		"a.wav: 'Most Edits per Execution' is 2, and the items need 1 edit, after 2 in this execution [item 0]",
	);
	const [first] = (await createEdits(files, 1, {}, 0)).errors;
	expect(first).toMatch(
		/^a\.wav: 'Most Edits per Execution' is 1, and the items need 2 edits \[item/,
	);
});

it('never submits more in an execution, however many runs and lost answers it has', async () => {
	const run = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
	const trial = async (runs: string[][], most: number) => {
		const kept = {};
		let submitted = 0;
		for (const [index, names] of runs.entries()) {
			const { sent } = await createEdits(names.map(url), most, kept, index);
			expect([0, names.length]).toContain(sent);
			submitted += sent;
		}
		expect(submitted).toBeLessThanOrEqual(most);
	};
	const runs = fc.array(run, { minLength: 1, maxLength: 5 });
	await fc.assert(fc.asyncProperty(runs, fc.nat(12), trial), { numRuns: 200 });
});
