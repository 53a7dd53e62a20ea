import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	NodeOperationError,
} from 'n8n-workflow';

import { failureOf } from '../../../testkit/n8n/failures';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { inStatus, waitedEdits } from '../../../testkit/n8n/waitedEdits';
import { accept, runOne, useService } from '../../../testkit/service/useService';
import { ITEMS, NAME } from './fileFirst';
import { FORM_CASES } from './fileFirstForms';
import { REQUEST_CASES } from './fileFirstRequests';

/*
 * In a toast, on the canvas, in the list of executions and in an error workflow, a person reads one line. It
 * begins with the name of the recording, and says why it failed.
 */

const store = useProcessedData();
const service = useService();

/** An item like that of the node, with another recording. */
async function otherItem(type: string): Promise<INodeExecutionData> {
	const { json, binary } = await ITEMS[type]();
	const text = JSON.stringify(json).replaceAll(NAME, 'other.mp3').replace('edit-9', 'edit-8');
	const other = binary && { data: { ...binary.data, fileName: 'other.mp3' } };
	return { json: JSON.parse(text) as IDataObject, ...(other && { binary: other }) };
}

describe.each(Object.entries({ ...REQUEST_CASES, ...FORM_CASES }))('%s', (_what, one) => {
	const { nodes, parameters = {}, reason, alwaysEnds = false } = one;
	const runIn = async (type: string, more = {}, before: INodeExecutionData[] = []) => {
		const item = await (one.item ?? ITEMS[type])();
		const settings = { ...one.settings, ...more };
		if (one.before) {
			service.answer = (request, number) =>
				one.before?.(request, number) ?? accept(request, number);
			await runOne(service, type, parameters, [item]);
		}
		service.answer = (request, number) => one.fault?.(request, number) ?? accept(request, number);
		store.beforeWrite = () => {
			if (one.isForgetful) throw new Error('database is locked');
		};
		return await runOne(service, type, parameters, [...before, item], { settings });
	};
	const expectFileFirst = (message: unknown, itemIndex = 0) => {
		const [line] = String(message).split('\n');
		expect(line.startsWith(NAME)).toBe(true);
		expect(line.slice(NAME.length)).toMatch(reason);
		expect(line.endsWith(` [item ${itemIndex}]`)).toBe(true);
		expect(line.length).toBeLessThanOrEqual(250);
	};

	/** Names an edit once, a label once in a message, and says what it is about before it says 'it'. */
	const expectPlain = (message: string, description: string, details: readonly string[]) => {
		const whole = [message, description, ...details].join('\n');
		const editIds = whole.match(/edit-\d+/g) ?? [];
		expect(editIds).toEqual([...new Set(editIds)]);
		const labels = message.match(/'[A-Z][^']*'/g) ?? [];
		expect(labels).toEqual([...new Set(labels)]);
		expect(description).not.toMatch(/^(Nothing was (sent|submitted)\. )?(It|Its|They|Their)\b/);
		expect(whole).not.toMatch(/\w\(s\)|(?<!\.)\.\.(?!\.)/);
	};

	it.each(nodes)('in %s: the error that ends the node', async (type) => {
		const { error, hints } = await runIn(type);
		for (const hint of hints) expectPlain(hint, '', []);
		expectFileFirst(error?.message);
		const { message, description, messages } = error as NodeOperationError;
		expectPlain(message, description ?? '', messages);
	});

	if (alwaysEnds) return;

	it.each(nodes)('in %s: the failure on the error output', async (type) => {
		const { run } = await runIn(type, { onError: 'continueErrorOutput' });
		const outputs = [1, 2, 3].flatMap((output) => itemsOf(run, type, output));
		expect(outputs).toHaveLength(1);
		const { message, description = '', details = '' } = failureOf(outputs[0]) ?? {};
		expectFileFirst(message);
		expectPlain(String(message), String(description), [String(details)]);
	});

	it.each(nodes)('in %s: the failure of a second item', async (type) => {
		const before = await otherItem(type);
		const { run } = await runIn(type, { onError: 'continueErrorOutput' }, [before]);
		const outputs = [1, 2, 3].flatMap((output) => itemsOf(run, type, output));
		const second = outputs.filter(({ json }) => JSON.stringify(json).includes('[item 1]'));
		expect(second).toHaveLength(1);
		const { message, description = '', details = '' } = failureOf(second[0]) ?? {};
		expectFileFirst(message, 1);
		expectPlain(String(message), String(description), [String(details)]);
		// The number of another item, if the failure is about all of them.
		expect(/\(item \d\)/.exec(String(message))?.[0]).toBe(one.isOfAll ? '(item 0)' : undefined);
	});
});

describe('the error of a stopped execution, which n8n shows nowhere but to the nodes around', () => {
	const stopped = async (waiting: Answer) => {
		const stop = new AbortController();
		const { wait } = waitedEdits(
			['edit-9'],
			() => {
				stop.abort();
				return waiting;
			},
			{ item: { sourceFileName: NAME }, more: { getExecutionCancelSignal: () => stop.signal } },
		);
		return String(await wait().catch((error: unknown) => (error as Error).message));
	};

	it('while it waits', async () => {
		expect(await stopped(inStatus('EDITING'))).toBe(
			`${NAME}: the execution was stopped while the edit had status EDITING (edit edit-9) [item 0]`,
		);
	});

	it('before the first status', async () => {
		expect(await stopped({ status: 503 })).toBe(
			`${NAME}: the execution was stopped while the edit had status unknown (edit edit-9) [item 0]`,
		);
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
